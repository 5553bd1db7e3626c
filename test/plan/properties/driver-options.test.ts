import { DENIED_SPARK_CONF } from '../../../src/api/denied-conf';
import { refuseDeniedOptions } from '../../../src/plan/properties/denied-options';
import { driverOptions } from '../../../src/plan/properties/driver-options';
import { prepareSubmission } from '../../../src/plan/prepare';
import { SOME_SUBMISSION } from '../../../src/plan/plan-application';
import { cpuTime } from '../../helpers/cpu-time';
import { application, type Changes } from '../application';

const ACCOUNT = 'spark.kubernetes.authenticate.executor.serviceAccountName';
const OPTION = `-D${ACCOUNT}=admin`;

/** Returns the reason why an application is not submitted. */
function refusal(changes: Changes): string {
  try {
    prepareSubmission(application(changes), { ...SOME_SUBMISSION, sparkUser: 'spark' });
    return 'submitted';
  } catch (error) {
    return (error as Error).message;
  }
}

const env = (name: string, value: string, ...others: object[]): Changes => ({ driver: { env: [...others, { name, value }] as any } });
const inTemplate = (name: string, container: string): Changes => ({
  driver: { template: { spec: { containers: [{ name: container, env: [{ name: 'JAVA_TOOL_OPTIONS', value: OPTION }] }, { name }] } } },
});

test.each<[string, Changes]>([
  ['spec.driver.javaOptions', { driver: { javaOptions: `-Dapp.mode=fast ${OPTION}` } }],
  ['spec.sparkConf[spark.driver.extraJavaOptions]', { spec: { sparkConf: { 'spark.driver.extraJavaOptions': OPTION } } }],
  ['spec.sparkConf[spark.driver.defaultJavaOptions]', { spec: { sparkConf: { 'spark.driver.defaultJavaOptions': OPTION } } }],
  ['spec.sparkConf[spark.kubernetes.driverEnv.SPARK_SUBMIT_OPTS]', {
    spec: { sparkConf: { 'spark.kubernetes.driverEnv.SPARK_SUBMIT_OPTS': OPTION } },
  }],
  ['spec.driver.envVars[JDK_JAVA_OPTIONS]', { driver: { envVars: { JDK_JAVA_OPTIONS: OPTION } } }],
  ...[
    'JDK_JAVA_OPTIONS', 'JAVA_TOOL_OPTIONS', '_JAVA_OPTIONS', 'OPENJ9_JAVA_OPTIONS', 'IBM_JAVA_OPTIONS', 'SPARK_SUBMIT_OPTS',
    'SPARK_DRIVER_JAVA_OPTS', 'SPARK_LAUNCHER_OPTS',
  ]
    .map((name): [string, Changes] => [`spec.driver.env[${name}]`, env(name, OPTION)]),
  ['spec.driver.template.spec.containers[spark-kubernetes-driver].env[JAVA_TOOL_OPTIONS]', inTemplate('log', 'spark-kubernetes-driver')],
  ['spec.driver.template.spec.containers[main].env[JAVA_TOOL_OPTIONS]', inTemplate('log', 'main')],
])('a denied property as an option is rejected in %s', (field, changes) => {
  expect(refusal(changes)).toBe(
    `${field} sets ${ACCOUNT}, which is not allowed as an option: the field for it decides; set spec.executor.serviceAccount`,
  );
});

test.each<[string, Changes]>([
  ['in quotes', { driver: { javaOptions: `"${OPTION}"` } }],
  ['with quotes in it', { driver: { javaOptions: OPTION.replace('spark', 'sp"ar"\'k\'') } }],
  ['with backslashes', { driver: { javaOptions: OPTION.replace('spark', String.raw`s\park`) } }],
  ['with quotes in a variable', env('JAVA_TOOL_OPTIONS', OPTION.replace('spark', 'sp"ar"\'k\''))],
  ['from another variable', env('JAVA_TOOL_OPTIONS', '-Da=$$(A) $(A)=admin', { name: 'A', value: `-D${ACCOUNT}` })],
  ['after blanks of other scripts', { driver: { javaOptions: `-Da\u2003${OPTION}` } }],
])('a denied property is found %s', (_, changes) => {
  expect(refusal(changes)).toContain(`sets ${ACCOUNT}, which is not allowed`);
});

test.each(DENIED_SPARK_CONF.map(({ key }) => key))('%s is rejected as an option and in sparkConf', (key) => {
  expect(refusal({
    driver: { javaOptions: `-D${key}=secret` },
  })).toMatch(new RegExp(`^spec\\.driver\\.javaOptions sets ${key.replaceAll('.', '\\.')}, which is not allowed as an option`));
  expect(refusal({ driver: { javaOptions: `-D${key}=secret` } })).not.toContain('secret');
});

test('another namespace is rejected, the own one is not', () => {
  const namespace = (name: string) => refusal({ driver: { javaOptions: `-Dspark.kubernetes.namespace=${name}` } });
  expect(namespace('other')).toBe(
    'spec.driver.javaOptions sets spark.kubernetes.namespace, which is not the namespace of the application, jobs; remove it',
  );
  expect(namespace('jobs')).toBe('submitted');
});

test.each<[string, Changes]>([
  ['properties of Spark that are not denied', { driver: { javaOptions: '-Dspark.sql.shuffle.partitions=7 -Dapp.mode=fast' } }],
  ['other text that names a denied property', { driver: { javaOptions: `-Dapp.note=${OPTION}` } }],
  ['backslashes where they are characters', env('JAVA_TOOL_OPTIONS', OPTION.replace('spark', String.raw`s\park`))],
  ['variables that no JVM reads', env('NOTE', OPTION)],
  ['a reference that is escaped', env('JAVA_TOOL_OPTIONS', '$$(A)', { name: 'A', value: OPTION })],
  ['variables of sidecars', inTemplate('spark-kubernetes-driver', 'log')],
  ['options of a field that wins over its property', {
    driver: { javaOptions: '-Da=b' }, spec: { sparkConf: { 'spark.driver.extraJavaOptions': OPTION } },
  }],
  ['options from elsewhere, which cannot be read here', {
    driver: { env: [{ name: 'JAVA_TOOL_OPTIONS', valueFrom: { configMapKeyRef: { name: 'a', key: 'b' } } }] },
  }],
])('accepted: %s', (_, changes) => {
  expect(refusal(changes)).toBe('submitted');
});

test.each<[string, Changes, string]>([
  ['a ConfigMap', {
    driver: { env: [{ name: 'JAVA_TOOL_OPTIONS', valueFrom: { configMapKeyRef: { name: 'a', key: 'b' } } }] },
  }, 'spec.driver.env[JAVA_TOOL_OPTIONS] has options from another source'],
  ['an annotation', {
    driver: { env: [{ name: 'JAVA_TOOL_OPTIONS', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['a']" } } }] },
  }, 'spec.driver.env[JAVA_TOOL_OPTIONS] has options from another source'],
  ['a Secret', {
    driver: { envSecretKeyRefs: { SPARK_SUBMIT_OPTS: { name: 'a', key: 'b' } } },
  }, 'spec.driver.envSecretKeyRefs[SPARK_SUBMIT_OPTS] has options from another source'],
  ['a Secret by a property', {
    spec: { sparkConf: { 'spark.kubernetes.driver.secretKeyRef._JAVA_OPTIONS': 'a:b' } },
  }, 'spec.sparkConf[spark.kubernetes.driver.secretKeyRef._JAVA_OPTIONS] has options from another source'],
  ['a file', { driver: { javaOptions: '@/opt/options' } }, 'spec.driver.javaOptions names a file with options'],
  ['a variable whose value is not known', env('JAVA_TOOL_OPTIONS', '-Da=$(A)', {
    name: 'A', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } },
  }), 'spec.driver.env[JAVA_TOOL_OPTIONS] refers to the variable A, whose value is known only in the driver'],
  [
    'a variable that refers to others', env('JAVA_TOOL_OPTIONS', '$(A)', { name: 'B', value: 'b' }, { name: 'A', value: '$(B)' }),
    'spec.driver.env[JAVA_TOOL_OPTIONS] refers to the variable A, whose value is known only in the driver',
  ],
  [
    'a variable of two values', env('JAVA_TOOL_OPTIONS', '$(A)', { name: 'A', value: 'a' }, { name: 'A', value: 'b' }),
    'spec.driver.env[JAVA_TOOL_OPTIONS] refers to the variable A, whose value is known only in the driver',
  ],
])('unreadable options are reported: %s', (_, changes, reported) => {
  expect(driverOptions(application(changes).spec).unreadable.map(({ field, reason }) => `${field} ${reason}`)).toEqual([reported]);
});

test('values from the kubelet are not options', () => {
  const spec = application(env('JAVA_TOOL_OPTIONS', '-Dhost=$(IP)', {
    name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } },
  })).spec;
  expect(driverOptions(spec)).toEqual({ properties: [], unreadable: [] });
});

test.each<[string, Changes]>([
  ['one long text', { driver: { javaOptions: ' -Dspark.a'.repeat(150_000) } }],
  ['references that grow', {
    driver: {
      env: [{
        name: 'A', value: 'a'.repeat(100_000),
      }, ...Array.from({ length: 5_000 }, () => ({ name: 'JAVA_TOOL_OPTIONS', value: '$(A)'.repeat(20) }))],
    },
  }],
  ['references without an end', { driver: { env: [{ name: 'JAVA_TOOL_OPTIONS', value: '$('.repeat(500_000) }] } }],
  ['40,000 variables of one name', {
    driver: { env: Array.from({ length: 40_000 }, () => ({ name: 'JAVA_TOOL_OPTIONS', value: '$(JAVA_TOOL_OPTIONS)' })) },
  }],
])('long texts take little time: %s', (_, changes) => {
  const { spec } = application(changes);
  const time = cpuTime();
  driverOptions(spec);
  expect(time()).toBeLessThan(1_000);
});

test('too many options are rejected with the first field that was not read', () => {
  expect(() => refuseDeniedOptions(application({ driver: { javaOptions: '-Da=b '.repeat(50_000) } }).spec, 'jobs')).toThrow(
    'spec.driver.javaOptions has more options than the 262144 characters that are read; write fewer options',
  );
});
