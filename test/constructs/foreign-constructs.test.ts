import { Chart, Size, Testing } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import {
  EventLogStorage, ScheduledSparkApplication, Schedule, SparkApplication, SparkApplicationType, SparkConnect, SparkHistoryServer, SparkJobNamespace,
  SparkOperator, SparkProfile,
} from '../../src';

const PYTHON = { type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///a.py' };
const EVENT_LOGS = EventLogStorage.newClaim({ size: Size.gibibytes(10) });

/** Objects of cdk8s-plus, in the place of names. */
function neighbours(chart: Chart): any {
  const secret = new kplus.Secret(chart, 'secret');
  return {
    account: new kplus.ServiceAccount(chart, 'account'), secret, config: new kplus.ConfigMap(chart, 'config'),
    volume: kplus.Volume.fromSecret(chart, 'volume', secret, { name: 'data' }),
  };
}

const app = (chart: Chart, props: object = {}) => new SparkApplication(chart, 'app', { ...PYTHON, ...props });
const NAME = 'pass its name, such as account.name';
const VOLUME = "is the construct test/volume (Volume); write the volume as in a manifest, such as { name: 'data', secret: { secretName: secret.name } }";

test.each<[string, (chart: Chart, objects: any) => unknown, string]>([
  ['a service account in props', (chart, { account }) => app(chart, { driver: { serviceAccount: account } }),
    `SparkApplication at test/app: driver.serviceAccount is the construct test/account (ServiceAccount); ${NAME}`],
  ['a Secret in a list', (chart, { secret }) => app(chart, { pods: { secrets: [{ name: secret, path: '/keys' }] } }), 'pods.secrets[0].name is the construct test/secret (Secret)'],
  ['a volume in props', (chart, { volume }) => app(chart, { volumes: [volume] }), `volumes[0] ${VOLUME}`],
  ['runAs', (chart, { account }) => app(chart).runAs(account), `app: runAs: serviceAccountName is the construct test/account (ServiceAccount); ${NAME}`],
  ['mountSecret', (chart, { secret }) => app(chart).mountSecret(secret, '/keys'), 'mountSecret: secretName is the construct test/secret'],
  ['mountConfigMap', (chart, { config }) => app(chart).mountConfigMap(config, '/conf'), 'mountConfigMap: configMapName is the construct test/config'],
  ['addSecretEnv', (chart, { secret }) => app(chart).addSecretEnv('A', secret, 'a'), 'addSecretEnv: secretName is the construct'],
  ['addVolume, which also TypeScript accepts', (chart, { volume }) => app(chart).addVolume(volume as kplus.Volume, '/data'), `addVolume: volume ${VOLUME}`],
  ['a schedule', (chart, { account }) => new ScheduledSparkApplication(chart, 'schedule', {
    schedule: Schedule.cron('0 3 * * *'), template: { ...PYTHON, driver: { serviceAccount: account } },
  }), 'template.driver.serviceAccount is the construct'],
  ['a Spark Connect server', (chart, { account }) => new SparkConnect(chart, 'connect', { sparkVersion: '4.1.1', server: { serviceAccount: account } }),
    'server.serviceAccount is the construct'],
  ['an operator', (chart, { account, secret }) => new SparkOperator(chart, 'operator', { serviceAccountName: account, imagePullSecrets: [secret] }),
    'SparkOperator at test/operator: serviceAccountName is the construct test/account (ServiceAccount); pass its name, such as account.name; imagePullSecrets[0] is'],
  ['a history server', (chart, { secret }) => new SparkHistoryServer(chart, 'history', {
    sparkVersion: '4.1.1', eventLogs: EVENT_LOGS, secretEnv: { A: { name: secret, key: 'a' } },
  }), 'secretEnv.A.name is the construct'],
  ['a namespace', (chart) => new SparkJobNamespace(chart, 'jobs', { name: new kplus.Namespace(chart, 'namespace') as any }), 'name is the construct test/namespace (Namespace)'],
  ['a profile', (_, { account }) => SparkProfile.of({ driver: { serviceAccount: account } }), 'SparkProfile.of: driver.serviceAccount is the construct'],
])('objects of cdk8s-plus are rejected by the name of the prop: %s', (_, create, message) => {
  const chart = Testing.chart();
  const objects = neighbours(chart);
  expect(() => create(chart, objects)).toThrow(message);
});

test('their names, and the constructs that props take, are accepted', () => {
  const chart = Testing.chart();
  const { account, secret } = neighbours(chart);
  const operator = new SparkOperator(chart, 'operator', { jobNamespaces: [], installCrds: false });
  const jobNamespace = new SparkJobNamespace(chart, 'ads', { name: 'ads', operator });
  const spark = app(chart, { jobNamespace });
  spark.runAs(account.name);
  spark.mountSecret(secret.name, '/keys');
  expect(Testing.synth(chart).find(({ kind }) => kind === 'SparkApplication').spec.driver).toMatchObject({
    serviceAccount: account.name, secrets: [{ name: secret.name, path: '/keys' }],
  });
});
