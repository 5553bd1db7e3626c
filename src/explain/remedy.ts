/** Remedies by patterns of Kubernetes' and Spark's messages. The first match applies. */
const REMEDIES: readonly (readonly [reason: RegExp, remedy: string])[] = [
  [
    /Err(Image|ImageNever)Pull|ImagePullBackOff|InvalidImageName|pull access denied|manifest unknown/i,
    'check spec.image, that the node can reach its registry, and spec.imagePullSecrets if it asks for a password',
  ],
  [
    /serviceaccount "?[^" ]+"? not found|service account .* (not found|does not exist)/i,
    'create the service account (`SparkJobNamespace` and `SparkOperator` make one), or name another in spec.driver.serviceAccount',
  ],
  [/exceeded quota/i, 'ask for less, wait until others have ended, or ask for a larger ResourceQuota'],
  [/persistentvolumeclaim "?[^" ]+"? not found/i, 'create the claim, or correct its name in spec.volumes'],
  [
    /Insufficient (cpu|memory|nvidia)|Unschedulable|nodes are available/i,
    'no node has room for it: ask for less in spec.driver and spec.executor, or give the cluster more nodes',
  ],
  [
    /OOMKilled|exit code 137|OutOfMemoryError/i,
    'it has run out of memory: raise spec.driver.memory or spec.executor.memory, or memoryOverhead',
  ],
  [/forbidden/i, 'the service account lacks a permission: `sparkctl doctor` shows which'],
  [
    /ClassNotFoundException|NoClassDefFoundError/i,
    'a class is missing: check spec.mainClass, and that its jar is in mainApplicationFile or spec.deps.jars',
  ],
  [
    /UnknownHostException|Name or service not known/i,
    'a host name cannot be found: check the addresses that the application uses, and the DNS of the cluster',
  ],
  [
    /No such file or directory|FileNotFoundException|NoSuchFileException|Path does not exist/i,
    'a file is missing: check spec.mainApplicationFile, and that the image has it if it begins with local://',
  ],
  [/(configmap|secret) "?[^" ]+"? not found/i, 'create it, or correct its name in the specification'],
];

/**
 * Returns the remedy for a reason in Kubernetes' or Spark's message.
 *
 * @returns undefined if none is known
 */
export function remedyFor(reason: string): string | undefined {
  return REMEDIES.find(([words]) => words.test(reason))?.[1];
}
