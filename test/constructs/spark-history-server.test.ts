import { Chart, Duration, Size, Testing } from 'cdk8s';
import { parse } from 'yaml';
import { problemsOf, synthesized as objectsOf } from './synthesis';
import {
  EventLogStorage, NetworkPeer, NetworkPort, PodSecurityLevel, SparkApplication, SparkApplicationType, SparkHistoryServer, SparkHistoryServerProps, SparkJobNamespace, VolumeAccess,
} from '../../src';
import { isAllowed } from '../helpers/network-policy';

const VOLUME = EventLogStorage.claim('logs');
const S3 = EventLogStorage.s3('spark-logs', { path: 'prod/events', endpoint: 'https://minio.example.org', pathStyleAccess: true, credentialsSecretName: 'minio' });

function serverWith(props: Partial<SparkHistoryServerProps> = {}): SparkHistoryServer {
  const chart = new Chart(Testing.app(), 'test', { namespace: 'spark' });
  return new SparkHistoryServer(chart, 'history', { sparkVersion: '4.1.1', eventLogs: VOLUME, ...props });
}

const synthesized = (props?: Partial<SparkHistoryServerProps>) => objectsOf(serverWith(props));

function find(objects: any[], kind: string) {
  const found = objects.filter((object) => object.kind === kind);
  expect(found).toHaveLength(1);
  return found[0];
}

const pod = (objects: any[]) => find(objects, 'Deployment').spec.template;
const properties = (objects: any[]): string[] => find(objects, 'ConfigMap').data['spark-defaults.conf'].split('\n').filter(Boolean);

function applicationConf(server: Partial<SparkHistoryServerProps>): { [key: string]: string } {
  const chart = new Chart(Testing.app(), 'test', { namespace: 'spark' });
  const application = new SparkApplication(chart, 'pi', { metadata: { name: 'pi' }, type: SparkApplicationType.PYTHON, sparkVersion: server.sparkVersion ?? '4.1.1', mainApplicationFile: 'local:///pi.py' });
  new SparkHistoryServer(chart, 'history', { sparkVersion: '4.1.1', eventLogs: VOLUME, ...server }).connect(application);
  return find(Testing.synth(chart), 'SparkApplication').spec.sparkConf;
}

test('the server, its Service and other objects are in the order of their dependencies', () => {
  expect(synthesized({ eventLogs: EventLogStorage.newClaim({ size: Size.gibibytes(50) }) }).map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual([
    'ServiceAccount spark/spark-history-server',
    'PersistentVolumeClaim spark/spark-history-server-event-logs',
    'ConfigMap spark/spark-history-server',
    'NetworkPolicy spark/spark-history-server',
    'Service spark/spark-history-server',
    'Deployment spark/spark-history-server',
  ]);
});

test('the pod meets the restricted Pod Security Standard, and can write only to its volumes', () => {
  const { spec } = pod(synthesized());
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 185, fsGroup: 185, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [{ securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } } }],
  });
  const writable = spec.containers[0].volumeMounts.filter(({ readOnly }: any) => !readOnly).map(({ mountPath }: any) => mountPath);
  expect(writable).toEqual(['/var/cache/spark-history-server', '/tmp', '/mnt/spark-event-logs']);
});

test('the platform assigns the user', () => {
  expect(pod(synthesized({ userIdFromPlatform: true })).spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
});

test('Java starts it directly with a file of properties, and no shell interprets user input', () => {
  const objects = synthesized({ memory: Size.gibibytes(4), sparkConf: { 'spark.history.ui.title': 'Teams: #1 \\ $(id)\nspark.x=y' } });
  const [container] = pod(objects).spec.containers;
  expect(container.image).toBe('apache/spark:4.1.1');
  expect(container.command).toBeUndefined();
  expect(container.args).toEqual(['/opt/spark/bin/spark-class', 'org.apache.spark.deploy.history.HistoryServer', '--properties-file', '/etc/spark-history-server/spark-defaults.conf']);
  expect(container.env).toEqual([{ name: 'SPARK_DAEMON_MEMORY', value: '2867m' }]);
  expect(properties(objects)).toContain('spark.history.ui.title=Teams\\: \\#1 \\\\ $(id)\\nspark.x\\=y');
});

test('event logs are kept unless retention is set', () => {
  expect(properties(synthesized())).toContain('spark.history.fs.cleaner.enabled=false');
  const retention = { maxAge: Duration.days(30), maxApplications: 5000 };
  expect(properties(synthesized({ retention, updateInterval: Duration.minutes(1), cache: Size.gibibytes(20) }))).toEqual(expect.arrayContaining([
    'spark.history.fs.cleaner.enabled=true',
    'spark.history.fs.cleaner.maxAge=2592000s',
    'spark.history.fs.cleaner.maxNum=5000',
    'spark.history.fs.update.interval=60s',
    'spark.history.store.maxDiskUsage=18432m',
  ]));
});

test('changed properties replace the pods', () => {
  const checksum = (props?: Partial<SparkHistoryServerProps>) => pod(synthesized(props)).metadata.annotations['checksum/properties'];
  expect(checksum({ retention: {} })).not.toBe(checksum());
  expect(checksum()).toBe(checksum());
});

describe('event logs on a volume', () => {
  test('the server mounts it, and properties make drivers mount it', () => {
    const objects = synthesized({ eventLogs: EventLogStorage.claim('logs', { subPath: 'spark' }) });
    expect(pod(objects).spec.volumes).toContainEqual({ name: 'event-logs', persistentVolumeClaim: { claimName: 'logs' } });
    expect(pod(objects).spec.containers[0].volumeMounts).toContainEqual({ name: 'event-logs', mountPath: '/mnt/spark-event-logs', subPath: 'spark' });
    expect(properties(objects)).toContain('spark.history.fs.logDirectory=file\\:/mnt/spark-event-logs');
    expect(applicationConf({ eventLogs: EventLogStorage.claim('logs', { subPath: 'spark' }) })).toEqual({
      'spark.eventLog.enabled': 'true',
      'spark.eventLog.dir': 'file:/mnt/spark-event-logs',
      'spark.kubernetes.driver.volumes.persistentVolumeClaim.spark-event-logs.mount.path': '/mnt/spark-event-logs',
      'spark.kubernetes.driver.volumes.persistentVolumeClaim.spark-event-logs.mount.subPath': 'spark',
      'spark.kubernetes.driver.volumes.persistentVolumeClaim.spark-event-logs.options.claimName': 'logs',
    });
  });

  test('the group of the server owns the volume, so that drivers can write; a group that the user sets is kept', () => {
    const group = (server: Partial<SparkHistoryServerProps>, podSecurityContext?: { fsGroup: number }) => {
      const chart = new Chart(Testing.app(), 'test', { namespace: 'spark' });
      const application = new SparkApplication(chart, 'pi', {
        metadata: { name: 'pi' }, type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: { podSecurityContext },
      });
      new SparkHistoryServer(chart, 'history', { sparkVersion: '4.1.1', eventLogs: VOLUME, ...server }).connect(application);
      return find(Testing.synth(chart), 'SparkApplication').spec.driver.podSecurityContext?.fsGroup;
    };
    expect(group({})).toBe(185);
    expect(group({ userId: 1000 })).toBe(1000);
    expect(group({}, { fsGroup: 7 })).toBe(7);
    expect(group({ userIdFromPlatform: true })).toBeUndefined();
    expect(group({ eventLogs: EventLogStorage.uri('hdfs://namenode:8020/events') })).toBeUndefined();
  });

  test('a claim is created on request, for pods on all nodes', () => {
    const claim = (access?: VolumeAccess) => find(synthesized({ eventLogs: EventLogStorage.newClaim({ size: Size.gibibytes(50), storageClassName: 'nfs', access }) }), 'PersistentVolumeClaim').spec;
    expect(claim()).toEqual({ accessModes: ['ReadWriteMany'], resources: { requests: { storage: '50Gi' } }, storageClassName: 'nfs' });
    expect(claim(VolumeAccess.READ_WRITE_ONCE).accessModes).toEqual(['ReadWriteOnce']);
  });

  test('the old pod releases a single-node volume before the new one starts', () => {
    const strategy = (eventLogs: EventLogStorage) => find(synthesized({ eventLogs }), 'Deployment').spec.strategy;
    const access = VolumeAccess.READ_WRITE_ONCE;
    for (const storage of [EventLogStorage.claim('logs', { access }), EventLogStorage.newClaim({ size: Size.gibibytes(1), access })]) expect(strategy(storage)).toEqual({ type: 'Recreate' });
    for (const storage of [VOLUME, EventLogStorage.newClaim({ size: Size.gibibytes(1) }), EventLogStorage.uri('hdfs://a/b')]) expect(strategy(storage)).toBeUndefined();
  });

  test('two servers in one namespace have separate claims', () => {
    const chart = new Chart(Testing.app(), 'test', { namespace: 'spark' });
    const conf = ['a', 'b'].map((name) => new SparkHistoryServer(chart, name, { name, sparkVersion: '4.1.1', eventLogs: EventLogStorage.newClaim({ size: Size.gibibytes(1) }) }).eventLogConf);
    expect(Testing.synth(chart).filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name)).toEqual(['a-event-logs', 'b-event-logs']);
    expect(conf.map((its) => its['spark.kubernetes.driver.volumes.persistentVolumeClaim.spark-event-logs.options.claimName'])).toEqual(['a-event-logs', 'b-event-logs']);
  });

  test('an application in another namespace than the claim is rejected', () => {
    const chart = new Chart(Testing.app(), 'test', { namespace: 'spark' });
    const history = new SparkHistoryServer(chart, 'history', { sparkVersion: '4.1.1', eventLogs: VOLUME });
    const application = new SparkApplication(chart, 'pi', { metadata: { namespace: 'other' }, type: SparkApplicationType.PYTHON, sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py' });
    history.connect(application);
    expect(problemsOf(history)).toEqual([
      '[test/history] eventLogs = "logs" is a claim in namespace spark, but test/pi is in namespace other; run it there, or store event logs in an object store',
    ]);
  });
});

describe('event logs in an object store', () => {
  test('of S3: settings of this bucket only, and no property contains credentials', () => {
    const image = 'registry.example.org/spark-s3:4.1.1';
    const objects = synthesized({ eventLogs: S3, image });
    const bucket = 'spark.hadoop.fs.s3a.bucket.spark-logs';
    const conf = applicationConf({ eventLogs: S3, image });
    expect(conf).toEqual({
      'spark.eventLog.enabled': 'true',
      'spark.eventLog.dir': 's3a://spark-logs/prod/events',
      [`${bucket}.endpoint`]: 'https://minio.example.org',
      [`${bucket}.path.style.access`]: 'true',
      [`${bucket}.aws.credentials.provider`]: 'org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider',
      [`${bucket}.access.key`]: '${env.SPARK_EVENT_LOG_ACCESS_KEY_ID}',
      [`${bucket}.secret.key`]: '${env.SPARK_EVENT_LOG_SECRET_ACCESS_KEY}',
      'spark.kubernetes.driver.secretKeyRef.SPARK_EVENT_LOG_ACCESS_KEY_ID': 'minio:access-key-id',
      'spark.kubernetes.driver.secretKeyRef.SPARK_EVENT_LOG_SECRET_ACCESS_KEY': 'minio:secret-access-key',
      // Executors also have the properties, and might read from the same bucket.
      'spark.kubernetes.executor.secretKeyRef.SPARK_EVENT_LOG_ACCESS_KEY_ID': 'minio:access-key-id',
      'spark.kubernetes.executor.secretKeyRef.SPARK_EVENT_LOG_SECRET_ACCESS_KEY': 'minio:secret-access-key',
    });
    expect(properties(objects)).toEqual(expect.arrayContaining(['spark.history.fs.logDirectory=s3a\\://spark-logs/prod/events', `${bucket}.secret.key=\${env.SPARK_EVENT_LOG_SECRET_ACCESS_KEY}`]));
    expect(pod(objects).spec.containers[0].env).toContainEqual({ name: 'SPARK_EVENT_LOG_SECRET_ACCESS_KEY', valueFrom: { secretKeyRef: { name: 'minio', key: 'secret-access-key' } } });
  });

  test('of Google: a key as a file, in the server and in drivers and executors', () => {
    const eventLogs = EventLogStorage.gcs('logs', { keySecretName: 'gcp' });
    expect(pod(synthesized({ eventLogs, image: 'x' })).spec.containers[0].volumeMounts).toContainEqual({ name: 'secret-1', mountPath: '/mnt/spark-event-logs-key', readOnly: true });
    expect(applicationConf({ eventLogs, image: 'x' })).toMatchObject({
      'spark.eventLog.dir': 'gs://logs/spark-events',
      'spark.hadoop.fs.gs.auth.service.account.json.keyfile': '/mnt/spark-event-logs-key/key.json',
      'spark.kubernetes.driver.secrets.gcp': '/mnt/spark-event-logs-key',
      'spark.kubernetes.executor.secrets.gcp': '/mnt/spark-event-logs-key',
    });
  });

  test('of Azure, and any that Hadoop supports', () => {
    expect(applicationConf({ eventLogs: EventLogStorage.azure('logs', 'account', { keySecretName: 'azure' }), image: 'x' })).toMatchObject({
      'spark.eventLog.dir': 'abfss://logs@account.dfs.core.windows.net/spark-events',
      'spark.hadoop.fs.azure.account.key.account.dfs.core.windows.net': '${env.SPARK_EVENT_LOG_ACCOUNT_KEY}',
      'spark.kubernetes.driver.secretKeyRef.SPARK_EVENT_LOG_ACCOUNT_KEY': 'azure:account-key',
      'spark.kubernetes.executor.secretKeyRef.SPARK_EVENT_LOG_ACCOUNT_KEY': 'azure:account-key',
    });
    expect(applicationConf({ eventLogs: EventLogStorage.uri('hdfs://namenode:8020/events', { 'dfs.client.use.datanode.hostname': 'true' }) })).toMatchObject({
      'spark.eventLog.dir': 'hdfs://namenode:8020/events', 'spark.hadoop.dfs.client.use.datanode.hostname': 'true',
    });
  });

  test.each<[string, EventLogStorage, string]>([
    ['an object store', EventLogStorage.azure('logs', 'account', { hadoopSecrets: { 'fs.azure.account.oauth2.client.secret': { name: 'azure', key: 'password' } } }), 'spark.hadoop.fs.azure.account.oauth2.client.secret'],
    ['any file system', EventLogStorage.uri('abfss://a@b/c', {}, { 'fs.azure.account.oauth2.client.secret': { name: 'azure', key: 'password' } }), 'spark.hadoop.fs.azure.account.oauth2.client.secret'],
  ])('a secret property of %s: its value is in a variable of all containers', (_, eventLogs, property) => {
    const variable = 'SPARK_EVENT_LOG_FS_AZURE_ACCOUNT_OAUTH2_CLIENT_SECRET';
    expect(applicationConf({ eventLogs, image: 'x' })).toMatchObject({
      [property]: `\${env.${variable}}`,
      [`spark.kubernetes.driver.secretKeyRef.${variable}`]: 'azure:password',
      [`spark.kubernetes.executor.secretKeyRef.${variable}`]: 'azure:password',
    });
    const objects = synthesized({ eventLogs, image: 'x' });
    expect(properties(objects)).toContain(`${property}=\${env.${variable}}`);
    expect(pod(objects).spec.containers[0].env).toContainEqual({ name: variable, valueFrom: { secretKeyRef: { name: 'azure', key: 'password' } } });
  });

  test.each<[string, Partial<SparkHistoryServerProps>, string | undefined]>([
    ['by AWS SDK 2', {}, 'software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider'],
    ['by a class that is named for all buckets', { eventLogs: EventLogStorage.s3('logs', { hadoopConf: { 'fs.s3a.aws.credentials.provider': 'org.example.Own' } }) }, undefined],
    ['by keys of all buckets', { eventLogs: EventLogStorage.s3('logs', { hadoopSecrets: { 'fs.s3a.access.key': { name: 's', key: 'a' }, 'fs.s3a.secret.key': { name: 's', key: 's' } } }) }, undefined],
    ['by keys of the bucket', { eventLogs: EventLogStorage.s3('logs', { hadoopSecrets: { 'fs.s3a.bucket.logs.access.key': { name: 's', key: 'a' } } }) }, undefined],
    ['by AWS SDK 2, whatever is said of other buckets', { eventLogs: EventLogStorage.s3('logs', { hadoopConf: { 'fs.s3a.bucket.data.aws.credentials.provider': 'org.example.Own' } }) }, 'software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider'],
    ['by a class that is named', { eventLogs: EventLogStorage.s3('logs', { credentialsProvider: 'org.example.Own' }) }, 'org.example.Own'],
    ['with Spark 3, whose classes are others', { sparkVersion: '3.5.8' }, undefined],
    ['not at all, without a role', { serviceAccountAnnotations: {} }, undefined],
  ])('the role of a service account is used %s', (_, props, provider) => {
    const server = { eventLogs: EventLogStorage.s3('logs'), image: 'x', serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/history' }, ...props };
    expect(applicationConf(server)['spark.hadoop.fs.s3a.bucket.logs.aws.credentials.provider']).toBe(provider);
    const written = properties(synthesized(server)).find((line) => line.startsWith('spark.hadoop.fs.s3a.bucket.logs.aws.credentials.provider='));
    expect(written?.split('=')[1]).toBe(provider);
  });

  test('identities of the cloud instead of keys', () => {
    const objects = synthesized({ eventLogs: EventLogStorage.s3('logs'), image: 'x', serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/history' }, podLabels: { 'azure.workload.identity/use': 'true' } });
    expect(find(objects, 'ServiceAccount').metadata.annotations).toEqual({ 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/history' });
    expect(pod(objects).metadata.labels).toMatchObject({ 'azure.workload.identity/use': 'true', 'app.kubernetes.io/name': 'spark-history-server' });
  });
});

test('all applications of a namespace, however they are created', () => {
  const chart = Testing.chart();
  const jobs = new SparkJobNamespace(chart, 'jobs', { name: 'spark', defaultsConfigMapName: 'defaults' });
  new SparkHistoryServer(chart, 'history', { namespace: jobs.name, sparkVersion: '4.1.1', eventLogs: VOLUME }).connectNamespace(jobs);
  const [defaults] = Testing.synth(chart).filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'defaults');
  expect(parse(defaults.data['defaults.yaml'])).toMatchObject({ sparkConf: { 'spark.eventLog.dir': 'file:/mnt/spark-event-logs' }, driver: { podSecurityContext: { fsGroup: 185 } } });
});

test('in a restricted namespace, volumes belong to the group of the server, and other settings meet the standard', () => {
  const chart = Testing.chart();
  const jobs = new SparkJobNamespace(chart, 'jobs', { name: 'spark', defaultsConfigMapName: 'defaults', podSecurity: PodSecurityLevel.RESTRICTED });
  new SparkHistoryServer(chart, 'history', { namespace: jobs.name, sparkVersion: '4.1.1', eventLogs: VOLUME, userId: 1000 }).connectNamespace(jobs);
  const [defaults] = Testing.synth(chart).filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'defaults');
  expect(parse(defaults.data['defaults.yaml']).driver.podSecurityContext).toEqual({ runAsNonRoot: true, runAsUser: 185, fsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } });
});

test('another existing object is rejected, too', () => {
  const chart = Testing.chart();
  new SparkHistoryServer(chart, 'one', { namespace: 'spark', sparkVersion: '4.1.1', eventLogs: EventLogStorage.newClaim({ size: Size.gibibytes(1), claimName: 'logs' }) });
  const other = { name: 'other', namespace: 'spark', sparkVersion: '4.1.1', eventLogs: EventLogStorage.newClaim({ size: Size.gibibytes(2), claimName: 'logs' }) };
  expect(problemsOf(new SparkHistoryServer(chart, 'two', other))).toEqual([
    '[test/two] PersistentVolumeClaim logs in spark would replace the one at test/one/Claim; choose another name',
  ]);
});

test('an existing service account is rejected, because one would replace the other', () => {
  const chart = Testing.chart();
  for (const id of ['one', 'two']) new SparkHistoryServer(chart, id, { namespace: 'spark', sparkVersion: '4.1.1', eventLogs: VOLUME });
  new SparkJobNamespace(chart, 'jobs', { name: 'spark', serviceAccountName: 'spark-history-server' });
  new SparkJobNamespace(chart, 'others', { name: 'other', serviceAccountName: 'spark-history-server' });
  const replaced = 'ServiceAccount spark-history-server in spark would replace the one at test/one/ServiceAccount';
  expect(problemsOf(chart)).toEqual([
    `[test/two] ${replaced}; choose another name`, `[test/jobs] ${replaced}; create the objects of the namespace in one of them only`,
  ]);
});

describe('access to the web UI', () => {
  test('an Ingress', () => {
    const { spec, metadata } = find(synthesized({ ingress: { host: 'history.example.org', ingressClassName: 'nginx', tlsSecretName: 'certificate', annotations: { a: 'b' } } }), 'Ingress');
    expect(metadata.annotations).toEqual({ a: 'b' });
    expect(spec).toEqual({
      ingressClassName: 'nginx',
      rules: [{ host: 'history.example.org', http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'spark-history-server', port: { name: 'http' } } } }] } }],
      tls: [{ hosts: ['history.example.org'], secretName: 'certificate' }],
    });
  });

  test('an HTTPRoute', () => {
    expect(find(synthesized({ httpRoute: { gateways: [{ namespace: 'gateways', name: 'public' }], hosts: ['history.example.org'] } }), 'HTTPRoute').spec).toEqual({
      parentRefs: [{ name: 'public', namespace: 'gateways' }], hostnames: ['history.example.org'], rules: [{ backendRefs: [{ name: 'spark-history-server', port: 18080 }] }],
    });
  });

  test.each<[string, Partial<SparkHistoryServerProps>, { sameNamespace: boolean; elsewhere: boolean; objectStore: boolean }]>([
    ['on a volume', {}, { sameNamespace: true, elsewhere: false, objectStore: false }],
    ['with an Ingress', { ingress: { host: 'h.example.org' } }, { sameNamespace: true, elsewhere: true, objectStore: false }],
    ['with clients that are named', { clients: [NetworkPeer.namespace('ingress')] }, { sameNamespace: false, elsewhere: true, objectStore: false }],
    ['in an object store', { eventLogs: S3, image: 'x' }, { sameNamespace: true, elsewhere: false, objectStore: true }],
    ['open', { isolated: false }, { sameNamespace: true, elsewhere: true, objectStore: true }],
  ])('clients and destinations: %s', (_, props, expected) => {
    const objects = synthesized(props);
    const server = { namespace: 'spark', name: 'history', ip: '10.1.0.1', labels: pod(objects).metadata.labels };
    const client = (namespace: string) => ({ namespace, name: 'client', ip: '10.1.0.2', labels: {} });
    const policies = { policies: objects.filter(({ kind }) => kind === 'NetworkPolicy'), namespaces: { spark: {}, ingress: {} } };
    expect({
      sameNamespace: isAllowed({ from: client('spark'), to: server, port: 18080 }, policies),
      elsewhere: isAllowed({ from: client('ingress'), to: server, port: 18080 }, policies),
      objectStore: isAllowed({ from: server, to: '203.0.113.1', port: 443 }, policies),
    }).toEqual(expected);
  });
});

const MINIO = 'http://minio.minio.svc:9000';
const EKS_POD_IDENTITY = '169.254.170.23';
const METADATA = '169.254.169.254';
const GKE = '169.254.169.252';

test.each<[string, Partial<SparkHistoryServerProps>, string[]]>([
  ['S3 with a key', { eventLogs: EventLogStorage.s3('b', { credentialsSecretName: 's' }) }, ['203.0.113.1:443']],
  ['S3 with an identity of EKS', { eventLogs: EventLogStorage.s3('b') }, ['203.0.113.1:443', `${EKS_POD_IDENTITY}:80`]],
  ['MinIO with a key', { eventLogs: EventLogStorage.s3('b', { endpoint: MINIO, credentialsSecretName: 's' }) }, ['203.0.113.1:9000', 'minio:9000']],
  ['a store without TLS', { eventLogs: EventLogStorage.s3('b', { endpoint: 'http://ceph.example.org', credentialsSecretName: 's' }) }, ['203.0.113.1:80', `${METADATA}:80`, `${EKS_POD_IDENTITY}:80`]],
  ['a store without a scheme', { eventLogs: EventLogStorage.s3('b', { endpoint: 'minio.example.org:9000', credentialsSecretName: 's' }) }, ['203.0.113.1:9000', 'minio:9000']],
  ['Google with a key', { eventLogs: EventLogStorage.gcs('b', { keySecretName: 's' }) }, ['203.0.113.1:443']],
  ['Google with an identity', { eventLogs: EventLogStorage.gcs('b') }, ['203.0.113.1:443', `${METADATA}:80`, `${GKE}:988`]],
  ['Azure', { eventLogs: EventLogStorage.azure('b', 'account') }, ['203.0.113.1:443']],
  ['further destinations', { eventLogs: EventLogStorage.s3('b'), egress: [{ peers: [NetworkPeer.namespace('minio')], ports: [NetworkPort.tcp(9000)] }] }, ['203.0.113.1:443', `${EKS_POD_IDENTITY}:80`, 'minio:9000']],
  ['further destinations with a volume', { egress: [{ peers: [NetworkPeer.namespace('minio')], ports: [NetworkPort.tcp(9000)] }] }, ['minio:9000']],
  ['a file system with an unknown location', {
    eventLogs: EventLogStorage.uri('hdfs://namenode:8020/events'), egress: [{ peers: [NetworkPeer.namespace('minio')], ports: [NetworkPort.tcp(9000)] }],
  }, ['minio:9000']],
  ['names at Cloud DNS', { dns: { peers: [NetworkPeer.addresses(`${METADATA}/32`)], ports: [NetworkPort.udp(53)] } }, [`${METADATA}:53`]],
  ['names, by default', {}, ['dns:53']],
])('the server reaches only what it needs: %s', (_, props, expected) => {
  const objects = synthesized({ image: 'x', ...props });
  const server = { namespace: 'spark', name: 'history', ip: '10.1.0.1', labels: pod(objects).metadata.labels };
  const minio = { namespace: 'minio', name: 'minio', ip: '10.1.0.3', labels: {} };
  const dns = { namespace: 'kube-system', name: 'dns', ip: '10.1.0.4', labels: {} };
  const policies = { policies: objects.filter(({ kind }) => kind === 'NetworkPolicy'), namespaces: { 'spark': {}, 'minio': {}, 'kube-system': {} } };
  const ends = { '203.0.113.1': [443, 80, 9000], 'minio': [9000], 'dns': [53], [METADATA]: [80, 53], [GKE]: [988], [EKS_POD_IDENTITY]: [80] };
  const reached = Object.entries(ends).flatMap(([name, ports]) => ports.filter((port) => (
    isAllowed({ from: server, to: name === 'minio' ? minio : name === 'dns' ? dns : name, port, protocol: port === 53 ? 'UDP' : 'TCP' }, policies)
  )).map((port) => `${name}:${port}`));
  const isAboutNames = (end: string) => end.endsWith(':53');
  expect(reached.filter((end) => isAboutNames(end) === expected.some(isAboutNames)).sort()).toEqual([...expected].sort());
});

test('a password comes from a Secret, by a variable', () => {
  const objects = synthesized({ sparkConf: { 'spark.ssl.historyServer.keyStorePassword': '${env:KEY_STORE_PASSWORD}' }, secretEnv: { KEY_STORE_PASSWORD: { name: 'tls', key: 'password' } } });
  expect(properties(objects)).toContain('spark.ssl.historyServer.keyStorePassword=${env\\:KEY_STORE_PASSWORD}');
  expect(pod(objects).spec.containers[0].env).toContainEqual({ name: 'KEY_STORE_PASSWORD', valueFrom: { secretKeyRef: { name: 'tls', key: 'password' } } });
});

test.each<[string, Partial<SparkHistoryServerProps>, string]>([
  ['an object store without its connector', { eventLogs: S3 }, "image is missing: Spark's own image has no hadoop-aws"],
  ['an invalid name of a Service', { name: '1abc' }, 'name = "1abc" is not the name of a Service: let it begin with a letter'],
  ['a port that conflicts with the Service', { sparkConf: { 'spark.history.ui.port': '80' } }, 'sparkConf[spark.history.ui.port] = "80" conflicts with the Service, probes and NetworkPolicy, which use 18080'],
  ['event logs in another place', { sparkConf: { 'spark.history.fs.logDirectory': 's3a://b/' } }, 'sparkConf[spark.history.fs.logDirectory] = "s3a://b/" is set by eventLogs; use eventLogs instead'],
  ['a read-only folder', { sparkConf: { 'spark.history.store.path': '/cache' } }, 'sparkConf[spark.history.store.path] = "/cache" must be the only writable folder'],
  ['an invalid image', { image: 'spark 4' }, 'image = "spark 4" is not the name of an image'],
  ['an invalid name of a Secret for images', { imagePullSecrets: ['registry', 'A B'] }, 'imagePullSecrets[1] = "A B" is not a name'],
  ['an invalid version', { sparkVersion: 'latest image' }, 'sparkVersion = "latest image" is not a version'],
  ['too little memory', { memory: Size.mebibytes(64) }, 'memory = "64Mi" is not enough for a JVM'],
  ['root', { userId: 0 }, 'userId = 0 must be a whole number of at least 1'],
  ['two ways to expose it', { ingress: { host: 'a.b' }, httpRoute: { gateways: [{ name: 'a', namespace: 'b' }] } }, 'httpRoute has the same purpose as ingress'],
  ['an ignored property', { sparkConf: { 'history.ui.port': '1' } }, 'sparkConf[history.ui.port] = "1" is ignored'],
  ['a secret in a ConfigMap', { sparkConf: { 'spark.ssl.historyServer.keyStorePassword': 'hunter2' } }, 'sparkConf[spark.ssl.historyServer.keyStorePassword] is a secret, which would be readable in a ConfigMap'],
  ['no peers, which would be all peers', { egress: [{ peers: [], ports: [NetworkPort.tcp(443)] }] }, 'egress[0].peers is empty'],
  ['no ports, which would be all ports', { dns: { peers: [NetworkPeer.anywhere()], ports: [] } }, 'dns.ports is empty'],
  ['too little disk', { cache: Size.mebibytes(1) }, 'cache = "1Mi" must be whole MiB, at least 256'],
  ['an invalid annotation', { podAnnotations: { 'a b': 'c' } }, 'podAnnotations[a b]'],
  ['clients of an open server', { isolated: false, clients: [NetworkPeer.anywhere()] }, 'clients has no effect with isolated: false'],
])('%s is rejected', (_, props, message) => {
  expect(problemsOf(serverWith(props))).toEqual([expect.stringContaining(`[test/history] ${message}`)]);
});

test.each<[string, () => EventLogStorage, string]>([
  ['an invalid bucket', () => EventLogStorage.s3('a/b'), 'EventLogStorage.s3: bucket = "a/b" is not a name'],
  ['an invalid endpoint', () => EventLogStorage.s3('b', { endpoint: 'ftp://x' }), 'EventLogStorage.s3: endpoint = "ftp://x" is not the URL of a store'],
  ['an endpoint that opens no port', () => EventLogStorage.s3('b', { hadoopConf: { 'fs.s3a.endpoint': 'http://minio:9000' } }), 'EventLogStorage.s3: hadoopConf[fs.s3a.endpoint] is the URL of the store, whose port the NetworkPolicy would not allow; set endpoint instead'],
  ['an endpoint of the bucket', () => EventLogStorage.s3('b', { hadoopConf: { 'fs.s3a.bucket.b.endpoint': 'http://minio:9000' } }), 'hadoopConf[fs.s3a.bucket.b.endpoint] is the URL of the store'],
  ['a Secret that Spark cannot mount', () => EventLogStorage.gcs('b', { keySecretName: 'key.of-logs' }), 'EventLogStorage.gcs: keySecretName = "key.of-logs" cannot be mounted by Spark, which names the volume key.of-logs-volume: choose a Secret whose name has at most 56 characters and no dots'],
  ['a Secret with a long name', () => EventLogStorage.gcs('b', { keySecretName: 'k'.repeat(57) }), 'whose name has at most 56 characters and no dots'],
  ['an invalid key of a Secret', () => EventLogStorage.s3('b', { hadoopSecrets: { 'fs.s3a.secret.key': { name: 's', key: 'k!' } } }), 'hadoopSecrets[fs.s3a.secret.key].key'],
  ['a password of Azure', () => EventLogStorage.azure('c', 'a', { hadoopConf: { 'fs.azure.account.oauth2.client.secret': 'hunter2' } }), 'hadoopConf[fs.azure.account.oauth2.client.secret] is a secret, which would be readable in a ConfigMap; name the entry of a Secret in hadoopSecrets'],
  ['a token of one account', () => EventLogStorage.uri('abfss://c@a/x', { 'fs.azure.sas.fixed.token.c.a.dfs.core.windows.net': 'sv=1&sig=abc' }), 'is a secret'],
  ['a key of S3', () => EventLogStorage.s3('b', { hadoopConf: { 'fs.s3a.secret.key': 'hunter2' } }), 'hadoopConf[fs.s3a.secret.key] is a secret'],
  ['a folder with a trailing slash', () => EventLogStorage.s3('b', { path: 'logs/' }), 'path = "logs/" is not a folder of the store'],
  ['a path outside the volume', () => EventLogStorage.claim('logs', { subPath: '../x' }), 'EventLogStorage.claim: subPath = "../x" is not a folder of the volume'],
  ['a local file system', () => EventLogStorage.uri('file:///tmp'), 'EventLogStorage.uri: uri = "file:///tmp" is not a URI of a shared file system'],
])('%s is rejected at once', (_, make, message) => {
  expect(make).toThrow(message);
});
