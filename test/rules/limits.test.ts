/* Invalid or malicious values do not take much time to validate. */
import { SPARK_APPLICATION } from '../../src/api/spark-application';
import { podTemplateSchema, schemaOfKind } from '../../src/rules/schemas';
import { metadataViolations } from '../../src/rules/metadata';
import { podTemplateViolations } from '../../src/rules/pod-template';
import type { Schema } from '../../src/rules/schema';
import { violations } from '../../src/rules/validate';
import { cpuTime } from '../helpers/cpu-time';
import { MINIMAL } from './case';

const schema = schemaOfKind(SPARK_APPLICATION).properties!.spec!;
const LONG = 200_000;

/** Texts for which a regular expression with ambiguous matches would backtrack. */
const TEXTS = ['a', '0', '-', '.', 'a-', 'a.', '0.', ' ', 'aaaa-aaaa.', '1e', '+'].map((part) => `${part.repeat(LONG / part.length)}!`);

/** Returns all patterns and rules that apply to a text of unbounded length. */
function patternsIn({ pattern, properties, items, additionalProperties, 'x-kubernetes-validations': rules = [] }: Schema): string[] {
  const own = [pattern, ...rules.map(({ rule }) => /matches\('([^']*)'\)/.exec(rule)?.[1])].filter((found) => found !== undefined);
  return [...own, ...[...Object.values(properties ?? {}), items, additionalProperties].flatMap((inner) => (inner ? patternsIn(inner) : []))];
}

/** Returns CPU milliseconds. */
function milliseconds(action: () => unknown): number {
  const took = cpuTime();
  action();
  return took();
}

test.each([...new Set(patternsIn(schema))].filter((pattern) => !/a-z0-9\]-\?\)|\[-a-z0-9\]/.test(pattern)))('the pattern %s takes no time', (pattern) => {
  for (const text of TEXTS) expect(milliseconds(() => new RegExp(pattern).test(text))).toBeLessThan(1_000);
});

test.each<[field: string, spec: (text: string) => object]>([
  ['driver.podName', (podName) => ({ driver: { podName } })],
  ['driver.ports[].name', (name) => ({ driver: { ports: [{ name, protocol: 'TCP', containerPort: 1 }] } })],
  ['monitoring.prometheus.portName', (portName) => ({ monitoring: { exposeDriverMetrics: true, exposeExecutorMetrics: false, prometheus: { jmxExporterJar: '/j', portName } } })],
  ['an unknown field', (name) => ({ [name]: 1, driver: { [name]: 1 } })],
])('%s: ambiguous patterns check the length first', (_, spec) => {
  for (const text of TEXTS) expect(milliseconds(() => violations(schema, { ...MINIMAL, ...spec(text) }, 'spec'))).toBeLessThan(1_000);
});

test('names, labels and annotations', () => {
  for (const text of TEXTS) {
    expect(milliseconds(() => metadataViolations(text, { namespace: text, labels: { [`${text}/${text}`]: text }, annotations: { [`${text}/a`]: text } }))).toBeLessThan(1_000);
  }
});

test('ten thousand entries of all kinds', () => {
  const many = <T>(make: (index: number) => T): T[] => Array.from({ length: 10_000 }, (_, index) => make(index));
  const spec = {
    ...MINIMAL,
    volumes: many((index) => ({ name: `v${index}`, emptyDir: {} })),
    driverIngressOptions: many((index) => ({ servicePort: index + 1, servicePortName: 'p' })),
    sparkConf: Object.fromEntries(many((index) => [`spark.x${index}`, ''])),
    driver: { env: many((index) => ({ name: `E${index}`, value: '' })), sidecars: [{ name: 's', env: many((index) => ({ name: `E${index}`, value: '' })) }], volumeMounts: many((index) => ({ name: `v${index}`, mountPath: '/' })) },
  };
  expect(milliseconds(() => violations(schema, spec, 'spec'))).toBeLessThan(5_000);
  expect(milliseconds(() => podTemplateViolations(podTemplateSchema(), { spec: { containers: spec.driver.sidecars, volumes: spec.volumes } }, 'template'))).toBeLessThan(5_000);
});
