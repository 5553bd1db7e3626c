import { CLUSTER_OPTIONS } from '../cluster';
import type { Options } from '../options';
import { UPLOAD_OPTIONS } from '../create/upload-options';
import { TIMEOUT_OPTION } from '../wait/timeout';

/** Formats of `--dry-run`. */
export const DRY_RUN_FORMATS = ['yaml', 'typescript'] as const;

/** Options of spark-submit. Those without an effect here are accepted, with a note. */
export const SPARK_OPTIONS = {
  'master': { value: 'URL', help: "k8s:// and the URL of the API server, which must be that of the kubeconfig's context" },
  'deploy-mode': { value: 'MODE', choices: ['cluster', 'client'], help: 'the driver runs in the cluster; client is rejected; one of' },
  'class': { value: 'NAME', help: 'class with the main method, of a Java or Scala application' },
  'name': { value: 'NAME', help: 'beginning of the name of the SparkApplication (default: the class, else the name of the file)' },
  'conf': { short: 'c', value: 'KEY=VALUE', repeatable: true, help: 'Spark property; can be repeated' },
  'properties-file': { value: 'FILE', help: 'file with Spark properties (default: spark-defaults.conf in $SPARK_CONF_DIR or $SPARK_HOME/conf)' },
  'extra-properties-file': { value: 'FILE', repeatable: true, help: 'further file with Spark properties; can be repeated' },
  'load-spark-defaults': { help: 'read spark-defaults.conf even with --properties-file' },
  'jars': { value: 'FILE,…', help: 'jars for the class path of driver and executors' },
  'packages': { value: 'GROUP:ARTIFACT:VERSION,…', help: 'Maven packages that the driver resolves' },
  'exclude-packages': { value: 'GROUP:ARTIFACT,…', help: 'dependencies of --packages to leave out' },
  'repositories': { value: 'URL,…', help: 'further Maven repositories for --packages' },
  'py-files': { value: 'FILE,…', help: '.py, .zip and .egg files for the Python path' },
  'files': { value: 'FILE,…', help: 'files for the working directory of each executor' },
  'archives': { value: 'FILE,…', help: 'archives to unpack there; FILE#NAME chooses the folder' },
  'driver-memory': { value: 'SIZE', help: 'memory of the driver, such as 1000M or 2G (default 1g)' },
  'driver-cores': { value: 'N', help: 'cores of the driver (default 1)' },
  'driver-java-options': { value: 'OPTIONS', help: 'JVM options of the driver' },
  'driver-class-path': { value: 'PATHS', help: 'entries for the class path of the driver' },
  'driver-library-path': { value: 'PATHS', help: 'entries for the library path of the driver' },
  'executor-memory': { value: 'SIZE', help: 'memory of each executor, such as 1000M or 2G (default 1g)' },
  'executor-cores': { value: 'N', help: 'cores of each executor (default 1)' },
  'num-executors': { value: 'N', help: 'number of executors (default 2)' },
  'proxy-user': { value: 'NAME', help: 'user that Spark impersonates towards Hadoop' },
  'principal': { value: 'NAME', help: 'Kerberos principal' },
  'keytab': { value: 'FILE', help: 'its keytab, which must be in the pods: local:///path' },
  'queue': { value: 'NAME', help: 'for YARN; no effect' },
  'total-executor-cores': { value: 'N', help: 'for a standalone cluster; no effect' },
  'supervise': { help: 'for a standalone cluster; no effect' },
  'kill': { value: 'ID', help: 'rejected: use sparkctl suspend or sparkctl delete' },
  'status': { value: 'ID', help: 'rejected: use sparkctl status' },
  'remote': { value: 'URL', help: 'rejected: it is for clients of Spark Connect' },
  'verbose': { short: 'v', help: 'print the Spark properties and where each comes from' },
  'version': { help: 'print the version of sparkctl' },
} as const satisfies Options;

/** Options of sparkctl. None has the name of one of spark-submit. */
export const OWN_OPTIONS = {
  ...CLUSTER_OPTIONS,
  'application': { value: 'NAME', help: 'name of the SparkApplication (default: from --name, with a random suffix)' },
  'spark-version': {
    value: 'VERSION', help: "version of Spark in the image (default: that in the image's tag, else of $SPARK_HOME), such as 4.1.1",
  },
  ...UPLOAD_OPTIONS,
  'dry-run': {
    value: 'FORMAT', optional: true, choices: DRY_RUN_FORMATS,
    help: 'send nothing, and print the SparkApplication as YAML, or as a program with cdk8s; one of',
  },
  'follow': { help: "print the driver's log instead of the progress" },
  'no-wait': { help: 'return after the creation (as spark.kubernetes.submission.waitAppCompletion: false)' },
  'timeout': TIMEOUT_OPTION,
} as const satisfies Options;

/** All options of `sparkctl submit`. */
export const SUBMIT_OPTIONS = { ...SPARK_OPTIONS, ...OWN_OPTIONS } as const;

/** The Spark property that an option sets. Others are no properties. */
export const OPTION_PROPERTIES: Readonly<Partial<Record<keyof typeof SPARK_OPTIONS, string>>> = {
  'master': 'spark.master',
  'deploy-mode': 'spark.submit.deployMode',
  'name': 'spark.app.name',
  'jars': 'spark.jars',
  'packages': 'spark.jars.packages',
  'exclude-packages': 'spark.jars.excludes',
  'repositories': 'spark.jars.repositories',
  'py-files': 'spark.submit.pyFiles',
  'files': 'spark.files',
  'archives': 'spark.archives',
  'driver-memory': 'spark.driver.memory',
  'driver-cores': 'spark.driver.cores',
  'driver-java-options': 'spark.driver.extraJavaOptions',
  'driver-class-path': 'spark.driver.extraClassPath',
  'driver-library-path': 'spark.driver.extraLibraryPath',
  'executor-memory': 'spark.executor.memory',
  'executor-cores': 'spark.executor.cores',
  'num-executors': 'spark.executor.instances',
  'principal': 'spark.kerberos.principal',
  'keytab': 'spark.kerberos.keytab',
};
