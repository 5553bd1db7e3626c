/* The props that the history server's pod has in common with those of workloads. */
import { Chart, Duration, Testing } from 'cdk8s';
import { problemsOf, synthesized } from './synthesis';
import { EventLogStorage, SparkHistoryServer, type CommonPodProps, type SparkHistoryServerProps } from '../../src';

function serverWith(props: Partial<SparkHistoryServerProps>): SparkHistoryServer {
  const chart = new Chart(Testing.app(), 'test', { namespace: 'spark' });
  return new SparkHistoryServer(chart, 'history', { sparkVersion: '4.1.1', eventLogs: EventLogStorage.claim('logs'), ...props });
}

function podOf(props: Partial<SparkHistoryServerProps>): any {
  return synthesized(serverWith(props)).find(({ kind }: any) => kind === 'Deployment').spec.template;
}

test('the pod has the props of other pods, and stays restricted', () => {
  const tolerations = [{ key: 'platform', operator: 'Exists' }];
  const { metadata, spec } = podOf({
    nodeSelector: { pool: 'platform' }, tolerations, priorityClassName: 'platform', terminationGracePeriod: Duration.seconds(60),
    podAnnotations: { 'example.org/team': 'platform' }, javaOptions: '-XX:+UseG1GC',
    env: { TZ: 'UTC' }, extraEnv: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }], envFrom: [{ configMapRef: { name: 'proxy' } }],
    secrets: [{ name: 'truststore', path: '/etc/truststore' }], configMaps: [{ name: 'krb5', path: '/etc/krb5' }],
    volumes: [{ name: 'scratch', emptyDir: {} }], volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
    sidecars: [{ name: 'proxy', image: 'proxy:1' }], podSecurityContext: { supplementalGroups: [2000] }, securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'p' } },
  });
  expect(metadata.annotations).toMatchObject({ 'example.org/team': 'platform', 'checksum/properties': expect.any(String) });
  expect(spec).toMatchObject({ nodeSelector: { pool: 'platform' }, tolerations, priorityClassName: 'platform', terminationGracePeriodSeconds: 60 });
  expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 185, supplementalGroups: [2000] });
  const [server, proxy] = spec.containers;
  expect(server.securityContext).toEqual({
    allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] }, seccompProfile: { type: 'Localhost', localhostProfile: 'p' },
  });
  expect(server.env.map(({ name }: any) => name)).toEqual(['SPARK_DAEMON_MEMORY', 'SPARK_HISTORY_OPTS', 'TZ', 'NODE']);
  expect(server.envFrom).toEqual([{ configMapRef: { name: 'proxy' } }]);
  expect(server.volumeMounts.map(({ mountPath }: any) => mountPath)).toEqual(expect.arrayContaining(['/etc/truststore', '/etc/krb5', '/scratch', '/tmp']));
  expect(spec.volumes).toEqual(expect.arrayContaining([
    expect.objectContaining({ secret: { secretName: 'truststore' } }), expect.objectContaining({ configMap: { name: 'krb5' } }), { name: 'scratch', emptyDir: {} },
  ]));
  expect(proxy).toMatchObject({ name: 'proxy', image: 'proxy:1' });
});

test.each<[string, CommonPodProps & Pick<SparkHistoryServerProps, 'volumes'>, string]>([
  ['an invalid variable', { env: { 'A=B': '' } }, 'env[A=B].name is not the name of an environment variable'],
  ['a variable without a name', { secretEnv: { '': { name: 's', key: 'k' } } }, 'env[].name is not the name of an environment variable'],
  ['an invalid key of a Secret', { secretEnv: { A: { name: 's', key: 'k!' } } }, 'env[A].valueFrom.secretKeyRef.key is not the key of a Secret'],
  ['one variable twice', { env: { A: 'b' }, secretEnv: { A: { name: 's', key: 'k' } } }, 'env[A] is set twice, in env, secretEnv or extraEnv'],
  ['a mount without a volume', { volumeMounts: [{ name: 'data', mountPath: '/data' }] }, 'volumeMounts[0] = "data" names no volume; add it to volumes'],
  ['a mount in the place of the cache', {
    volumes: [{ name: 'data', emptyDir: {} }], volumeMounts: [{ name: 'data', mountPath: '/var/cache/spark-history-server' }],
  }, 'volumeMounts[0] = "/var/cache/spark-history-server" is where'],
  ['a sidecar with the name of the container', { sidecars: [{ name: 'history-server', image: 'proxy' }] }, 'sidecars[0]'],
  ['a wrong type', { tolerations: 'all' as any }, 'tolerations = "all" must be a list'],
])('%s is rejected', (_, props, message) => {
  expect(problemsOf(serverWith(props))).toEqual([expect.stringContaining(`[test/history] ${message}`)]);
});
