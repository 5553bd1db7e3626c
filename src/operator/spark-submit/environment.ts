import { join } from 'node:path';
import { type Environment, proxyOptions } from './proxies';
import { TRUST_STORE_PASSWORD } from './trust-store';

/** What spark-submit, its scripts and the clients in it read. */
const NEEDED = new Set([
  'HADOOP_CONF_DIR', 'HADOOP_HOME', 'HADOOP_USER_NAME', 'HOME', 'JAVA_HOME', 'KUBECONFIG', 'KUBERNETES_SERVICE_HOST',
  'KUBERNETES_SERVICE_PORT', 'LANG', 'LC_ALL', 'LD_LIBRARY_PATH', 'PATH', 'SPARK_CONF_DIR', 'SPARK_DIST_CLASSPATH', 'SPARK_HOME',
  'SPARK_LOCAL_IP', 'SPARK_USER', 'TZ', 'YARN_CONF_DIR', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy',
]);

/** Where object storage's clients look for credentials, to upload files with. */
const CREDENTIALS = /^(AWS|AZURE|GOOGLE)_/;

/** What names folders and jars of a configuration of Hadoop on the class path of spark-submit (AbstractCommandBuilder.buildClassPath). */
const HADOOP_CONFIGURATION = ['HADOOP_CONF_DIR', 'YARN_CONF_DIR', 'SPARK_DIST_CLASSPATH'];

/** Whether spark-submit may read a configuration of Hadoop of the operator's. A core-site.xml in Spark's own folder is not noticed. */
export function hasHadoopConfiguration(environment: Environment): boolean {
  return HADOOP_CONFIGURATION.some(name => environment[name]);
}

/** What the JVM of spark-submit is started with. */
export interface JvmInput {
  /** Folder for temporary files. */
  readonly temporary: string;
  /** The class data archive and the jars that it was made of, in that order; undefined if there is none. */
  readonly archive?: ClassArchive;
  /** A file with the certificates to trust, as `trustStore` makes it. @default - those that the JVM comes with */
  readonly trustStore?: string;
}

/** An archive of loaded classes (AppCDS). */
export interface ClassArchive {
  readonly file: string;
  /** The jars of the class path at the time, as absolute paths. Others, or another order, make the archive useless. */
  readonly jars: readonly string[];
}

/** What makes a JVM cheap that lives for two seconds. */
const CHEAP = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/**
 * The environment of spark-submit: what it needs of the operator's, and the options of its JVM, to which those of the operator's
 * SPARK_SUBMIT_OPTS are appended, so that they win.
 */
export function sparkSubmitEnvironment(environment: Environment, { temporary, archive, trustStore }: JvmInput): { [name: string]: string } {
  const kept = Object.entries(environment).filter((entry): entry is [string, string] => (
    entry[1] !== undefined && (NEEDED.has(entry[0]) || CREDENTIALS.test(entry[0]))));
  const options = [
    ...CHEAP,
    `-Djava.io.tmpdir=${temporary}`,
    ...(archive ? archiveOptions(archive, environment) : []),
    ...(trustStore ? [`-Djavax.net.ssl.trustStore=${trustStore}`, '-Djavax.net.ssl.trustStoreType=JKS', `-Djavax.net.ssl.trustStorePassword=${TRUST_STORE_PASSWORD}`] : []),
    ...proxyOptions(environment),
    ...(environment.SPARK_SUBMIT_OPTS ? [environment.SPARK_SUBMIT_OPTS] : []),
  ];
  return {
    ...Object.fromEntries(kept),
    SPARK_LAUNCHER_OPTS: CHEAP.join(' '), // of the JVM that only puts the command together
    SPARK_SUBMIT_OPTS: options.join(' '),
  };
}

/**
 * spark-submit names the jars by a pattern, which the JVM expands in the order of the file system; an archive needs the order in
 * which it was made. A second class path replaces the first. The folders of configuration come last, as an archive allows no
 * folder before a jar.
 */
function archiveOptions({ file, jars }: ClassArchive, environment: Environment): string[] {
  const folders = [
    environment.SPARK_CONF_DIR ?? (environment.SPARK_HOME ? join(environment.SPARK_HOME, 'conf') : undefined),
    environment.HADOOP_CONF_DIR, environment.YARN_CONF_DIR, environment.SPARK_DIST_CLASSPATH,
  ];
  const classPath = [...jars, ...folders.filter(folder => folder)].join(':');
  return [`-XX:SharedArchiveFile=${file}`, '-Xshare:auto', '-cp', classPath];
}
