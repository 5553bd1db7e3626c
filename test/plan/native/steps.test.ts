import { APPLICATION_ID, build, PREFIX, refusal } from './driver';
import type { Changes, Conf } from './driver';

const STEPS = 'org.apache.spark.deploy.k8s.features';
const EXCLUDED = 'spark.kubernetes.driver.pod.excludedFeatureSteps';

const volumeNames = (conf: Conf, changes?: Changes) => build(conf, changes).pod.spec.volumes!.map(({ name }) => name);

test('all steps together: variables, volumes and objects are in Spark\'s order', () => {
  const { container, kinds, pod } = build({
    'spark.kubernetes.driverEnv.A': '1',
    'spark.kubernetes.driver.secretKeyRef.B': 's:k',
    'spark.pyspark.python': 'py',
    'spark.kubernetes.hadoop.configMapName': 'h',
    'spark.kubernetes.kerberos.krb5.configMapName': 'k',
    'spark.kubernetes.kerberos.tokenSecret.name': 't',
    'spark.kubernetes.kerberos.tokenSecret.itemKey': 'i',
    'spark.kubernetes.driver.secrets.s': '/s',
    'spark.kubernetes.driver.volumes.persistentVolumeClaim.v.mount.path': '/v',
    'spark.kubernetes.driver.volumes.persistentVolumeClaim.v.options.claimName': 'OnDemand',
    'spark.kubernetes.driver.volumes.persistentVolumeClaim.v.options.storageClass': 'fast',
    'spark.kubernetes.driver.volumes.persistentVolumeClaim.v.options.sizeLimit': '1Gi',
  }, { version: '4.2.1', application: { type: 'python', resource: 'local:///a.py' }, executorTemplate: '{}' });

  expect(container.env!.map(({ name }) => name)).toEqual([
    'SPARK_USER', 'SPARK_APPLICATION_ID', 'A', 'SPARK_DRIVER_BIND_ADDRESS', 'B', 'PYSPARK_PYTHON', 'PYSPARK_DRIVER_PYTHON',
    'HADOOP_CONF_DIR',
    'HADOOP_TOKEN_FILE_LOCATION', 'SPARK_LOCAL_DIRS', 'SPARK_CONF_DIR',
  ]);
  const names = [
    's-volume', 'v', 'hadoop-properties', 'krb5-file', 'hadoop-secret', 'pod-template-volume', 'spark-local-dir-1',
    'spark-conf-volume-driver',
  ];
  expect(pod.spec.volumes!.map(({ name }) => name)).toEqual(names);
  expect(container.volumeMounts!.map(({ name }) => name)).toEqual(names);
  expect(kinds).toEqual(['Service', 'NetworkPolicy', 'PersistentVolumeClaim', 'ConfigMap', 'ConfigMap']);
});

describe('Secrets', () => {
  test('as files and as variables, sorted', () => {
    const { pod, container } = build({
      'spark.kubernetes.driver.secrets.b': '/b', 'spark.kubernetes.driver.secrets.a': '/a',
      'spark.kubernetes.driver.secretKeyRef.Y': 's:k', 'spark.kubernetes.driver.secretKeyRef.X': 's:k:',
    });

    expect(pod.spec.volumes!.slice(0, 2)).toEqual([
      { name: 'a-volume', secret: { secretName: 'a' } }, { name: 'b-volume', secret: { secretName: 'b' } },
    ]);
    expect(container.volumeMounts!.slice(0, 2)).toEqual([{ name: 'a-volume', mountPath: '/a' }, { name: 'b-volume', mountPath: '/b' }]);
    expect(container.env!.slice(3, 5)).toEqual(['X', 'Y'].map(name => ({ name, valueFrom: { secretKeyRef: { name: 's', key: 'k' } } })));
  });

  test.each(['s', 's:', '', ':', 's:k:x'])('%j is not a Secret and key', reference => {
    expect(refusal({ 'spark.kubernetes.driver.secretKeyRef.X': reference })).toMatchObject({
      field: 'spark.kubernetes.driver.secretKeyRef.X', reason: 'does not name a Secret and a key',
    });
  });
});

test('Hadoop\'s configuration comes from a ConfigMap, also for executors', () => {
  const { pod, container, properties } = build({ 'spark.kubernetes.hadoop.configMapName': 'h' });

  expect(pod.spec.volumes![0]).toEqual({ name: 'hadoop-properties', configMap: { name: 'h' } });
  expect(container.volumeMounts![0]).toEqual({ name: 'hadoop-properties', mountPath: '/opt/hadoop/conf' });
  expect(container.env).toContainEqual({ name: 'HADOOP_CONF_DIR', value: '/opt/hadoop/conf' });
  expect(properties['spark.kubernetes.executor.hadoopConfigMapName']).toBe('h');
});

describe('Kerberos', () => {
  test('configuration and tokens come from existing objects', () => {
    const { pod, container } = build({
      'spark.kubernetes.kerberos.krb5.configMapName': 'k', 'spark.kubernetes.kerberos.tokenSecret.name': 't',
      'spark.kubernetes.kerberos.tokenSecret.itemKey': 'i',
    });

    expect(pod.spec.volumes!.slice(0, 2)).toEqual([
      { name: 'krb5-file', configMap: { name: 'k' } }, { name: 'hadoop-secret', secret: { secretName: 't' } },
    ]);
    expect(container.volumeMounts!.slice(0, 2)).toEqual([
      { name: 'krb5-file', mountPath: '/etc/krb5.conf', subPath: 'krb5.conf' },
      { name: 'hadoop-secret', mountPath: '/mnt/secrets/hadoop-credentials' },
    ]);
    expect(container.env).toContainEqual({ name: 'HADOOP_TOKEN_FILE_LOCATION', value: '/mnt/secrets/hadoop-credentials/i' });
  });

  test('a keytab in the image is left to the driver; its former property is also read', () => {
    expect(volumeNames({ 'spark.kerberos.keytab': 'local:///k', 'spark.kerberos.principal': 'p' })).toEqual(volumeNames({}));
    expect(build({ 'spark.yarn.keytab': 'local:///k', 'spark.yarn.principal': 'p' }).properties).toMatchObject({
      'spark.kerberos.keytab': 'local:///k', 'spark.kerberos.principal': 'p',
    });
  });

  test.each<[string, Conf, string]>([
    ['half a token', { 'spark.kubernetes.kerberos.tokenSecret.name': 't' }, 'spark.kubernetes.kerberos.tokenSecret.itemKey'],
    ['the other half', { 'spark.kubernetes.kerberos.tokenSecret.itemKey': 't' }, 'spark.kubernetes.kerberos.tokenSecret.name'],
    ['a principal alone', { 'spark.kerberos.principal': 'p' }, 'spark.kerberos.keytab'],
    ['a keytab alone', { 'spark.kerberos.keytab': 'local:///k' }, 'spark.kerberos.principal'],
  ])('rejected: %s', (_, conf, field) => {
    expect(refusal(conf).field).toBe(field);
  });
});

describe('the executors\' template', () => {
  test('reaches the driver unchanged', () => {
    const text = '# my template\nspec:\n  tolerations: [{key: spark, operator: Exists}]\n';
    const { pod, container, templateMap, properties } = build(
      { 'spark.kubernetes.executor.podTemplateFile': 'of-the-submitter.yaml' }, { executorTemplate: text },
    );

    expect(templateMap).toEqual({
      apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${PREFIX}-driver-podspec-conf-map` },
      data: { 'podspec-configmap-key': text }, immutable: true,
    });
    expect(pod.spec.volumes![0]).toEqual({
      name: 'pod-template-volume',
      configMap: { name: templateMap!.metadata.name, items: [{ key: 'podspec-configmap-key', path: 'pod-spec-template.yml' }] },
    });
    expect(container.volumeMounts![0]).toEqual({ name: 'pod-template-volume', mountPath: '/opt/spark/pod-template' });
    expect(properties['spark.kubernetes.executor.podTemplateFile']).toBe('/opt/spark/pod-template/pod-spec-template.yml');
  });
});

test('from 4.2, a NetworkPolicy isolates the executors', () => {
  const application = { 'spark-app-selector': APPLICATION_ID };

  expect(build({}, { version: '4.1.1' }).policy).toBeUndefined();
  expect(build({}, { version: '4.2.0' }).policy).toEqual({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `${PREFIX}-policy`, namespace: 'jobs', labels: application },
    spec: {
      podSelector: {
        matchLabels: { ...application, 'spark-role': 'executor' },
      }, ingress: [{ from: [{ podSelector: { matchLabels: application } }] }],
    },
  });
});

describe('devices', () => {
  const device = (name: string, conf: Conf) => Object.fromEntries(Object.entries(conf).map(([key, value]) => [
    `spark.driver.resource.${name}.${key}`, value,
  ]));

  test('are limits of the driver\'s container', () => {
    const conf = {
      ...device('gpu', { amount: '2', vendor: 'nvidia.com' }), ...device('fpga', { amount: '1', vendor: 'intel.com' }),
      ...device('none', { amount: '0' }),
    };

    expect(build(conf).container.resources).toEqual({
      requests: { cpu: '1', memory: '1408Mi' }, limits: { 'memory': '1408Mi', 'nvidia.com/gpu': '2', 'intel.com/fpga': '1' },
    });
  });

  test.each<[Conf, string, string]>([
    [device('gpu', { amount: '1' }), 'gpu.vendor', 'is missing'],
    [device('gpu', { vendor: 'v' }), 'gpu.amount', 'is missing'],
    [device('gpu', { amount: '1.5', vendor: 'v' }), 'gpu.amount', 'is not a whole number'],
    [{ 'spark.driver.resource.gpu': '1' }, 'gpu', 'does not name an attribute of the device'],
  ])('%j is rejected', (conf, key, reason) => {
    expect(refusal(conf)).toMatchObject({ field: `spark.driver.resource.${key}`, reason });
  });
});

describe('a proxy user', () => {
  test.each([
    ['4.2.1', 'bob', 'bob'], ['4.2.1', 'bob/host@EXAMPLE.COM', 'bob'], ['4.3.0', 'bob@EXAMPLE.COM', 'bob@EXAMPLE.COM'],
  ])('Spark %s runs for %s as %s', (version, proxyUser, user) => {
    const { container } = build({}, { version, application: { proxyUser } });

    expect(container.args!.slice(0, 4)).toEqual(['driver', '--proxy-user', proxyUser, '--properties-file']);
    expect(container.env![0]).toEqual({ name: 'SPARK_USER', value: user });
  });

  test('is rejected together with a principal, and if it is invalid', () => {
    expect(refusal({ 'spark.kerberos.principal': 'p', 'spark.kerberos.keytab': 'local:///k' }, {
      application: { proxyUser: 'bob' },
    }).field).toBe('spec.proxyUser');
    expect(refusal({}, { application: { proxyUser: 'a@b@c' } }).field).toBe('spec.proxyUser');
  });
});

describe('local directories', () => {
  test('include a volume of the user with such a name', () => {
    const prefix = 'spark.kubernetes.driver.volumes.emptyDir.spark-local-dir-a';
    const { pod, container } = build({
      [`${prefix}.mount.path`]: '/fast', [`${prefix}.options.medium`]: 'Memory', 'spark.local.dir': '/ignored',
    });

    expect(pod.spec.volumes!.map(({ name }) => name)).toEqual(['spark-local-dir-a', 'spark-conf-volume-driver']);
    expect(container.env).toContainEqual({ name: 'SPARK_LOCAL_DIRS', value: '/fast' });
  });

  test.each([['/a, /b', ['/a', ' /b']], ['/a,', ['/a']], ['${env:TMP}', ['${env:TMP}']]])('%j is used unchanged', (value, paths) => {
    const { container } = build({ 'spark.local.dir': value });

    expect(container.volumeMounts!.slice(0, -1).map(({ mountPath }) => mountPath)).toEqual(paths);
  });
});

test('the common port of block managers only affects the container; the Service has the driver\'s own', () => {
  const { container, service, properties } = build({ 'spark.blockManager.port': '7002' });

  expect(container.ports!.find(({ name }) => name === 'blockmanager')!.containerPort).toBe(7002);
  expect(service.spec.ports.find(({ name }) => name === 'blockmanager')!.port).toBe(7079);
  expect(properties['spark.driver.blockManager.port']).toBe('7079');
});

describe('excluded steps', () => {
  test('from 4.1, their additions are missing', () => {
    const conf = {
      [EXCLUDED]: `${STEPS}.DriverServiceFeatureStep, ${STEPS}.NetworkPolicyFeatureStep,${STEPS}.NoSuchStep`,
      'spark.driver.host': 'mine',
    };

    expect(build(conf, { version: '4.2.0' }).kinds).toEqual(['ConfigMap']);
    expect(build(conf, { version: '4.2.0' }).properties).not.toHaveProperty(['spark.driver.host']);
    expect(build(conf, { version: '4.0.2' }).kinds).toEqual(['Service', 'ConfigMap']);
  });

  test('cannot leave the driver without a name', () => {
    const conf = { [EXCLUDED]: `${STEPS}.BasicDriverFeatureStep` };

    expect(refusal(conf)).toMatchObject({ field: EXCLUDED, reason: 'leaves the driver without a name' });
    expect(build(conf, {
      driverTemplate: { metadata: { name: 'mine' }, spec: { containers: [{ name: 'm' }] } },
    }).pod.metadata).toEqual({ name: 'mine' });
  });
});

test('tokens do not reach the driver\'s properties', () => {
  expect(build({ 'spark.example.oauthToken': 's3cr3t' }).properties['spark.example.oauthToken']).toBe('<present_but_redacted>');
});
