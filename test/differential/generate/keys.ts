/** The properties that spark-submit acts on in cluster mode. One that ends in a dot is a prefix. */
const ACTED_ON = [
  'spark.app.name', 'spark.app.submitTime',
  'spark.kubernetes.namespace', 'spark.kubernetes.driver.pod.name',
  'spark.driver.memory', 'spark.driver.memoryOverhead', 'spark.driver.memoryOverheadFactor', 'spark.driver.minMemoryOverhead', 'spark.kubernetes.memoryOverheadFactor',
  'spark.driver.cores', 'spark.kubernetes.driver.request.cores', 'spark.kubernetes.driver.limit.cores', 'spark.driver.resource.',
  'spark.executor.memory', 'spark.executor.cores', 'spark.executor.instances', 'spark.dynamicAllocation.enabled',
  'spark.kubernetes.executor.volumes.',
  'spark.kubernetes.container.image', 'spark.kubernetes.driver.container.image', 'spark.kubernetes.container.image.pullPolicy', 'spark.kubernetes.container.image.pullSecrets',
  'spark.kubernetes.driver.label.', 'spark.kubernetes.driver.annotation.', 'spark.kubernetes.driverEnv.', 'spark.kubernetes.driver.secrets.', 'spark.kubernetes.driver.secretKeyRef.',
  'spark.kubernetes.driver.volumes.hostPath.', 'spark.kubernetes.driver.volumes.emptyDir.', 'spark.kubernetes.driver.volumes.nfs.', 'spark.kubernetes.driver.volumes.persistentVolumeClaim.',
  'spark.kubernetes.legacy.useReadWriteOnceAccessMode',
  'spark.kubernetes.node.selector.', 'spark.kubernetes.driver.node.selector.',
  'spark.kubernetes.authenticate.driver.serviceAccountName', 'spark.kubernetes.scheduler.name', 'spark.kubernetes.driver.scheduler.name',
  'spark.driver.port', 'spark.driver.blockManager.port', 'spark.blockManager.port', 'spark.ui.port', 'spark.connect.grpc.binding.port',
  'spark.kubernetes.driver.service.label.', 'spark.kubernetes.driver.service.annotation.', 'spark.kubernetes.driver.service.ipFamilyPolicy', 'spark.kubernetes.driver.service.ipFamilies',
  'spark.kubernetes.driver.service.publishNotReadyAddresses', 'spark.kubernetes.securityContext.allowPrivilegeEscalation', 'spark.kubernetes.driver.securityContext.allowPrivilegeEscalation',
  'spark.local.dir', 'spark.kubernetes.local.dirs.tmpfs',
  'spark.kubernetes.hadoop.configMapName', 'spark.kubernetes.kerberos.krb5.configMapName', 'spark.kubernetes.kerberos.tokenSecret.name', 'spark.kubernetes.kerberos.tokenSecret.itemKey',
  'spark.jars', 'spark.files', 'spark.archives', 'spark.submit.pyFiles', 'spark.jars.packages', 'spark.jars.excludes', 'spark.jars.repositories',
  'spark.pyspark.python', 'spark.pyspark.driver.python',
  'spark.kubernetes.driver.pod.excludedFeatureSteps', 'spark.kubernetes.driver.podTemplateContainerName',
  'spark.driver.extraJavaOptions', 'spark.driver.extraClassPath', 'spark.driver.extraLibraryPath',
  'spark.submit.deployMode', 'spark.kubernetes.submitInDriver', 'spark.kubernetes.resource.type', 'spark.driver.host', 'spark.app.id', 'spark.hadoop.',
];

const OTHER = '(any other)';

/** Each of these has to be generated, in a case that spark-submit accepts. */
export const GENERATED_KEYS = [...ACTED_ON, OTHER];

/** Returns the key that covers a property. */
export function keyOf(property: string): string {
  return ACTED_ON.find((key) => (key.endsWith('.') ? property.startsWith(key) : property === key)) ?? OTHER;
}
