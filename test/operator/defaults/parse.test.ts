import { DefaultsError, parseLayer } from '../../../src/operator/defaults/parse';
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
  expect(problem({ defaults: 'driver: {memory: 4Gi}' })).toBe(
    'ConfigMap jobs/spark-operator-defaults cannot be used: defaults.yaml: driver.memory ("4Gi") must be a size as Spark writes it, such as 512m or 4g (not 4Gi)',
  );
  expect(problem({ enforced: 'executer: {}' })).toMatch(/enforced.yaml: executer \({}\) is not a field; did you mean executor\?/);
  expect(problem({ limits: 'maxExecutors: "20"' })).toMatch(/limits.yaml: maxExecutors \("20"\) must be a whole number, without quotes/);
  expect(problem({ limits: 'minScheduleInterval: often' })).toMatch(/limits.yaml: minScheduleInterval \("often"\) must be a duration such as 90s, 15m or 1h30m/);
  expect(problem({ limits: 'driver: {maxMemory: lots}' })).toMatch(/limits.yaml: driver.maxMemory \("lots"\) is not a size; write a number and a unit, such as 6g or 6Gi/);
  expect(problem({ defaults: 'sparkConf: {spark.master: local}' })).toMatch(/defaults.yaml: sparkConf .*spark.master is not allowed in sparkConf/);
  expect(problem({ defaults: 'driver: {template: {spec: {tolerration: []}}}' })).toMatch(/driver.template.spec.tolerration .*is not a field; did you mean tolerations/);
});

test.each(['maxMemory: 16GiB', 'maxMemory: 16gib', 'maxMemory: "12345678901234567890"', 'maxMemory: -1g', 'maxMemory: ""', 'maxCores: "2e000"', 'maxCores: -1', `maxCores: "${'0'.repeat(70)}2"`])(
  'an amount that cannot be read is a mistake here, not one of each application, and not no limit: %s', (limit) => {
    expect(problem({ limits: `executor: {${limit}}` })).toMatch(/limits.yaml: executor.max\w+ .*is not (a size|an amount as Kubernetes writes it); write a number/);
  },
);

test('a key that nobody would read is not passed over', () => {
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
  const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${['b', 'c', 'd', 'e', 'f'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcde'[index]}`).join(', ')}]`).join('\n')}`;
  expect(problem({ defaults: bomb })).toMatch(/is not YAML: Excessive alias count/);
});

test('what cannot be the same for all applications', () => {
  expect(problem({ defaults: 'suspend: true\ndriver: {podName: pi}' })).toMatch(/suspend cannot be set for all applications.*driver.podName cannot be the same/);
  expect(problem({ defaults: 'sparkVersion: 4.1.1' })).toMatch(/sparkVersion has no effect here, as each application has to say it; remove it, or move it to what is enforced/);
});

test('secrets are not repeated, and a long list of mistakes is cut', () => {
  const text = problem({ defaults: 'driver: {envVars: {PASSWORD: [hunter2]}}\nsparkConf: {spark.ssl.keyPassword: 12345}' });
  expect(text).toMatch(/driver.envVars\["PASSWORD"\] must be a string/);
  expect(text).not.toMatch(/hunter2|12345/);
  const many = problem({ defaults: Array.from({ length: 40 }, (_, index) => `nonsense${index}: 1`).join('\n') });
  expect(many).toMatch(/; and 35 more$/);
  expect(many.length).toBeLessThanOrEqual(700);
});
