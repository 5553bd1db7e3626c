/** Values that Kubernetes fills in where a field is missing, and that say nothing about the pod's author. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  apiVersion: 'v1', // of a fieldRef
  defaultMode: 0o644,
  dnsPolicy: 'ClusterFirst',
  failureThreshold: 3,
  imagePullPolicy: 'IfNotPresent',
  mode: 0o644,
  periodSeconds: 10,
  protocol: 'TCP',
  schedulerName: 'default-scheduler',
  scheme: 'HTTP',
  successThreshold: 1,
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  timeoutSeconds: 1,
  volumeMode: 'Filesystem',
};

/** Where nothing at all says nothing; elsewhere it does, as in `emptyDir: {}`. */
const EMPTY_IS_ABSENT = new Set(['metadata', 'resources', 'volumeMounts']);

/**
 * Returns a pod without the values that the API server fills in and adds. Lists whose order means nothing become maps; the last of two variables with
 * one name applies. `ID` replaces values that are generated for each run, and other words replace the values in `names`.
 */
export function comparablePod(pod: any, names: Readonly<Record<string, string>>): any {
  const { metadata: { name, labels, annotations, ownerReferences }, spec } = withNames(pod, names);
  const { nodeName, serviceAccount, preemptionPolicy, tolerations, volumes, initContainers, containers, ...rest } = spec;
  return {
    metadata: { name, labels, annotations, ownerReferences: ownerReferences.map(({ uid, ...owner }: any) => owner) },
    spec: withoutDefaults({
      ...rest,
      tolerations: tolerations.filter(({ key, tolerationSeconds }: any) => !(/^node\.kubernetes\.io\/(not-ready|unreachable)$/.test(key) && tolerationSeconds === 300)),
      initContainers: initContainers.map(comparableContainer),
      containers: byKey('name', containers.map(comparableContainer)),
      volumes: byKey('name', volumes.filter(isNotToken)),
    }),
  };
}

function withNames(pod: any, names: Readonly<Record<string, string>>): any {
  const text = Object.entries(names).reduce((result, [from, to]) => result.replaceAll(from, to), JSON.stringify(pod));
  return JSON.parse(text.replaceAll(/(?<=[a-z]-)([0-9a-f]{32}|[0-9a-f]{16})\b/g, 'ID'));
}

function comparableContainer({ env, ports, volumeMounts, ...container }: any): any {
  return {
    ...container,
    ...(env && { env: effective(env) }),
    ...(ports && { ports: byKey('containerPort', ports) }),
    volumeMounts: byKey('mountPath', (volumeMounts ?? []).filter(isNotToken)),
  };
}

/** Options of executors' JVMs that are Spark's own: of JavaModuleOptions, and properties that executors start with. */
const OPTION_OF_SPARK = /^(-XX:\+IgnoreUnrecognizedVMOptions$|--(add-modules|add-opens|enable-native-access|sun-misc-unsafe-memory-access)=|-D(spark|io\.netty|java\.net|jdk)\.)/;

/** Variables by their names. Of the JVM's options that Spark passes on in numbered variables only those count that users wrote, in the order of the numbers. */
function effective(env: readonly any[]): Record<string, unknown> {
  const isOption = ({ name }: any) => name.startsWith('SPARK_JAVA_OPT_');
  const numberOf = ({ name }: any) => Number(name.slice('SPARK_JAVA_OPT_'.length));
  const variables = Object.fromEntries(env.filter((variable) => !isOption(variable)).map(({ name, value, valueFrom }) => [name, valueFrom ?? value ?? '']));
  const options = env.filter(isOption).toSorted((a, b) => numberOf(a) - numberOf(b)).map(({ value }) => value).filter((option) => !OPTION_OF_SPARK.test(option));
  return {
    ...variables,
    ...(variables.SPARK_LOCAL_DIRS && { SPARK_LOCAL_DIRS: variables.SPARK_LOCAL_DIRS.split(',').toSorted().join(',') }),
    ...(options.length > 0 && { SPARK_JAVA_OPT: options.join(' ') }),
  };
}

function isNotToken({ name }: { name: string }): boolean {
  return !name.startsWith('kube-api-access-');
}

function byKey(key: string, list: readonly any[]): any {
  return Object.fromEntries(list.map(({ [key]: name, ...item }) => [name, item]));
}

function withoutDefaults(value: any): any {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, item]) => item !== DEFAULTS[key] && !(EMPTY_IS_ABSENT.has(key) && Object.keys(item as object).length === 0));
  return Object.fromEntries(kept.map(([key, item]) => [key, withoutDefaults(item)]));
}
