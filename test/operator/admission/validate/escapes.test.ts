/*
 * Attempts of an application to escape: another identity, API server or namespace. Each is refused,
 * or has no effect.
 */
import { podMutator } from '../../../../src/operator/admission/mutate/pod';
import { planNative } from '../../../../src/plan/plan';
import { prepareSubmission } from '../../../../src/plan/prepare';
import { cluster } from '../../../plan/defaults/layers';
import { application, CONTEXT } from '../../../plan/application';
import { pi, plainPod } from '../mutate/pods';
import { creation, world } from '../mutate/world';
import { answerTo } from './questions';

const REFUSED: readonly string[] = [
  'spark.kubernetes.authenticate.driver.serviceAccountName', 'spark.kubernetes.authenticate.executor.serviceAccountName',
  ...[
    '', 'driver.', 'executor.',
  ].flatMap((role) => ['oauthToken', 'oauthTokenFile'].map((name) => `spark.kubernetes.authenticate.${role}${name}`)),
  'spark.master', 'spark.kubernetes.driver.master', 'spark.kubernetes.namespace', 'spark.kubernetes.context',
  'spark.kubernetes.authenticate.submission.oauthToken',
  'spark.kubernetes.authenticate.submission.caCertFile', 'spark.kubernetes.authenticate.driver.caCertFile',
  'spark.kubernetes.driver.podTemplateFile', 'spark.kubernetes.executor.podTemplateFile', 'spark.kerberos.keytab', 'spark.remote',
];

test.each(REFUSED)('%s is refused', async (key) => {
  expect(await answerTo('SparkApplication', { sparkConf: { [key]: 'x' } })).toMatchObject({
    allowed: false, message: expect.stringContaining(key),
  });
  expect(await answerTo('ScheduledSparkApplication', { template: { sparkConf: { [key]: 'x' } } })).toMatchObject({
    allowed: false, message: expect.stringContaining(key),
  });
});

test.each(['spark.kubernetes.driver.pod.featureSteps', 'spark.kubernetes.kerberos.krb5.path'])('%s only concerns spark-submit, which runs as a Pod of the tenant', async (key) => {
  expect(await answerTo('SparkApplication', { sparkConf: { [key]: 'x' } })).toMatchObject({ allowed: true });
});

test.each([...REFUSED.slice(0, 11)])('%s is refused for a SparkConnect', async (key) => {
  expect(await answerTo('SparkConnect', { sparkConf: { [key]: 'x' } })).toMatchObject({
    allowed: false, message: expect.stringContaining(key),
  });
});

/** Spark's keys have one spelling, so no part of Spark reads these. */
const OTHER_WORDS = [
  'spark.kubernetes.authenticate.driver.serviceaccountname', 'Spark.master', 'SPARK.MASTER', ' spark.master', 'spark.master ',
  'spark.master\t', 'spark.kubernetes.namespace ', 'spark.Kubernetes.namespace', 'spark.kubernetes.driver.master\u00a0',
  'spark.hadoop.spark.master', 'spark.hadoop.spark.kubernetes.authenticate.driver.serviceAccountName',
  'spark.kubernetes.authenticate.driver.serviceAccountName.x', 'spark.driverEnv.spark.master',
  'spark.executorEnv.KUBERNETES_SERVICE_HOST',
  'spark.kubernetes.driverEnv.SPARK_MASTER',
];

/** The settings of a driver that decide its identity and place. */
function identityOf(sparkConf: { [key: string]: string }) {
  const prepared = prepareSubmission(application({ spec: { sparkConf } }), CONTEXT);
  const { driver: { metadata: { namespace }, spec: { serviceAccountName, serviceAccount } }, resources } = planNative(prepared);
  const { properties } = prepared;
  return {
    pod: { namespace, serviceAccountName, serviceAccount },
    namespaces: [...new Set(resources.map(({ metadata }) => metadata.namespace))],
    properties: [
      'spark.master', 'spark.kubernetes.driver.master', 'spark.kubernetes.namespace',
      'spark.kubernetes.authenticate.driver.serviceAccountName',
    ].map((key) => properties.get(key)),
    arguments: prepared.application,
  };
}

test.each(OTHER_WORDS)('%j has no effect', async (key) => {
  const { allowed, message } = await answerTo('SparkApplication', { sparkConf: { [key]: 'x' } });
  if (!allowed) expect(message).toContain(key.trim());
  else expect(identityOf({ [key]: 'x' })).toEqual(identityOf({}));
});

test('no value of a property can add another property', async () => {
  const value = 'x\nspark.master=k8s://https://evil\nspark.kubernetes.authenticate.driver.serviceAccountName=admin';
  const prepared = prepareSubmission(
    application({ spec: { sparkConf: { 'spark.app.note': value, 'spark.x\nspark.master': 'local' } } }), CONTEXT,
  );
  const files = planNative(prepared).resources.flatMap((resource) => (resource.kind === 'ConfigMap' ? [
    resource.data['spark.properties'] ?? '',
  ] : []));
  const decisive = files.join('\n').split('\n').filter(
    (line) => /^spark\.(master|kubernetes\.authenticate\.driver\.serviceAccountName)[ :=]/.test(line),
  );
  expect(decisive).toEqual(['spark.master=k8s\\://https\\://kubernetes.default.svc']);
});

test.each([
  'spark.submit.deployMode', 'spark.kubernetes.submitInDriver', 'spark.kubernetes.resource.type', 'spark.app.id',
])('a warning reports that %s has no effect', async (key) => {
  const { allowed, message, warnings } = await answerTo('SparkApplication', { sparkConf: { [key]: 'client' } });
  expect(allowed ? warnings : [message]).toEqual(expect.arrayContaining([expect.stringContaining(key)]));
});

test('token properties name files in the pod: they select what the driver reads, and provide no token', async () => {
  const sparkConf = { 'spark.kubernetes.authenticate.driver.mounted.oauthTokenFile': '/var/run/secrets/mine' };
  expect((await answerTo('SparkApplication', { sparkConf })).allowed).toBe(true);
  expect(identityOf(sparkConf).pod).toEqual(identityOf({}).pod);
});

test.each([
  'serviceAccountName', 'serviceAccount',
])('a foreign %s in a template is refused where service accounts are limited, for each kind and role', async (field) => {
  const operator = { layers: { cluster: cluster({ limits: 'allowedServiceAccounts: [default, spark]' }) } };
  const admin = { template: { spec: { containers: [], [field]: 'admin' } } };
  const refused = (path: string) => ({
    allowed: false, message: expect.stringMatching(
      new RegExp(`^${path}\\.template\\.spec\\.serviceAccountName = "admin" .*write one of those service accounts`),
    ),
  });

  expect(await answerTo(
    'SparkApplication', { driver: { ...admin, serviceAccount: 'spark' }, executor: { serviceAccount: 'spark' } }, operator,
  )).toMatchObject({ allowed: true });
  expect(await answerTo(
    'SparkApplication', { driver: admin, executor: { serviceAccount: 'spark' } }, operator,
  )).toMatchObject(refused('spec.driver'));
  expect(await answerTo('SparkApplication', { executor: admin }, operator)).toMatchObject(refused('spec.executor'));
  expect(await answerTo(
    'ScheduledSparkApplication', { template: { executor: admin } }, operator,
  )).toMatchObject(refused('spec.template.executor'));
  expect(await answerTo(
    'SparkConnect', { server: admin, executor: { template: { spec: { containers: [], serviceAccountName: 'spark' } } } }, operator,
  )).toMatchObject(refused('spec.server'));
  expect(await answerTo('SparkConnect', { executor: admin }, operator)).toMatchObject(refused('spec.executor'));
});

test('a foreign namespace in a template is refused, for each kind and role', async () => {
  const foreign = { template: { metadata: { namespace: 'kube-system' }, spec: { containers: [] } } };
  expect(await answerTo('SparkApplication', { driver: foreign })).toMatchObject({ allowed: false });
  expect(await answerTo('SparkApplication', { executor: foreign })).toMatchObject({ allowed: false });
  expect(await answerTo('ScheduledSparkApplication', { template: { driver: foreign } })).toMatchObject({ allowed: false });
  expect(await answerTo('SparkConnect', { server: foreign })).toMatchObject({ allowed: false });
  expect(await answerTo('SparkConnect', { executor: foreign })).toMatchObject({ allowed: false });
});

describe('any client of the webhook can ask about pods of any namespace', () => {
  const SECRET = { env: [{ name: 'DB_PASSWORD', value: 'hunter2' }], memoryLimit: '512m' };
  const victim = pi({ hadoopConfigMap: 'hadoop-of-team-a', driver: SECRET, executor: SECRET }, {
    status: { submissionID: '8a3a7c4e-0f1d-4d1e-9a53-2f6a7f0c5b11', submissionAttempts: 1, applicationState: { state: 'RUNNING' } },
  });
  const answer = async (stored: object | undefined, role: 'driver' | 'executor', labels: object) => {
    const { metadata } = plainPod(role);
    return podMutator(world(stored ? [stored] : []))(creation(plainPod(role, {
      metadata: { name: 'x', labels: { ...metadata.labels, ...labels } },
    })));
  };

  test.each<[string, object]>([
    ['without a submission', { 'sparkoperator.k8s.io/submission-id': undefined }],
    ['with a guess', { 'sparkoperator.k8s.io/submission-id': 'guess' }],
    ['with the uid, which is no secret', { 'sparkoperator.k8s.io/app-uid': 'app' }],
    ['as one of this operator', { 'sparkoperator.k8s.io/attempt': '1', 'sparkoperator.k8s.io/app-uid': 'app' }],
  ])('a forged pod %s learns nothing about the application, not even whether it exists', async (_, labels) => {
    for (const role of ['driver', 'executor'] as const) {
      const reported = await answer(victim, role, labels);
      expect(JSON.stringify(reported)).not.toMatch(/hunter2|DB_PASSWORD|hadoop-of|512|8a3a7c4e/);
      expect(reported).toMatchObject({ allowed: true });
      expect(reported).toEqual(await answer(undefined, role, labels));
      expect(reported).toEqual(await answer({ ...victim, status: undefined }, role, labels));
    }
  });
});
