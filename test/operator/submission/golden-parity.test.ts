import { captured, madeUp, propertiesOf } from './captured';
import type { Captured } from './captured';
import { buildSubmission } from '../../../src/operator/submission/native/build';
import type { DriverConfInput } from '../../../src/operator/submission/native/driver-conf';
import { SparkProperties } from '../../../src/operator/submission/spark-conf';
import { parseSparkVersion } from '../../../src/operator/submission/versions';

/**
 * The native build against what real spark-submit sent: the whole Pod, Service and ConfigMap. The build gets the properties
 * that spark-submit got, and the ids, names and times that spark-submit made up, read from its requests.
 */

const SCENARIOS: { readonly [name: string]: Pick<DriverConfInput, 'namespace' | 'application'> & { readonly conf: { [key: string]: string } } } = {
  min: {
    namespace: 'default',
    conf: {},
    application: {
      type: 'java',
      mainClass: 'org.apache.spark.examples.SparkPi',
      resource: 'local:///opt/spark/examples/jars/spark-examples.jar',
      arguments: ['1000'],
    },
  },
  py: {
    namespace: 'jobs',
    conf: {
      'spark.kubernetes.namespace': 'jobs',
      'spark.submit.pyFiles': 'local:///a.zip,https://r/b.zip',
      'spark.pyspark.python': '/usr/bin/python3',
      'spark.driver.memory': '4g',
    },
    application: { type: 'python', mainClass: 'org.apache.spark.examples.SparkPi', resource: 'local:///opt/app.py', arguments: ['1', '2'] },
  },
};

const CASES = [
  ['3.5.8', 'min'], ['4.0.2', 'min'], ['4.1.1', 'min'], ['4.3.0', 'min'],
  ['3.5.8', 'py'], ['4.0.2', 'py'], ['4.1.1', 'py'],
] as const;

function buildAsCaptured(version: string, scenario: string, original: Captured) {
  const { conf, namespace, application } = SCENARIOS[scenario]!;
  const { master, ...given } = madeUp(original);
  const built = buildSubmission({
    ...given,
    namespace,
    application,
    version: parseSparkVersion(version),
    properties: SparkProperties.of({
      'spark.master': master,
      'spark.app.name': 'spark-pi',
      'spark.kubernetes.container.image': `apache/spark:${version}`,
      'spark.kubernetes.submission.waitAppCompletion': 'false',
      ...conf,
    }),
  });
  const service = built.resources.find(resource => resource.kind === 'Service')!;
  const configMap = built.resources.find(resource => resource.kind === 'ConfigMap')!;
  return { ...built, service, configMap };
}

describe.each(CASES)('Spark %s, %s', (version, scenario) => {
  const original = captured(version, scenario);
  const built = buildAsCaptured(version, scenario, original);

  test('the driver Pod is spark-submit\'s, without exception', () => {
    expect(built.driver).toStrictEqual(original.pod);
  });

  test('the Service is spark-submit\'s, except for its owner', () => {
    const { ownerReferences, ...metadata } = original.service.metadata;

    // Deviation "owner": spark-submit makes the Pod the owner; here the SparkApplication is (ownership.ts), as the Pod comes last.
    expect(ownerReferences).toMatchObject([{ kind: 'Pod' }]);
    expect(built.service).toStrictEqual({ ...original.service, metadata });
  });

  test('the ConfigMap is spark-submit\'s, except for its owner and the text around the properties', () => {
    const { ownerReferences, ...metadata } = original.configMap.metadata;
    const { 'spark.properties': originalText, ...data } = original.configMap.data;
    const { 'spark.properties': builtText, ...builtData } = built.configMap.data;

    // Deviation "owner", as for the Service.
    expect(ownerReferences).toMatchObject([{ kind: 'Pod' }]);
    expect({ ...built.configMap, data: builtData }).toStrictEqual({ ...original.configMap, metadata, data });

    // Deviation "stable text": spark-submit writes the date as the second line, and the properties in the order of a hash
    // map. Here there is no date and the lines are sorted, so that the same submission is the same text.
    const [header, date, ...lines] = originalText!.trimEnd().split('\n');
    expect(date).toMatch(/^#[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{2} .* [0-9]{4}$/);
    expect(builtText).toBe([header, ...lines.sort()].join('\n') + '\n');
  });

  test('spark-submit creates no kinds that the native build leaves out', () => {
    // Deviation "network policy" (4.2 and later): not built yet.
    const left = version === '4.3.0' ? ['NetworkPolicy'] : [];

    const kinds = ['Pod', ...built.resources.map(resource => resource.kind)];
    expect(original.kinds.filter(kind => !left.includes(kind))).toEqual(kinds);
    expect(original.kinds).toEqual(expect.arrayContaining(left));
  });
});

test('the captures are not empty: they hold what is compared', () => {
  const original = captured('4.1.1', 'py');

  expect(propertiesOf(original.configMap)).toMatchObject({
    'spark.submit.pyFiles': 'local:///a.zip,https://r/b.zip',
    'spark.kubernetes.memoryOverheadFactor': '0.4',
  });
  expect(original.pod.spec.containers[0]!.resources!.limits).toEqual({ memory: '5734Mi' });
});
