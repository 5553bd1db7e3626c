import { application, planOf } from './application';
import type { Changes } from './application';
import { propertiesOf } from './captured';
import { SparkApplicationType } from '../../src/api/spark-application';

const plan = (changes: Changes) => planOf(application(changes));
const driverOf = (changes: Changes) => plan(changes).driver.spec.containers[0]!;
const APP_ID = 'spark-0c5a9c4e6d0c4f0e9d540a4f1f6f4f11';

describe('labels and annotations', () => {
  const annotated: Changes = { driver: { annotations: { note: 'v-{{APP_ID}}-{{EXECUTOR_ID}}' } } };

  test.each(['3.5.8', '4.0.2'])('known failure 25: Spark %s puts ids into annotations', (sparkVersion) => {
    expect(plan({ ...annotated, spec: { sparkVersion } }).driver.metadata.annotations).toMatchObject({ note: `v-${APP_ID}-` });
  });

  test('known failure 25: Spark 4.0 puts ids into labels, too', () => {
    const { driver, service } = plan({ spec: { sparkVersion: '4.0.2' }, driver: { labels: { app: '{{APP_ID}}' } } });

    expect(driver.metadata.labels!.app).toBe(APP_ID);
    expect(service.spec.selector.app).toBe(APP_ID);
  });

  test('the Service selects by all labels of the driver', () => {
    const { driver, service } = plan({ driver: { labels: { team: 'a' } } });

    expect(service.spec.selector).toEqual(driver.metadata.labels);
    expect(service.spec.selector).toMatchObject({ 'team': 'a', 'spark-role': 'driver', 'spark-version': '4.1.1', 'spark-app-name': 'pi' });
  });

  test('the Service has its own labels and annotations', () => {
    const { service } = plan({
      spec: { sparkConf: { 'spark.kubernetes.driver.service.label.l': '1', 'spark.kubernetes.driver.service.annotation.a': '2' } },
    });

    expect(service.metadata.labels).toMatchObject({ 'l': '1', 'spark-app-selector': APP_ID });
    expect(service.metadata.annotations).toEqual({ a: '2' });
  });
});

describe('the driver\'s container', () => {
  test('variables keep Spark\'s order, and empty ones stay', () => {
    const env = driverOf({ driver: { envVars: { B: 'b', A: '' } } }).env!;

    expect(env.map(variable => variable.name)).toEqual([
      'SPARK_USER', 'SPARK_APPLICATION_ID', 'A', 'B', 'SPARK_DRIVER_BIND_ADDRESS', 'SPARK_LOCAL_DIRS', 'SPARK_CONF_DIR',
    ]);
    expect(env[0]).toEqual({ name: 'SPARK_USER', value: 'spark' });
    expect(env[2]).toEqual({ name: 'A', value: '' });
  });

  test.each<[string, Changes, object]>([
    ['defaults', {}, { requests: { cpu: '1', memory: '1408Mi' }, limits: { memory: '1408Mi' } }],
    ['cores', { driver: { cores: 2 } }, { requests: { cpu: '2', memory: '1408Mi' }, limits: { memory: '1408Mi' } }],
    ['request and limit', { driver: { cores: 2, coreRequest: '500m', coreLimit: '3' } }, {
      requests: { cpu: '500m', memory: '1408Mi' }, limits: { cpu: '3', memory: '1408Mi' },
    }],
    ['no CPU request', { driver: { coreRequest: '0' } }, { requests: { cpu: '0', memory: '1408Mi' }, limits: { memory: '1408Mi' } }],
    ['heap', { driver: { memory: '2g' } }, { requests: { cpu: '1', memory: '2432Mi' }, limits: { memory: '2432Mi' } }],
    ['a large heap', { driver: { memory: '10g' } }, { requests: { cpu: '1', memory: '11264Mi' }, limits: { memory: '11264Mi' } }],
    ['overhead', { driver: { memoryOverhead: '100' } }, { requests: { cpu: '1', memory: '1124Mi' }, limits: { memory: '1124Mi' } }],
    ['factor', { driver: { memory: '10g' }, spec: { memoryOverheadFactor: '0.25' } }, {
      requests: { cpu: '1', memory: '12800Mi' }, limits: { memory: '12800Mi' },
    }],
    ['the driver\'s own factor', {
      driver: { memory: '10g' }, spec: { memoryOverheadFactor: '0.25', sparkConf: { 'spark.driver.memoryOverheadFactor': '0.5' } },
    }, { requests: { cpu: '1', memory: '15360Mi' }, limits: { memory: '15360Mi' } }],
    ['least overhead', { spec: { sparkConf: { 'spark.driver.minMemoryOverhead': '1g' } } }, {
      requests: { cpu: '1', memory: '2048Mi' }, limits: { memory: '2048Mi' },
    }],
    ['least overhead before 4.0', { spec: { sparkVersion: '3.5.8', sparkConf: { 'spark.driver.minMemoryOverhead': '1g' } } }, {
      requests: { cpu: '1', memory: '1408Mi' }, limits: { memory: '1408Mi' },
    }],
  ])('resources: %s', (_, changes, resources) => {
    expect(driverOf(changes).resources).toEqual(resources);
  });

  test('the default factor, not the driver\'s own, applies to the executors', () => {
    const { configMap } = plan({ spec: { memoryOverheadFactor: '1', sparkConf: { 'spark.driver.memoryOverheadFactor': '0.5' } } });

    expect(propertiesOf(configMap)['spark.kubernetes.memoryOverheadFactor']).toBe('1.0');
  });

  test.each<[string, Changes, string[]]>([
    ['a jar', { spec: { arguments: ['a', 'b c', '--x=1'] } }, [
      'org.apache.spark.examples.SparkPi', 'local:///opt/spark/examples/jars/spark-examples.jar', 'a', 'b c', '--x=1',
    ]],
    ['Python', { spec: { type: SparkApplicationType.PYTHON, mainClass: undefined, mainApplicationFile: 's3a://b/a.py' } }, [
      'org.apache.spark.deploy.PythonRunner', 's3a://b/a.py',
    ]],
    ['R', { spec: { type: SparkApplicationType.R, mainClass: undefined, mainApplicationFile: 'local:///a.R' } }, [
      'org.apache.spark.deploy.RRunner', 'local:///a.R',
    ]],
    ['a class of Spark\'s own', { spec: { mainApplicationFile: 'spark-internal' } }, ['org.apache.spark.examples.SparkPi', 'spark-internal']],
  ])('arguments for %s', (_, changes, expected) => {
    expect(driverOf(changes).args).toEqual(['driver', '--properties-file', '/opt/spark/conf/spark.properties', '--class', ...expected]);
  });

  test('ports are the user\'s', () => {
    const { driver, service, configMap } = plan({
      spec: { sparkConf: { 'spark.driver.port': '7001', 'spark.driver.blockManager.port': '7002', 'spark.ui.port': '4141', 'spark.connect.grpc.binding.port': '15' } },
    });

    expect(driver.spec.containers[0]!.ports!.map(port => [port.name, port.containerPort])).toEqual([
      ['driver-rpc-port', 7001], ['blockmanager', 7002], ['spark-ui', 4141], ['spark-connect', 15],
    ]);
    expect(service.spec.ports.map(port => port.targetPort)).toEqual([7001, 7002, 4141, 15]);
    expect(propertiesOf(configMap)).toMatchObject({ 'spark.driver.port': '7001', 'spark.driver.blockManager.port': '7002' });
  });

  test.each([['4.0.2', 'my/spark:{{SPARK_VERSION}}'], ['4.1.1', 'my/spark:4.1.1']])('Spark %s runs %s', (sparkVersion, image) => {
    expect(driverOf({ spec: { sparkVersion, image: 'my/spark:{{SPARK_VERSION}}' } }).image).toBe(image);
  });

  test('4.3 can allow what it forbids by default', () => {
    const allow = 'spark.kubernetes.securityContext.allowPrivilegeEscalation';

    expect(driverOf({ spec: { sparkVersion: '4.2.0' } }).securityContext).toBeUndefined();
    expect(driverOf({ spec: { sparkVersion: '4.3.0' } }).securityContext).toEqual({ allowPrivilegeEscalation: false });
    expect(driverOf({ spec: { sparkVersion: '4.3.0', sparkConf: { [allow]: 'true' } } }).securityContext).toEqual({ allowPrivilegeEscalation: true });
  });
});

describe('the driver\'s pod', () => {
  test('service account, pull secrets, node selector and scheduler', () => {
    const { driver } = plan({
      spec: {
        imagePullSecrets: ['a', 'b'],
        nodeSelector: { disk: 'ssd' },
        sparkConf: { 'spark.kubernetes.driver.node.selector.zone': 'z', 'spark.kubernetes.scheduler.name': 'mine' },
      },
      driver: { serviceAccount: 'spark' },
    });

    expect(driver.spec).toMatchObject({
      serviceAccount: 'spark',
      serviceAccountName: 'spark',
      imagePullSecrets: [{ name: 'a' }, { name: 'b' }],
      nodeSelector: { disk: 'ssd', zone: 'z' },
      schedulerName: 'mine',
    });
  });

  test('local directories, in memory', () => {
    const { driver } = plan({ spec: { sparkConf: { 'spark.local.dir': '/l1,/l2', 'spark.kubernetes.local.dirs.tmpfs': 'true' } } });

    const isLocal = ({ name }: { name: string }) => name.startsWith('spark-local-dir-');
    expect(driver.spec.volumes!.filter(isLocal)).toEqual([
      { name: 'spark-local-dir-1', emptyDir: { medium: 'Memory' } }, { name: 'spark-local-dir-2', emptyDir: { medium: 'Memory' } },
    ]);
    expect(driver.spec.containers[0]!.volumeMounts!.filter(isLocal)).toEqual([
      { name: 'spark-local-dir-1', mountPath: '/l1' }, { name: 'spark-local-dir-2', mountPath: '/l2' },
    ]);
    expect(driver.spec.containers[0]!.env).toContainEqual({ name: 'SPARK_LOCAL_DIRS', value: '/l1,/l2' });
  });
});

describe('the Service', () => {
  test('both IP families', () => {
    const { service } = plan({
      spec: {
        sparkConf: {
          'spark.kubernetes.driver.service.ipFamilyPolicy': 'PreferDualStack', 'spark.kubernetes.driver.service.ipFamilies': 'IPv4,IPv6',
        },
      },
    });

    expect(service.spec).toMatchObject({ clusterIP: 'None', ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4', 'IPv6'] });
  });

  test('4.3 can publish a driver that is not ready', () => {
    const publish = 'spark.kubernetes.driver.service.publishNotReadyAddresses';

    expect(plan({ spec: { sparkVersion: '4.3.0', sparkConf: { [publish]: 'true' } } }).service.spec.publishNotReadyAddresses).toBe(true);
    expect(plan({ spec: { sparkVersion: '4.1.1', sparkConf: { [publish]: 'true' } } }).service.spec.publishNotReadyAddresses).toBeUndefined();
  });
});

describe('the driver\'s properties', () => {
  const written = (changes: Changes) => propertiesOf(plan(changes).configMap);

  test('the jar joins the other jars', () => {
    expect(written({ spec: { deps: { jars: ['https://r/x.jar', 'local:///y.jar'] } } })['spark.jars'])
      .toBe('https://r/x.jar,local:///y.jar,local:///opt/spark/examples/jars/spark-examples.jar');
    expect(written({ spec: { mainApplicationFile: 'spark-internal' } })['spark.jars']).toBe('');
  });

  test('identity, host and time are ours, whatever sparkConf says', () => {
    const { service, configMap } = plan({
      spec: { sparkConf: { 'spark.app.id': 'mine', 'spark.driver.host': 'mine', 'spark.submit.deployMode': 'client' } },
    });

    expect(propertiesOf(configMap)).toMatchObject({
      'spark.app.id': APP_ID,
      'spark.driver.host': `${service.metadata.name}.jobs.svc`,
      'spark.submit.deployMode': 'cluster',
      'spark.app.submitTime': '1795230000000',
      'spark.kubernetes.submitInDriver': 'true',
    });
  });

  test('a submit time in sparkConf stays, as with spark-submit', () => {
    expect(written({ spec: { sparkConf: { 'spark.app.submitTime': '7' } } })['spark.app.submitTime']).toBe('7');
  });

  test('what does not start with spark. is dropped, as by spark-submit', () => {
    expect(written({ spec: { sparkConf: { 'fs.s3a.endpoint': 'x', 'sparkle': 'y' } } })).not.toHaveProperty(['fs.s3a.endpoint']);
  });

  test('the master is rendered as Java reads it', () => {
    expect(plan({}).configMap.data['spark.properties']).toContain('\nspark.master=k8s\\://https\\://kubernetes.default.svc\n');
  });
});
