/* Each fault is found once, at its field; specifications without faults have none. */
import { SecretType, PortProtocol } from '../../src/api/spark-pod';
import { isError } from '../../src/model/problem';
import { planApplication } from '../../src/plan/plan-application';
import { SYNTH_SETTINGS } from '../../src/plan/synth-settings';
import { applicationFixtures } from '../helpers/application-fixtures';
import { application, type Changes } from './application';

const secret = (name: string, path: string) => ({ name, path, secretType: SecretType.GENERIC });
const port = (name: string, containerPort: number) => ({ name, containerPort, protocol: PortProtocol.TCP });
const sidecar = (more: object = {}) => ({ name: 'proxy', image: 'proxy:1', ...more });
const volumes = [{ name: 'data', emptyDir: {} }, { name: 'other', emptyDir: {} }];
const template = { spec: { containers: [], volumes: [{ name: 'own', emptyDir: {} }] } };
const JMX = { exposeDriverMetrics: true, exposeExecutorMetrics: false, prometheus: { jmxExporterJar: '/jmx.jar' } };

const problemsOf = (changes: Changes) => planApplication(application(changes), SYNTH_SETTINGS).problems;
const found = (changes: Changes) => problemsOf(changes).map(({ path }) => path);

test.each<[string, Changes]>([
  ['spec.driver.labels[team]', { driver: { labels: { team: 'a b' } } }],
  ['spec.executor.annotations[my note]', { executor: { annotations: { 'my note': '' } } }],
  ['spec.driver.serviceLabels[team]', { driver: { serviceLabels: { team: '-' } } }],
  ['spec.driver.serviceAnnotations[/a]', { driver: { serviceAnnotations: { '/a': '' } } }],
  ['spec.executor.template.metadata.labels[team]', { executor: { template: { metadata: { labels: { team: 'a b' } } } as any } }],
  ['spec.driver.template.spec.containers', { driver: { template: { spec: { containers: { name: 'a' } } } as any } }],
  ['spec.driver.template.spec.containers[0]', { driver: { template: { spec: { containers: ['a'] } } as any } }],
  ['spec.driver.template.metadata.labels', { driver: { template: { metadata: { labels: ['a'] } } as any } }],
  ['spec.driver.template.spec.containers[1].args', {
    driver: { template: { spec: { containers: [{ name: 'a' }, { name: 'b', args: '-c x' }] } } as any },
  }],
  ['spec.executor.template.metadata.namespace', { executor: { template: { metadata: { namespace: 'elsewhere' } } as any } }],
  ['spec.driver.envVars[A=B]', { driver: { envVars: { 'A=B': '' } } }],
  ['spec.driver.envSecretKeyRefs[A]', { driver: { envSecretKeyRefs: { A: { name: 's', key: 'a/b' } } } }],
  ['spec.driver.coreLimit', { driver: { coreRequest: '2', coreLimit: '1500m' } }],
  ['spec.executor.coreLimit', { executor: { cores: 2, coreLimit: '1' } }],
  ['spec.driver.secrets[0]', { driver: { secrets: [secret('a.b', '/a')] } }],
  ['spec.sparkConf[spark.kubernetes.executor.secrets.a.b]', { spec: { sparkConf: { 'spark.kubernetes.executor.secrets.a.b': '/a' } } }],
  ['spec.sparkConf[spark.kubernetes.driver.secrets.b]', { spec: { sparkConf: { 'spark.kubernetes.driver.secrets.b': '/a' } }, driver: { secrets: [secret('a', '/a')] } }],
  ['spec.driver.secrets[1]', { driver: { secrets: [secret('a', '/a'), secret('b', '/a')] } }],
  ['spec.driver.configMaps[0]', { driver: { secrets: [secret('a', '/a')], configMaps: [{ name: 'b', path: '/a' }] } }],
  ['spec.driver.volumeMounts[1]', { spec: { volumes }, driver: { volumeMounts: [{ name: 'data', mountPath: '/d' }, { name: 'other', mountPath: '/d' }] } }],
  ['spec.executor.volumeMounts[0]', { executor: { template, volumeMounts: [{ name: 'nowhere', mountPath: '/d' }] } }],
  ['spec.executor.volumeMounts[0]', { executor: { template, volumeMounts: [{ name: 'spark-local-dir-1', mountPath: '/d' }] } }],
  ['spec.executor.sidecars[0].volumeMounts[0]', {
    spec: { sparkConf: { 'spark.kubernetes.driver.volumes.emptyDir.scratch.mount.path': '/d' } }, executor: { sidecars: [sidecar({ volumeMounts: [{ name: 'scratch', mountPath: '/d' }] })] },
  }],
  ['spec.executor.sidecars[0].volumeMounts[0]', { executor: { sidecars: [sidecar({ volumeMounts: [{ name: 'nowhere', mountPath: '/d' }] })] } }],
  ['spec.driver.sidecars[0].name', { driver: { sidecars: [sidecar({ name: 'spark-kubernetes-driver' })] } }],
  ['spec.driver.sidecars[0]', { driver: { initContainers: [sidecar()], sidecars: [sidecar()] } }],
  ['spec.driver.sidecars[0].resources.limits[cpu]', { driver: { sidecars: [sidecar({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } })] } }],
  ['spec.driver.ports[1]', { driver: { ports: [port('api', 7777), port('api', 8888)] } }],
  ['spec.monitoring.prometheus.port', { spec: { monitoring: JMX }, driver: { ports: [port('api', 8090)] } }],
  ['spec.driver.memoryLimit', { driver: { memory: '4g', memoryLimit: '4g' } }],
  ['spec.driver.memoryLimit', { driver: { memoryLimit: '512m' } }],
  ['spec.driver.memoryLimit', { spec: { memoryOverheadFactor: '0.5' }, driver: { memory: '4g', memoryLimit: '5g' } }],
  ['spec.driver.coreLimit', { driver: { coreLimit: '500m' } }],
  ['spec.executor.coreLimit', { spec: { sparkConf: { 'spark.kubernetes.executor.request.cores': '2' } }, executor: { coreLimit: '1' } }],
  ['spec.driver.coreRequest', { driver: { coreRequest: '-1' } }],
  ['spec.driver.ports[0]', { driver: { ports: [port('driver-rpc-port', 9000)] } }],
  ['spec.executor.ports[0]', { executor: { ports: [port('blockmanager', 9000)] } }],
  ['spec.driver.ports[0]', { spec: { sparkConf: { 'spark.ui.port': '4444' } }, driver: { ports: [port('spark-ui', 4040)] } }],
  ['spec.sparkConf[spark.kubernetes.driver.volumes.persistentVolumeClaim.spark-local-dir-1.mount.path]', {
    spec: {
      volumes: [{ name: 'spark-local-dir-2', emptyDir: {} }],
      sparkConf: {
        'spark.kubernetes.driver.volumes.persistentVolumeClaim.spark-local-dir-1.mount.path': '/d',
        'spark.kubernetes.driver.volumes.persistentVolumeClaim.spark-local-dir-1.options.claimName': 'OnDemand',
      },
    },
    driver: { volumeMounts: [{ name: 'spark-local-dir-2', mountPath: '/d' }] },
  }],
  ['spec.driver.memoryLimit', { driver: { memory: '2g', memoryOverhead: '512m', memoryLimit: '2Gi' } }],
  ['spec.sparkConf[spark.driver.bindAddress]', { spec: { sparkConf: { 'spark.driver.bindAddress': '0.0.0.0' } } }],
  ['spec.sparkConf[spark.remote]', { spec: { sparkConf: { 'spark.remote': 'sc://elsewhere' } } }],
  ['spec.driver.javaOptions', { driver: { javaOptions: '-Da="b c" "-Xmx4g"' } }],
  ['spec.executor.javaOptions', { executor: { javaOptions: '-Xmx4g' } }],
  ['spec.executor.javaOptions', { executor: { javaOptions: '-Dspark.x=1' } }],
  ['spec.sparkConf[spark.driver.defaultJavaOptions]', { spec: { sparkConf: { 'spark.driver.defaultJavaOptions': '-Xmx4g' } }, driver: { javaOptions: '-Da=b' } }],
  ['spec.sparkConf[spark.executor.extraJavaOptions]', { spec: { sparkConf: { 'spark.executor.extraJavaOptions': '-Da=b -Xmx4g' } } }],
  ['spec.proxyUser', { spec: { proxyUser: 'alice', sparkConf: { 'spark.kerberos.principal': 'bob' } } }],
])('%s of %j', (path, changes) => {
  expect(found(changes)).toEqual([path]);
});

test.each<[string, Changes]>([
  ['ids in labels', { driver: { labels: { app: 'id-{{APP_ID}}' } } }],
  ['the namespace of the application', { executor: { template: { metadata: { namespace: 'jobs' } } as any } }],
  ['variables with dots and dashes', { driver: { envVars: { 'a.b-c': '' } } }],
  ['a limit that is the request', { driver: { cores: 1, coreLimit: '1' }, executor: { coreRequest: '500m', coreLimit: '0.5' } }],
  ['a limit for less than one core', { driver: { coreLimit: '1' } }],
  ['one mount twice', { spec: { volumes }, driver: { volumeMounts: [{ name: 'data', mountPath: '/d' }, { name: 'data', mountPath: '/d' }] } }],
  ['one volume at two paths', { spec: { volumes }, driver: { volumeMounts: [{ name: 'data', mountPath: '/d' }, { name: 'data', mountPath: '/e', subPath: 'e' }] } }],
  ['a volume of the template', { executor: { template, volumeMounts: [{ name: 'own', mountPath: '/d' }], sidecars: [sidecar({ volumeMounts: [{ name: 'own', mountPath: '/d' }] })] } }],
  ['a sidecar that mounts what Spark mounts', { driver: { secrets: [secret('a', '/a')], sidecars: [sidecar({ volumeMounts: [{ name: 'a-volume', mountPath: '/a' }] })] } }],
  ['a sidecar that mounts a volume of properties', {
    spec: { sparkConf: { 'spark.kubernetes.driver.volumes.emptyDir.scratch.mount.path': '/d' } }, driver: { sidecars: [sidecar({ volumeMounts: [{ name: 'scratch', mountPath: '/d' }] })] },
  }],
  ['a second mount of a volume of properties', {
    spec: { sparkConf: { 'spark.kubernetes.executor.volumes.emptyDir.scratch.mount.path': '/d' } }, executor: { template, volumeMounts: [{ name: 'scratch', mountPath: '/e' }] },
  }],
  ['a Secret of properties that the field mounts at the same path', { spec: { sparkConf: { 'spark.kubernetes.driver.secrets.a': '/a' } }, driver: { secrets: [secret('a', '/a')] } }],
  ['a Secret of properties', { spec: { sparkConf: { [`spark.kubernetes.driver.secrets.${'a'.repeat(56)}`]: '/a' } } }],
  ['a ConfigMap with dots in its name', { driver: { configMaps: [{ name: 'a.b', path: '/a' }] } }],
  ['a port twice', { driver: { ports: [port('api', 7777), port('api', 7777)] } }],
  ['the port of the JMX exporter by its name', { spec: { monitoring: JMX }, driver: { ports: [port('jmx-exporter', 8090)] }, executor: { ports: [port('api', 8090)] } }],
  ['a limit that is heap and the overhead by default', { driver: { memory: '4g', memoryLimit: '4505m' } }],
  ['a limit with an overhead in sparkConf', { spec: { sparkConf: { 'spark.driver.memoryOverhead': '1m' } }, driver: { memory: '4g', memoryLimit: '4200m' } }],
  ['a limit with another factor in sparkConf', { spec: { sparkConf: { 'spark.driver.memoryOverheadFactor': '0.2' } }, driver: { memory: '2g', memoryLimit: '4g' } }],
  ['a limit with a request in sparkConf', { spec: { sparkConf: { 'spark.kubernetes.driver.request.cores': '500m' } }, driver: { coreLimit: '500m' } }],
  ['a port of Spark by its name', { driver: { ports: [port('driver-rpc-port', 7078)] } }],
  ['a property of Spark among the options of a driver', { driver: { javaOptions: '-Dspark.x=1 -XX:OnOutOfMemoryError="echo -Xmx"' } }],
  ['options of a JVM in a property that a field overrides', { spec: { sparkConf: { 'spark.executor.extraJavaOptions': '-Xmx4g' } }, executor: { javaOptions: '-Xss4m' } }],
  ['a limit above heap and overhead', { driver: { memory: '2g', memoryOverhead: '512m', memoryLimit: '3g' } }],
])('%s is fine', (_, changes) => {
  expect(problemsOf(changes).filter(isError)).toEqual([]);
});

test('a Secret in a property that a field mounts elsewhere: the property has no effect', () => {
  const changes = { spec: { sparkConf: { 'spark.kubernetes.driver.secrets.a': '/here', 'spark.kubernetes.executor.secrets.a': '/here' } }, driver: { secrets: [secret('a', '/there')] } };
  expect(problemsOf(changes)).toEqual([{ path: 'spec.sparkConf[spark.kubernetes.driver.secrets.a]', reason: 'is overridden by spec.driver.secrets[0]', severity: 'warning' }]);
});

test('labels and annotations of Services', () => {
  const spec = { sparkUIOptions: { serviceLabels: { a: '-' } }, driverIngressOptions: [{ servicePort: 80, servicePortName: 'a', serviceAnnotations: { 'a b': '' } }] };
  expect(found({ spec })).toEqual(['spec.sparkUIOptions.serviceLabels[a]', 'spec.driverIngressOptions[0].serviceAnnotations[a b]']);
});

test('invalid names of entries of Secrets and ConfigMaps', () => {
  const env = [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'a/b' } } }, { name: 'B', valueFrom: { configMapKeyRef: { name: 'My_Map', key: 'k' } } }];
  expect(found({ driver: { env } })).toEqual(['spec.driver.env[0].valueFrom.secretKeyRef.key', 'spec.driver.env[1].valueFrom.configMapKeyRef.name']);
});

test('names of volumes and of variables that only the API server checks', () => {
  expect(found({ spec: { volumes: [{ name: 'My_Data' }] }, driver: { env: [{ name: 'A=B' }] } })).toEqual(['spec.volumes[0].name', 'spec.driver.env[0].name']);
});

test('a label of the operator with an invalid value: its own properties stay for the rest of the plan', () => {
  const { metadata, spec } = application({ spec: { sparkConf: { 'spark.kubernetes.driver.volumes.emptyDir.v.mount.subPath': 'a' } } });
  const plan = (annotations?: Record<string, string>) => planApplication({ metadata: { ...metadata, name: '${env:HOME}', annotations }, spec }, SYNTH_SETTINGS);
  for (const mode of ['native', 'spark-submit']) {
    expect(plan({ 'sparkoperator.k8s.io/submission-mode': mode }).problems.map(({ path }) => path)).toContain('metadata.name');
  }
});

test.each(applicationFixtures())('$file has no faults', ({ manifest: { metadata, spec } }) => {
  expect(planApplication({ metadata: { ...metadata, namespace: 'jobs', uid: 'u' }, spec }, SYNTH_SETTINGS).problems.filter(isError)).toEqual([]);
});
