import fc from 'fast-check';
import type { Properties } from './properties';

const wrong = (key: string, ...values: string[]): readonly Properties[] => values.map((value) => ({ [key]: value }));

const SIZES = ['4Gi', '1.5g', '', '0', '-1', '1 g', 'lots', '9999999999999g', '1e3m', '٣m', '100b', '0x10', '500'];
const FACTORS = ['-0.1', '0', '-0.0', 'NaN', 'Infinity', '', 'half', '0,1', '1e400', '0x1p3', '5e10'];
const COUNTS = ['0', '-1', '', '1.5', 'two', '2147483648', '1_000', ' 4 ', '٣'];
const PORTS = ['0', '-1', '65536', '', 'http', '99999999999', ' 7078 '];
const QUANTITIES = ['', 'x', '-1', '1.5.5', '1 ', '1mi', '1Gib', '+1', '.5', '5.', '1e', '0'];
const BOOLEANS = ['yes', '', '1', 'truee', ' true '];
const URIS = [
  '/opt/a.jar', 'a.jar', 'file:///opt/a.jar', 'C:\\a.jar', 'local:///opt/a b.jar', 'local:/opt/a.jar', 'local:a.jar', 'https://r.example/{a}.jar', 's3a://bucket/*.jar', 's3a://bucket/a b.jar', '://x', 'local:///a#b#c',
  'LOCAL:///opt/a.jar', 'https://r.example/a.jar?x=[1]', 's3a://bucket/x%20y.jar', 'unknown://x/y.jar', 'https://r.example/[a].jar', 'https://r.example/%zz.jar', 'local:///opt/a|b.jar', 'local:///opt/ä.jar', 'https://[::1]:8080/a.jar',
  ' local:///opt/a.jar ', '',
];

const VOLUME = 'spark.kubernetes.driver.volumes.';
const EXECUTOR_VOLUME = 'spark.kubernetes.executor.volumes.';

/** Properties of which most are mistakes. Whether Spark notices is for Spark to say. */
export const WRONG: readonly Properties[] = [
  ...['spark.driver.memory', 'spark.driver.memoryOverhead', 'spark.driver.minMemoryOverhead', 'spark.executor.memory', 'spark.executor.memoryOverhead'].flatMap((key) => wrong(key, ...SIZES)),
  ...['spark.driver.memoryOverheadFactor', 'spark.kubernetes.memoryOverheadFactor', 'spark.executor.memoryOverheadFactor'].flatMap((key) => wrong(key, ...FACTORS)),
  ...['spark.driver.cores', 'spark.executor.cores', 'spark.executor.instances', 'spark.cores.max'].flatMap((key) => wrong(key, ...COUNTS)),
  ...['spark.driver.port', 'spark.driver.blockManager.port', 'spark.blockManager.port', 'spark.ui.port', 'spark.connect.grpc.binding.port'].flatMap((key) => wrong(key, ...PORTS)),
  ...['spark.kubernetes.driver.request.cores', 'spark.kubernetes.driver.limit.cores', 'spark.kubernetes.executor.limit.cores'].flatMap((key) => wrong(key, ...QUANTITIES)),
  ...['spark.kubernetes.local.dirs.tmpfs', 'spark.kubernetes.driver.service.publishNotReadyAddresses', 'spark.kubernetes.securityContext.allowPrivilegeEscalation',
    'spark.kubernetes.legacy.useReadWriteOnceAccessMode', 'spark.dynamicAllocation.enabled'].flatMap((key) => wrong(key, ...BOOLEANS)),
  ...['spark.jars', 'spark.files', 'spark.archives', 'spark.submit.pyFiles'].flatMap((key) => wrong(key, ...URIS)),
  ...wrong('spark.kubernetes.container.image.pullPolicy', 'Sometimes', '', 'always'),
  ...wrong('spark.kubernetes.driver.service.ipFamilyPolicy', 'DualStack', ''),
  ...wrong('spark.kubernetes.driver.service.ipFamilies', 'IPv4, IPv6', 'ipv4', ''),
  ...wrong('spark.kubernetes.driver.container.image', ''),
  ...wrong('spark.kubernetes.driver.label.spark-role', 'x'),
  ...wrong('spark.kubernetes.driver.label.spark-app-selector', 'x'),
  ...wrong('spark.kubernetes.driver.label.', 'nameless'),
  ...wrong('spark.kubernetes.driverEnv.', 'nameless'),
  ...wrong('spark.kubernetes.driver.secretKeyRef.X', 'noColon', 'a:b:c', '', ':', 'a:', ':k', '::'),
  ...wrong('spark.kubernetes.driver.secrets.', '/nameless'),
  ...wrong('spark.kubernetes.driver.secrets.s', ''),
  ...wrong('spark.driver.bindAddress', '0.0.0.0', ''),
  ...wrong('spark.driver.resource.gpu.amount', '1', '0', 'x', '-1', '1.5'),
  ...wrong('spark.driver.resource.gpu.vendor', 'nvidia.com'),
  ...wrong('spark.driver.resource.', 'x'),
  ...wrong('spark.app.name', '', '---'),
  ...wrong('spark.app.id', ''),
  ...wrong('spark.local.dir', '', ',', ' '),
  ...wrong('spark.kubernetes.driver.pod.name', '', 'Bad_Name', 'x'.repeat(300)),
  ...wrong('spark.kubernetes.kerberos.tokenSecret.name', 's'),
  ...wrong('spark.kubernetes.kerberos.tokenSecret.itemKey', 'k'),
  ...wrong('spark.kerberos.principal', 'me@EXAMPLE'),
  ...wrong('spark.kerberos.keytab', 'local:///keytab', '/no/such/keytab'),
  ...wrong('spark.kubernetes.driver.pod.featureSteps', 'no.such.Step', ''),
  ...wrong('spark.kubernetes.driver.pod.excludedFeatureSteps', '', 'x'),
  ...wrong('spark.kubernetes.configMap.maxSize', '2000000', 'x'),
  ...wrong('spark.kubernetes.resource.type', 'perl'),
  ...wrong('spark.kubernetes.executor.podNamePrefix', 'Bad_Name'),
  ...wrong('spark.kubernetes.executor.rollPolicy', 'nope'),
  ...wrong('spark.submit.deployMode', 'nowhere', ''),
  ...wrong('spark.driver.memory', '${spark.executor.memory}', '${env:HOME}'),
  ...wrong('spark.kubernetes.driver.label.v', '${spark.app.name}', '${env:NO_SUCH}', '$', '${', '${unknown:x}'),
  ...wrong('spark.kubernetes.hadoop.configMapName', ''),
  ...wrong('spark.kubernetes.kerberos.krb5.configMapName', ''),
  ...wrong('spark.kubernetes.authenticate.driver.serviceAccountName', ''),
  ...wrong('spark.kubernetes.scheduler.name', ''),
  ...wrong('spark.jars.packages', 'not-a-coordinate', 'org.example:missing:1.0', ''),
  ...wrong('spark.master.rest.enabled', 'maybe'),
  ...wrong('spark.remote', 'sc://elsewhere'),
  ...wrong(`${VOLUME}emptyDir.v.mount.subPath`, 'no mount path'),
  ...wrong(`${VOLUME}emptyDir.v`, 'no option'),
  ...wrong(`${VOLUME}emptyDir`, 'no name'),
  ...wrong(`${VOLUME}unknownType.v.mount.path`, '/x'),
  ...wrong(`${EXECUTOR_VOLUME}unknownType.v.mount.path`, '/x'),
  { [`${VOLUME}emptyDir.v.mount.path`]: '/x', [`${VOLUME}emptyDir.v.options.sizeLimit`]: '1000' },
  { [`${VOLUME}emptyDir.v.mount.path`]: '/x', [`${VOLUME}emptyDir.v.options.sizeLimit`]: '5 apples' },
  { [`${VOLUME}emptyDir.v.mount.path`]: '/x', [`${VOLUME}emptyDir.w.mount.path`]: '/x' },
  ...BOOLEANS.map((value) => ({ [`${VOLUME}emptyDir.v.mount.path`]: '/x', [`${VOLUME}emptyDir.v.mount.readOnly`]: value })),
  { [`${VOLUME}emptyDir.v.mount.path`]: '/x', [`${VOLUME}emptyDir.v.mount.subPath`]: 'a', [`${VOLUME}emptyDir.v.mount.subPathExpr`]: 'b' },
  { [`${VOLUME}hostPath.v.mount.path`]: '/x' },
  { [`${VOLUME}nfs.v.mount.path`]: '/x', [`${VOLUME}nfs.v.options.path`]: '/y' },
  { [`${VOLUME}persistentVolumeClaim.v.mount.path`]: '/x' },
  { [`${VOLUME}persistentVolumeClaim.v.mount.path`]: '/x', [`${VOLUME}persistentVolumeClaim.v.options.claimName`]: '' },
  { [`${EXECUTOR_VOLUME}hostPath.v.mount.path`]: '/x' },
  { [`${EXECUTOR_VOLUME}emptyDir.v.options.medium`]: 'Memory' },
];

/** Any of them. */
export const wrongProperties = fc.constantFrom(...WRONG);
