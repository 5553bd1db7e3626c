import { parseQuantity } from '../rules/quantity';

/** Advice for a reason; groups of the pattern are passed to a function. */
type Advice = string | ((...groups: readonly (string | undefined)[]) => string);

/** Remedies by patterns of Kubernetes' and Spark's messages. The first match applies. */
export const REMEDIES: readonly (readonly [reason: RegExp, remedy: Advice])[] = [
  [
    /Err(Image|ImageNever)Pull|ImagePullBackOff|InvalidImageName|pull access denied|manifest unknown/i,
    'check spec.image, or the image of its role, that the node can reach its registry, and spec.imagePullSecrets if it asks for a password',
  ],
  [
    /serviceaccount "?[^" ]+"? not found|service account .* (not found|does not exist)/i,
    'create the service account (`SparkJobNamespace` and `SparkOperator` make one), or name another in spec.driver.serviceAccount',
  ],
  [
    /exceeded quota(?:: \S+, requested: (\S+), used: \S+, limited: ([^\s;]+))?/i,
    (_, requested, limited) => (isBeyond(requested, limited)
      ? 'ask for less, or for a larger ResourceQuota: one pod asks for more than it allows in all'
      : 'ask for less, or for a larger ResourceQuota; if other pods use it, wait until they have ended'),
  ],
  [/persistentvolumeclaim "?[^" ]+"? not found/i, 'create the claim, or correct its name in spec.volumes'],
  [
    /unbound immediate PersistentVolumeClaims/,
    'a PersistentVolumeClaim of its namespace is not bound: `kubectl get pvc` shows which one, and `kubectl describe pvc` why',
  ],
  [
    /^(?!.*Insufficient ).*(?:no node fits its selector or affinity|didn't match Pod's node affinity\/selector)/,
    'correct spec.nodeSelector, or nodeSelector and affinity in spec.driver and spec.executor, or label a node',
  ],
  [
    /^(?!.*Insufficient ).*untolerated taint/,
    'add tolerations in spec.driver and spec.executor, or remove the taint from a node',
  ],
  [
    /Insufficient (?!(?:driver|executor) memory)\S|Too many pods|no node has enough/,
    'no node has room for it: ask for less in spec.driver and spec.executor, or give the cluster more nodes',
  ],
  [
    /PodGroup not found/,
    'the scheduler did not know its PodGroup yet, and tries again when it places another pod, or after five minutes: wait, or run it again',
  ],
  [/no nodes available to schedule pods/, 'the cluster has no nodes: add some'],
  [
    /Unschedulable|nodes are available/,
    'no node takes it: change what the message names, in spec.driver and spec.executor or on the nodes',
  ],
  [
    /\binit container (\S+) .*(?:OOMKilled|memory limit)/,
    (_, name) => `raise the memory limit of the init container ${name} (in spec.driver.initContainers, or where it is injected)`,
  ],
  [/spark-submit: .*OOMKilled/, "raise spec.driver.memory or spec.driver.memoryOverhead: spark-submit has the driver's limit"],
  [
    /a Python worker crashed(?: in (?:the (driver)|executor))?/,
    (_, role = 'executor') => `raise spec.${role}.memoryOverhead, which Python uses; `
      + 'if the memory suffices, set spark.python.worker.faulthandler.enabled to log where it crashes',
  ],
  [
    /\bexecutor \w+ .*(?:OOMKilled|memory limit)|\bexecutors? failed: .*OOMKilled/,
    'raise spec.executor.memoryOverhead, which Python and native libraries use, or spec.executor.memory',
  ],
  [
    /driver's container exceeded its memory limit|driver container failed with ExitCode: 137, Reason: OOMKilled/,
    'raise spec.driver.memoryOverhead, which Python and native libraries use, or spec.driver.memory',
  ],
  [
    /OutOfMemoryError: .* in executor |\bexecutor \w+ ended with exit code 52|\bexecutors? failed: .*exit code 52/,
    'raise spec.executor.memory, or use more and smaller partitions',
  ],
  [
    /OutOfMemoryError: (Java heap|GC overhead)|driver ended with exit code 52/,
    'raise spec.driver.memory, or collect less data in the driver',
  ],
  [/Insufficient driver memory/, 'raise spec.driver.memory to at least 512m'],
  [/Insufficient executor memory/, 'raise spec.executor.memory to at least 512m'],
  [/larger than spark\.driver\.maxResultSize/, 'collect less data in the driver, or raise spark.driver.maxResultSize in spec.sparkConf'],
  [
    /\b(?:executor \w+|the (driver)) ended with exit code 137\b|\bexecutors? failed: .*exit code 137/,
    (_, role = 'executor') => `it might have run out of memory: raise spec.${role}.memoryOverhead or spec.${role}.memory`,
  ],
  [
    /exit code 137(?!.*OOMKilled)/,
    'it might have run out of memory: raise spec.driver.memory or spec.executor.memory, or memoryOverhead',
  ],
  [
    /OOMKilled|OutOfMemoryError/i,
    'it has run out of memory: raise spec.driver.memory or spec.executor.memory, or memoryOverhead',
  ],
  [
    /the service account (\S+) has no permission to (\w+) (\S+)( in (?:namespace \S+|all namespaces))?/,
    (_, account, verb, resource, place = '') => (
      `bind a Role with all permissions of a driver to the service account ${account}, which cannot ${verb} ${resource}${place}; `
      + '`SparkJobNamespace` makes such an account'
    ),
  ],
  [
    /Service: (?:Amazon )?S3\b.*Status Code: 40[13]|(?:AccessDenied|Authorization)\w*: (?:s3|gs|abfs|wasb)\w*:\/\/|AWS [Cc]redentials/,
    'the object store denies access: check the credentials of the application and their permissions, in spec.hadoopConf or the pods',
  ],
  [
    /driver did not reach the API server/,
    'run it again; if it fails again, check the network of the pods, or raise spark.kubernetes.driver.requestTimeout in spec.sparkConf',
  ],
  [
    /its startup probe failed/,
    'its log might show why it starts slowly; with a startupProbe in spec.server.template, a higher failureThreshold gives it more time',
  ],
  [/violates PodSecurity/, 'set what it names in securityContext of spec.driver and spec.executor, or in podSecurityContext'],
  [
    /driver's service account has no permission to/,
    'bind a Role with all permissions of a driver to its service account; `SparkJobNamespace` makes such an account',
  ],
  [/is forbidden: User |has no permission to/, 'the service account lacks a permission: `sparkctl doctor` shows which'],
  [
    /No space left on device/i,
    'a disk is full: give the local files of Spark a larger volume (named spark-local-dir-1), or raise the limit of ephemeral-storage',
  ],
  [/longer than activeDeadlineSeconds allows/, 'raise spec.activeDeadlineSeconds, or make the application faster'],
  [/^Evicted|; Evicted: /, 'its node was low on a resource: request what it needs in spec.driver, or run it again'],
  [
    /Maven package .*: the host (\S+) of a repository is unknown/,
    (_, host) => `the cluster cannot resolve ${host}: check its DNS and network, or name a repository that it reaches in spec.deps.repositories`,
  ],
  [/^Maven package /, 'correct spec.deps.packages, or name the repository of the package in spec.deps.repositories'],
  [/ModuleNotFoundError|No module named/, 'a Python module is missing: add it to the image, or to spec.deps.pyFiles'],
  [
    /ClassNotFoundException|NoClassDefFoundError|Failed to load class|main class was not found/i,
    'a class is missing: check spec.mainClass, and that its jar is in mainApplicationFile or spec.deps.jars',
  ],
  [
    /UnknownHostException|Name or service not known/i,
    'a host name cannot be found: check the addresses that the application uses, and the DNS of the cluster',
  ],
  [
    /can't open file|No such file or directory|FileNotFoundException|NoSuchFileException/i,
    'a file is missing: check spec.mainApplicationFile, and that the image has it if it begins with local://',
  ],
  [
    /(configmap|secret) "?(?:[^" /]+\/)?([^" ]+?)"? not found/i,
    (_, kind, name) => `create the ${kind!.toLowerCase() === 'secret' ? 'Secret' : 'ConfigMap'} ${name}, or correct its name in the specification`,
  ],
  [
    /couldn't find key (\S+) in (Secret|ConfigMap) (?:[^/\s]+\/)?([^\s;,]+)/,
    (_, key, kind, name) => `add the key ${key} to the ${kind} ${name}, or correct it in the specification`,
  ],
  [
    /references non-existent (?:secret|config) key:? ([^\s;,]+)/,
    (_, key) => `add the key ${key} to its Secret or ConfigMap, or correct it in the specification`,
  ],
];

/**
 * Returns the remedy for a reason in Kubernetes' or Spark's message.
 *
 * @returns undefined if none is known
 */
export function remedyFor(reason: string): string | undefined {
  for (const [pattern, advice] of REMEDIES) {
    const match = pattern.exec(reason);
    if (match) return typeof advice === 'string' ? advice : advice(...match);
  }
  return undefined;
}

/** Whether a request exceeds a limit for one of the resources, as in `requests.cpu=1,pods=1`. */
function isBeyond(requested = '', limited = ''): boolean {
  const limits = new Map(limited.split(',').map((each) => each.split('=', 2) as [string, string]));
  return requested.split(',').some((each) => {
    const [name, amount] = each.split('=', 2) as [string, string];
    const [asked, most] = [parseQuantity(amount ?? ''), parseQuantity(limits.get(name) ?? '')];
    return asked !== undefined && most !== undefined && asked > most;
  });
}
