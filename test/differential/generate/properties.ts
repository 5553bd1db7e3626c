import fc from 'fast-check';
import { anyText, booleanText, labelName, labelValue, path, variableName, word } from './texts';

/** Some Spark properties. */
export type Properties = Readonly<Record<string, string>>;

const one = (key: string, value: fc.Arbitrary<string>): fc.Arbitrary<Properties> => value.map((text) => ({ [key]: text }));

/** None to all of them. */
const some = (keys: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<Properties> => (
  fc.record(keys, { requiredKeys: [] }) as fc.Arbitrary<Properties>
);

const each = (prefix: string, name: fc.Arbitrary<string>, value: fc.Arbitrary<string>, maxKeys = 4): fc.Arbitrary<Properties> => (
  fc.dictionary(name, value, { minKeys: 1, maxKeys }).map((map) => Object.fromEntries(Object.entries(map).map(([key, text]) => [prefix + key, text])))
);

const size = fc.oneof(
  fc.constantFrom('512m', '1g', '2G', '1024', '1500', '2097152k', '4096M', '1t', ' 3g ', '1073741824b', '700mb', '2gb', '385m', '449m'),
  fc.integer({ min: 1, max: 20_000 }).map((mebibytes) => `${mebibytes}m`),
  fc.integer({ min: 1024, max: 20_000_000 }).map((kibibytes) => `${kibibytes}k`),
);

const factor = fc.oneof(
  fc.constantFrom('0.1', '0.4', '1', '2.5', '.5', '1.', '1e-1', '1E1', '0.30000000000000004', '0.00001', '12345678.9', ' 0.2 ', '0.1f', '0.2d'),
  fc.double({ min: 1e-9, max: 4, noNaN: true }).map(String),
);

const quantity = fc.constantFrom('1', '2', '500m', '0.5', '1.5', '100m', '0.001', '1000m', '1e3', '2k', '1E2', '12Ki', '01', '1.50');

const count = fc.constantFrom('1', '2', '4', '16', '007', '+3', '2147483647');

const port = fc.oneof(fc.constantFrom('1', '80', '4040', '7078', '15002', '65535', '08080'), fc.integer({ min: 1, max: 65_535 }).map(String));

const image = fc.constantFrom('apache/spark:4.1.1', 'registry.example.com:5000/spark/py@sha256:0123', 'spark:{{SPARK_VERSION}}', 'spark', ' padded ', 'é:😀');

const secretKeyReference = fc.constantFrom('secret:key', 'a-b:c.d', 'x:y', ' s : k ', 'é:漢', 'a:b:', 'a:b::');

const STEPS = [
  'BasicDriverFeatureStep', 'DriverKubernetesCredentialsFeatureStep', 'DriverServiceFeatureStep', 'NetworkPolicyFeatureStep', 'MountSecretsFeatureStep', 'EnvSecretsFeatureStep',
  'MountVolumesFeatureStep', 'DriverCommandFeatureStep', 'HadoopConfDriverFeatureStep', 'KerberosConfDriverFeatureStep', 'PodTemplateConfigMapStep', 'LocalDirsFeatureStep', 'NoSuchFeatureStep',
].map((name) => `org.apache.spark.deploy.k8s.features.${name}`);

const uri = fc.oneof(
  fc.constantFrom('local:///opt/a.jar', 'local:///opt/b.jar', 'https://r.example/c.jar', 'http://r.example/d.zip?x=1', 'ftp://r.example/e.py', 'https://u:p@r.example/%20f.jar'),
  fc.constantFrom('local:///opt/g.zip#unpacked', 'https://r.example/h.tgz#name', 's3a://bucket/i.jar', 's3a://bucket/deep/j.zip#j', 'gs://bucket/k.jar', 'hdfs://nn:8020/l.jar', 'abfss://c@a.dfs.example/n.jar'),
);

const uris = fc.array(uri, { minLength: 1, maxLength: 3 }).chain((list) => fc.constantFrom(',', ', ', ',,').map((separator) => list.join(separator)));

/** Spark properties for a driver, concern by concern. All values are right, if not always wise. */
export const PROPERTIES = {
  'app name': one('spark.app.name', fc.oneof(fc.constantFrom('pi', 'Spark Pi', '9lives', '-dash-', 'Ünïcödé App!', 'x'.repeat(70), 'a--b__c', 'under_score.dot', '***', ' '), anyText)),
  'namespace': one('spark.kubernetes.namespace', fc.constantFrom('jobs', 'team-a', 'n'.repeat(63))),
  'application id': one('spark.app.id', fc.constantFrom('my-id', 'spark-0')),
  'driver pod name': one('spark.kubernetes.driver.pod.name', fc.constantFrom('driver', 'my.driver', 'd'.repeat(253), 'pi-driver')),
  'memory': some({
    'spark.driver.memory': size, 'spark.driver.memoryOverhead': size, 'spark.driver.memoryOverheadFactor': factor, 'spark.driver.minMemoryOverhead': size,
    'spark.kubernetes.memoryOverheadFactor': factor,
  }),
  'cores': some({ 'spark.driver.cores': count, 'spark.kubernetes.driver.request.cores': quantity, 'spark.kubernetes.driver.limit.cores': quantity }),
  'resources': fc.constantFrom<Properties>(
    { 'spark.driver.resource.gpu.amount': '2', 'spark.driver.resource.gpu.vendor': 'nvidia.com' },
    { 'spark.driver.resource.gpu.amount': '1', 'spark.driver.resource.gpu.vendor': 'amd.com', 'spark.driver.resource.gpu.discoveryScript': '/opt/find.sh', 'spark.driver.resource.fpga.amount': '3', 'spark.driver.resource.fpga.vendor': 'intel.com' },
    { 'spark.driver.resource.gpu.amount': '0', 'spark.driver.resource.gpu.vendor': 'nvidia.com' },
  ),
  'executors': some({
    'spark.executor.memory': size, 'spark.executor.cores': count, 'spark.executor.instances': count, 'spark.executor.memoryOverhead': size,
    'spark.executor.memoryOverheadFactor': factor, 'spark.kubernetes.executor.request.cores': quantity, 'spark.kubernetes.executor.limit.cores': quantity,
    'spark.kubernetes.executor.deleteOnTermination': booleanText, 'spark.executor.resource.gpu.amount': count, 'spark.executor.resource.gpu.vendor': word,
    'spark.kubernetes.executor.label.team': labelValue, 'spark.kubernetes.executor.annotation.note': anyText, 'spark.executorEnv.A': anyText,
    'spark.kubernetes.executor.secrets.s': path, 'spark.kubernetes.executor.secretKeyRef.B': secretKeyReference, 'spark.kubernetes.executor.podNamePrefix': word,
  }),
  'executor volumes': fc.constantFrom<Properties>(
    { 'spark.kubernetes.executor.volumes.emptyDir.e.mount.path': '/e', 'spark.kubernetes.executor.volumes.emptyDir.e.options.sizeLimit': '1Gi' },
    {
      'spark.kubernetes.executor.volumes.persistentVolumeClaim.p.mount.path': '/p', 'spark.kubernetes.executor.volumes.persistentVolumeClaim.p.options.claimName': 'OnDemand',
      'spark.kubernetes.executor.volumes.persistentVolumeClaim.p.options.storageClass': 'fast', 'spark.kubernetes.executor.volumes.persistentVolumeClaim.p.options.sizeLimit': '10Gi',
    },
  ),
  'dynamic allocation': some({
    'spark.dynamicAllocation.enabled': booleanText, 'spark.dynamicAllocation.initialExecutors': fc.constantFrom('0', '1', '3'), 'spark.dynamicAllocation.minExecutors': count,
    'spark.dynamicAllocation.maxExecutors': count, 'spark.dynamicAllocation.shuffleTracking.enabled': booleanText,
  }),
  'image': some({
    'spark.kubernetes.container.image': image, 'spark.kubernetes.driver.container.image': image, 'spark.kubernetes.executor.container.image': image,
    'spark.kubernetes.container.image.pullPolicy': fc.constantFrom('Always', 'Never', 'IfNotPresent'),
    'spark.kubernetes.container.image.pullSecrets': fc.constantFrom('one', 'one,two', ' a , b ', ',a,,b,', 'a,a', ''),
  }),
  'driver labels': each('spark.kubernetes.driver.label.', labelName, labelValue, 7),
  'driver annotations': each('spark.kubernetes.driver.annotation.', labelName, anyText, 7),
  'environment': each('spark.kubernetes.driverEnv.', variableName, anyText, 9),
  'secrets': each('spark.kubernetes.driver.secrets.', fc.constantFrom('alpha', 'beta', 'gamma.d', 'delta', 'epsilon', 'zeta'), path, 6),
  'secret references': each('spark.kubernetes.driver.secretKeyRef.', variableName, secretKeyReference, 7),
  'node selectors': fc.tuple(
    fc.option(each('spark.kubernetes.node.selector.', labelName, labelValue), { nil: {} }),
    fc.option(each('spark.kubernetes.driver.node.selector.', labelName, labelValue), { nil: {} }),
  ).map(([all, driver]) => ({ ...all, ...driver })),
  'service account': some({ 'spark.kubernetes.authenticate.driver.serviceAccountName': word, 'spark.kubernetes.authenticate.executor.serviceAccountName': word }),
  'scheduler': some({ 'spark.kubernetes.scheduler.name': word, 'spark.kubernetes.driver.scheduler.name': word, 'spark.kubernetes.executor.scheduler.name': word }),
  'ports': some({ 'spark.driver.port': port, 'spark.driver.blockManager.port': port, 'spark.blockManager.port': port, 'spark.ui.port': port, 'spark.connect.grpc.binding.port': port }),
  'service': fc.tuple(
    some({
      'spark.kubernetes.driver.service.ipFamilyPolicy': fc.constantFrom('SingleStack', 'PreferDualStack', 'RequireDualStack'),
      'spark.kubernetes.driver.service.ipFamilies': fc.constantFrom('IPv4', 'IPv6', 'IPv4,IPv6', 'IPv6,IPv4'),
      'spark.kubernetes.driver.service.publishNotReadyAddresses': booleanText,
      'spark.kubernetes.driver.service.deleteOnTermination': booleanText,
    }),
    fc.option(each('spark.kubernetes.driver.service.label.', labelName, labelValue), { nil: {} }),
    fc.option(each('spark.kubernetes.driver.service.annotation.', labelName, anyText), { nil: {} }),
  ).map(([options, labels, annotations]) => ({ ...options, ...labels, ...annotations })),
  'security context': some({
    'spark.kubernetes.securityContext.allowPrivilegeEscalation': booleanText, 'spark.kubernetes.driver.securityContext.allowPrivilegeEscalation': booleanText,
  }),
  'local directories': some({
    'spark.local.dir': fc.constantFrom('/tmp/a', '/tmp/a,/tmp/b', '/tmp/c,/tmp/d,/tmp/e', '/a, /b', '/a,,/b', '/a,', 'relative'),
    'spark.kubernetes.local.dirs.tmpfs': booleanText,
  }),
  'hadoop': one('spark.kubernetes.hadoop.configMapName', word),
  'krb5': one('spark.kubernetes.kerberos.krb5.configMapName', word),
  'delegation tokens': word.chain((name) => word.map((item) => ({ 'spark.kubernetes.kerberos.tokenSecret.name': name, 'spark.kubernetes.kerberos.tokenSecret.itemKey': item }))),
  'hadoop configuration': each('spark.hadoop.', fc.constantFrom('fs.s3a.endpoint', 'a.b', 'x y'), anyText),
  'dependencies': some({ 'spark.jars': uris, 'spark.files': uris, 'spark.archives': uris, 'spark.submit.pyFiles': uris }),
  'packages': some({
    'spark.jars.packages': fc.constantFrom('org.example:alpha:1.0.0', 'org.example:alpha:1.0.0,com.acme:connector:0.9.1-rc1', 'org.example/beta_2.13:2.1'),
    'spark.jars.excludes': fc.constantFrom('org.example:gamma', 'a:b,c:d'),
    'spark.jars.repositories': fc.constantFrom('https://repo.example/m2', 'https://one.example,https://two.example'),
  }),
  'python': some({ 'spark.pyspark.python': fc.oneof(word, anyText), 'spark.pyspark.driver.python': word }),
  'excluded steps': one('spark.kubernetes.driver.pod.excludedFeatureSteps', fc.subarray(STEPS, { minLength: 1, maxLength: 2 }).map((steps) => steps.join(','))),
  'java': some({
    'spark.driver.extraJavaOptions': anyText, 'spark.driver.extraClassPath': anyText, 'spark.driver.extraLibraryPath': word, 'spark.executor.extraJavaOptions': anyText,
    'spark.executor.extraClassPath': word,
  }),
  'overridden': some({
    'spark.submit.deployMode': fc.constantFrom('cluster', 'client'), 'spark.kubernetes.submitInDriver': fc.constantFrom('true', 'false'), 'spark.kubernetes.resource.type': fc.constantFrom('java', 'python', 'r'),
    'spark.driver.host': word, 'spark.app.submitTime': fc.constant('1'), 'spark.kubernetes.driver.master': word, 'spark.home': fc.constant('/opt/elsewhere'),
    'spark.kubernetes.driver.resourceNamePrefix': word,
  }),
  'claims': one('spark.kubernetes.legacy.useReadWriteOnceAccessMode', booleanText),
  'anything else': fc.dictionary(
    fc.constantFrom('spark.custom', 'spark.odd key', 'spark.colon:hash#bang!back\\slash', 'spark.é', 'spark.', 'not.spark', 'spark', 'spark.tab\tkey', 'spark.sql.x', 'spark.😀'), anyText, { minKeys: 1, maxKeys: 4 },
  ),
} satisfies Readonly<Record<string, fc.Arbitrary<Properties>>>;
