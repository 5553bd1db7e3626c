import { parse } from 'yaml';
import type { Problem } from '../../../src/model/problem';
import { parseLimits } from '../../../src/plan/defaults/parse-limits';
import { DefaultsError, parseLayer } from '../../../src/plan/defaults/parse';
import { cpuTime } from '../../helpers/cpu-time';
import { configMap, type Files } from './layers';

function problem(given: Files | ReturnType<typeof configMap> & { binaryData?: object }): string {
  try {
    parseLayer('metadata' in given ? given : configMap('jobs', given));
  } catch (error) {
    expect(error).toBeInstanceOf(DefaultsError);
    return (error as Error).message;
  }
  return 'none';
}

test('a ConfigMap with everything', () => {
  const layer = parseLayer(configMap('jobs', {
    defaults: 'sparkConf: {spark.eventLog.enabled: "true"}\ndriver: {memory: 2g, tolerations: [{key: spark, operator: Exists}]}\n',
    enforced: 'sparkVersion: 4.1.1\nimage: registry.example.org/spark:4.1.1',
    limits: 'maxExecutors: 20\nexecutor: {maxCores: 4.5, maxMemory: 16Gi}\nallowedImages: ["registry.example.org/*"]',
  }, '42'));
  expect(layer).toEqual({
    configMap: 'jobs/spark-operator-defaults',
    resourceVersion: '42',
    defaults: { sparkConf: { 'spark.eventLog.enabled': 'true' }, driver: { memory: '2g', tolerations: [{ key: 'spark', operator: 'Exists' }] } },
    enforced: { sparkVersion: '4.1.1', image: 'registry.example.org/spark:4.1.1' },
    limits: { maxExecutors: 20, executor: { maxCores: { text: '4.5', amount: 4_500_000_000n }, maxMemory: { text: '16Gi', amount: 2n ** 34n * 10n ** 9n } }, allowedImages: ['registry.example.org/*'] },
  });
});

test('an empty ConfigMap, and fields without a value, say nothing', () => {
  expect(parseLayer(configMap('jobs', {}))).toMatchObject({ defaults: {}, enforced: {}, limits: {} });
  expect(parseLayer(configMap('jobs', { defaults: '# soon\n', enforced: 'driver:\n' }))).toMatchObject({ defaults: {}, enforced: {} });
});

test('the errors name the ConfigMap, the key, the path, the value and what to write', () => {
  expect(problem({ defaults: 'driver: {memory: 1.5g}' })).toBe(
    'ConfigMap jobs/spark-operator-defaults cannot be used: defaults.yaml: driver.memory = "1.5g" must be a whole number and a unit of Spark or Kubernetes, such as 512m, 4g or 4Gi',
  );
  expect(problem({ enforced: 'executer: {}' })).toMatch(/enforced.yaml: executer = {} is not a field; did you mean executor\?/);
  expect(problem({ limits: 'maxExecutors: "20"' })).toMatch(/limits.yaml: maxExecutors = "20" must be a whole number, without quotes/);
  expect(problem({ limits: 'minScheduleInterval: often' })).toMatch(/limits.yaml: minScheduleInterval = "often" must be a duration such as 90s, 15m or 1h30m/);
  expect(problem({ limits: 'driver: {maxMemory: lots}' })).toMatch(/limits.yaml: driver.maxMemory = "lots" is not a size; write a number and a unit, such as 6g or 6Gi/);
  expect(problem({ defaults: 'sparkConf: {spark.master: local}' })).toMatch(/defaults.yaml: sparkConf .*spark.master is not allowed in sparkConf/);
  expect(problem({ defaults: 'driver: {template: {spec: {tolerration: []}}}' })).toMatch(/driver.template.spec.tolerration .*is not a field; did you mean tolerations/);
});

test.each(['maxMemory: 16Gx', 'maxMemory: "12345678901234567890"', 'maxMemory: -1g', 'maxMemory: ""', 'maxCores: "2e000"', 'maxCores: -1', `maxCores: "${'0'.repeat(70)}2"`])(
  'an amount that cannot be read is a mistake here, not one of each application, and not no limit: %s', (limit) => {
    expect(problem({ limits: `executor: {${limit}}` })).toMatch(/limits.yaml: executor.max\w+ .*is not (a size|a Kubernetes quantity); write a number/);
  },
);

test.each([
  'maxRetries: many', 'executor: {maxCores: many, maxMemory: 1g}', 'allowedImages: [1]', 'maxExecutor: 3', 'minScheduleInterval: often',
])('an invalid entry is reported, and leaves the other limits in force: %s', (invalid) => {
  const refused: Problem[] = [];
  const limits = parseLimits({ maxExecutors: 20, driver: { maxCores: 2 }, ...parse(invalid) }, (...found) => refused.push(...found));
  expect(refused).toHaveLength(1);
  expect(limits).toMatchObject({ maxExecutors: 20, driver: { maxCores: { text: '2' } } });
  expect(problem({ limits: `maxExecutors: 20\n${invalid}` })).toMatch(/^ConfigMap jobs\/spark-operator-defaults cannot be used: limits.yaml: /);
});

test('an unknown key is an error', () => {
  const given = configMap('jobs', {});
  expect(problem({ ...given, data: { 'default.yaml': '' } as never })).toBe(
    'ConfigMap jobs/spark-operator-defaults cannot be used: default.yaml is not a key that is read; did you mean defaults.yaml?',
  );
  expect(problem({ ...given, binaryData: { 'limits.yaml': 'AAAA' } } as never)).toMatch(/limits.yaml is binary; write it as text/);
});

test('what is no YAML, several documents, and what is no object', () => {
  expect(problem({ defaults: 'a: b\nc: [' })).toMatch(/defaults.yaml: is not YAML: .* \(line 2\)/);
  expect(problem({ defaults: 'driver: {memory: 1g}\n---\ndriver: {}' })).toMatch(/defaults.yaml: has several documents; write one/);
  expect(problem({ defaults: '- driver' })).toMatch(/defaults.yaml: is not an object/);
  expect(problem({ defaults: 'driver: {cores: 1}\ndriver: {cores: 2}' })).toMatch(/is not YAML: Map keys must be unique \(line 2\)/);
});

/** Texts of up to 32 KiB that take long to parse, or end the process, without limits. */
const HOSTILE: { readonly [what: string]: [text: string, problem: RegExp] } = {
  'brackets': ['['.repeat(10_000), /is nested deeper than the limit of 32 levels; write fewer levels \(line 1\)/],
  'flow maps': ['{a: '.repeat(8_000), /is nested deeper than the limit of 32 levels/],
  'indentation': [Array.from({ length: 250 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''), /is nested deeper than the limit of 32 levels; write fewer levels \(line 3\d\)/],
  'lists in lists': ['- '.repeat(10_000), /is nested deeper than the limit of 32 levels/],
  'explicit keys': ['? '.repeat(10_000), /is nested deeper than the limit of 32 levels/],
  'keys': [Array.from({ length: 4_500 }, (_, key) => `k${key}:\n`).join(''), /has more than 10000 tokens; write fewer keys and values \(line \d+\)/],
  'keys, too large': [Array.from({ length: 10_000 }, (_, key) => `key${key}:\n`).join(''), /has 88890 bytes, more than the limit of 32 KiB; keep what all applications need/],
  'anchors': [Array.from({ length: 2_000 }, (_, anchor) => `- &a${anchor} x\n`).join(''), /has an anchor \(&\), which is not allowed; repeat the value, .* \(line 1\)/],
  'aliases': [`a: [${'*a,'.repeat(10_000)}]`, /has an alias \(\*\), which is not allowed/],
  'merges': [`a: {${'<<: *a,'.repeat(4_000)}}`, /has an alias \(\*\), which is not allowed/],
  'documents': ['---\n'.repeat(8_000), /has (several documents; write one|more than 10000 tokens)/],
  'closers': [']'.repeat(32_000), /is not YAML: /],
  'bad escapes': [`a: "${'\\q'.repeat(16_000)}"`, /defaults.yaml: is not YAML: Invalid escape sequence \\q \(line 1\)$/],
};

test.each(Object.entries(HOSTILE))('a hostile file is rejected within moments: %s', (_, [text, expected]) => {
  const took = cpuTime();
  const message = problem({ defaults: text });
  expect(message).toMatch(/^ConfigMap jobs\/spark-operator-defaults cannot be used: defaults.yaml: /);
  expect(message).toMatch(expected);
  expect(took()).toBeLessThan(300);
});

test.each([
  ['lists', '[],', 3_300], ['maps', '{},', 3_300], ['maps as keys', '{{a}: b},', 900], ['lists at the limit of depth', `${'['.repeat(30)}${']'.repeat(30)},`, 160],
  ['merges', '{<<: {a}},', 900],
])('the largest file that is permitted is parsed within moments: %s', (_, part, count) => {
  // The shortest of three, as the first pays for the compilation of the parser.
  const times = [1, 2, 3].map(() => {
    const took = cpuTime();
    expect(problem({ defaults: `a: [${part.repeat(count)}]` })).toMatch(/defaults.yaml: a is not a field/);
    return took();
  });
  expect(Math.min(...times)).toBeLessThan(300);
});

test('32 KiB of usual lines, JSON, and texts with & and * stay valid', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `  spark.property${1_000 + index}: "value"\n`).join('');
  expect(Object.keys(parseLayer(configMap('jobs', { defaults: `sparkConf:\n${lines}` })).defaults.sparkConf as object)).toHaveLength(1_000);
  expect(parseLayer(configMap('jobs', { defaults: '{"sparkConf": {"a": "*", "b": "&"}}' })).defaults).toEqual({ sparkConf: { a: '*', b: '&' } });
  expect(parseLayer(configMap('jobs', { limits: 'allowedImages: ["*.example/x", a*b&c, \'*\']' })).limits).toEqual({ allowedImages: ['*.example/x', 'a*b&c', '*'] });
  expect(parseLayer(configMap('jobs', { defaults: 'sparkConf:\n  a: |\n    *a\n    &b\n  b: x *y &z\n' })).defaults).toEqual({ sparkConf: { a: '*a\n&b\n', b: 'x *y &z' } });
});

test('what cannot be the same for all applications', () => {
  expect(problem({ defaults: 'suspend: true\ndriver: {podName: pi}' })).toMatch(/suspend cannot be set for all applications.*driver.podName cannot be the same/);
  expect(problem({ defaults: 'sparkVersion: 4.1.1' })).toMatch(/sparkVersion has no effect here, as each application must set it; remove it, or move it to the enforced values/);
});

test('secrets are not repeated, and a long list of mistakes is cut', () => {
  const text = problem({ defaults: 'driver: {envVars: {PASSWORD: [hunter2]}}\nsparkConf: {spark.ssl.keyPassword: 12345}' });
  expect(text).toMatch(/driver.envVars\[PASSWORD\] must be a string/);
  expect(text).not.toMatch(/hunter2|12345/);
  const many = problem({ defaults: Array.from({ length: 40 }, (_, index) => `nonsense${index}: 1`).join('\n') });
  expect(many).toMatch(/; and 35 more$/);
  expect(many.length).toBeLessThanOrEqual(700);
});
