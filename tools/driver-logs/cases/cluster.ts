import { QUIET } from '../case.ts';
import type { Case } from '../case.ts';

/** The API server of servers.ts. */
const KUBERNETES = {
  'spark.master': 'k8s://http://10.96.0.1:80', 'spark.kubernetes.namespace': 'jobs', 'spark.kubernetes.driver.pod.name': 'daily-report-driver',
  'spark.kubernetes.container.image': 'registry.example.com/spark:4.1.1', 'spark.executor.instances': '2', 'spark.kubernetes.driver.master': 'http://10.96.0.1:80',
};

/** Kubernetes ends the pod, as at its deadline, once the driver has reported that it has no executors. */
const NO_EXECUTORS = { name: 'TERM', after: 'Initial job has not accepted any resources' } as const;

/** A keytab of a principal, written by MIT's ktutil. */
const KEYTAB = `mkdir -p $root/etc/security
printf 'addent -password -p report@CORP.EXAMPLE -k 1 -e aes256-cts-hmac-sha1-96\\nreport\\nwkt %s\\nquit\\n' $root/etc/security/report.keytab | ktutil >/dev/null
chmod 644 $root/etc/security/report.keytab
printf '[libdefaults]\\n default_realm = CORP.EXAMPLE\\n dns_lookup_kdc = false\\n kdc_timeout = 2000\\n max_retries = 1\\n[realms]\\n CORP.EXAMPLE = {\\n  kdc = 10.96.0.1:88\\n }\\n' >$root/etc/krb5.conf
printf '<configuration><property><name>hadoop.security.authentication</name><value>kerberos</value></property></configuration>\\n' >$root/opt/spark/conf/core-site.xml
`;
/** A key distribution center that has no principals of users. */
const KDC = `export KRB5_CONFIG=$root/etc/krb5.conf KRB5_KDC_PROFILE=$job/kdc.conf
printf '[realms]\\n CORP.EXAMPLE = {\\n  database_name = %s/principal\\n  key_stash_file = %s/stash\\n  kdc_ports = 88\\n  kdc_tcp_ports = 88\\n }\\n' $job $job >$job/kdc.conf
kdb5_util create -s -r CORP.EXAMPLE -P master >/dev/null
krb5kdc -n -r CORP.EXAMPLE >/dev/null 2>&1 &
`;
const KERBEROS = { 'spark.kerberos.principal': 'report@CORP.EXAMPLE', 'spark.kerberos.keytab': '/etc/security/report.keytab' };

/** A repository of a company instead of the public ones. */
function ivySettings(url: string): string {
  return `cat >$root/opt/spark/conf/ivysettings.xml <<'END'
<ivysettings>
  <settings defaultResolver="company"/>
  <resolvers><ibiblio name="company" m2compatible="true" root="${url}"/></resolvers>
</ivysettings>
END
`;
}
const PACKAGES = { 'spark.jars.packages': 'com.acme:orders-connector_2.13:2.4.1', 'spark.jars.ivySettings': '/opt/spark/conf/ivysettings.xml' };

export const CLUSTER_CASES: readonly Case[] = [
  // Spark tries again without end.
  {
    name: 'kubernetes-pods-forbidden-create', spark: '4.1.1', program: 'python/plain_job.py', conf: KUBERNETES,
    signal: NO_EXECUTORS, exitCode: 143, contains: 'cannot create resource "pods"',
  },
  {
    name: 'kubernetes-pods-forbidden-create', spark: '3.5.8', program: 'python/plain_job.py', conf: { ...KUBERNETES, ...QUIET },
    signal: NO_EXECUTORS, exitCode: 143, contains: 'cannot create resource "pods"',
  },
  {
    name: 'kubernetes-pods-forbidden-get', spark: '4.0.2', program: 'python/plain_job.py', conf: { ...QUIET, ...KUBERNETES, 'spark.kubernetes.namespace': 'team-a' },
    exitCode: 1, contains: 'cannot get resource "pods"',
  },
  {
    name: 'kubernetes-no-executors', spark: '4.1.1', program: 'python/plain_job.py', conf: { ...KUBERNETES, 'spark.kubernetes.namespace': 'team-b' },
    signal: NO_EXECUTORS, exitCode: 143, contains: 'Initial job has not accepted any resources',
  },
  { name: 'kerberos-keytab-missing', spark: '3.5.8', program: 'python/plain_job.py', conf: KERBEROS, exitCode: 1, contains: 'report.keytab' },
  { name: 'kerberos-kdc-unreachable', spark: '4.1.1', program: 'python/plain_job.py', conf: KERBEROS, setup: KEYTAB, exitCode: 1, contains: 'LoginException' },
  {
    name: 'kerberos-unknown-client', spark: '4.0.2', program: 'python/plain_job.py', conf: KERBEROS, setup: KEYTAB + KDC,
    exitCode: 1, contains: 'Client not found in Kerberos database',
  },
  {
    name: 'maven-not-found', spark: '4.1.1', program: 'python/plain_job.py', conf: PACKAGES, setup: ivySettings('http://10.96.0.1:8081/repository/maven'),
    exitCode: 1, contains: 'unresolved dependency',
  },
  {
    name: 'maven-unknown-host', spark: '3.5.8', program: 'python/plain_job.py', conf: PACKAGES, setup: ivySettings('https://nexus.corp.example/repository/maven'),
    exitCode: 1, contains: 'unresolved dependency',
  },
  {
    name: 'executors-killed', spark: '3.5.8', program: 'java/ExecutorKilled.java', conf: { 'spark.master': 'local-cluster[2,1,1024]', 'spark.executor.memory': '512m' },
    exitCode: 1, contains: 'ExecutorLostFailure',
  },
  {
    name: 'executors-killed', spark: '4.3.0', program: 'java/ExecutorKilled.java', conf: { ...QUIET, 'spark.master': 'local-cluster[2,1,1024]', 'spark.executor.memory': '512m' },
    exitCode: 1, contains: 'ExecutorLostFailure',
  },
  {
    name: 'fetch-failed', spark: '4.0.2', program: 'java/LostShuffle.java', conf: { 'spark.master': 'local-cluster[2,1,1024]', 'spark.executor.memory': '512m' },
    exitCode: 1, contains: 'has failed the maximum allowable number of times',
  },
  { name: 'broadcast-timeout', spark: '4.1.1', program: 'python/slow_dimension.py', conf: QUIET, exitCode: 1, contains: 'Could not execute broadcast in 4 secs' },
  {
    name: 'driver-address', spark: '4.0.2', program: 'python/plain_job.py', environment: { SPARK_DRIVER_BIND_ADDRESS: '10.244.7.99' },
    exitCode: 1, contains: 'Cannot assign requested address',
  },
  {
    name: 'driver-java-option', spark: '4.1.1', program: 'python/plain_job.py', conf: { 'spark.driver.extraJavaOptions': '-Xmx4g' },
    exitCode: 1, contains: 'Not allowed to specify max heap',
  },
  {
    name: 'driver-little-memory', spark: '4.3.0', program: 'java/SlowLeak.java', conf: { 'spark.driver.memory': '480m' }, exitCode: 1, contains: 'must be at least',
  },
  {
    name: 'driver-no-python', spark: '4.0.2', program: 'python/plain_job.py', environment: { PYSPARK_PYTHON: '/opt/venv/bin/python' },
    conf: QUIET, exitCode: 1, contains: 'Cannot run program "/opt/venv/bin/python"',
  },
  {
    name: 'driver-terminated', spark: '4.1.1', program: 'streaming/long_running.py', signal: { name: 'TERM', after: 'Batch: 1' }, exitCode: 143, contains: 'Batch: 1',
  },
  {
    name: 'driver-killed', spark: '4.0.2', program: 'streaming/long_running.py', signal: { name: 'KILL', after: 'Batch: 1' }, exitCode: 137, contains: 'Batch: 1',
  },
];
