import type { Difference } from './differences.ts';

/** Differences of one cause. */
export interface KnownDifference {
  /** The CRD that has the field or fact: `ours` alone, `theirs` alone, or both with different values. */
  readonly side: 'ours' | 'theirs' | 'both';
  /** The field or fact, as in a difference. */
  readonly facts: readonly string[];
  /** Kinds, space-separated; all without. Entries for SparkApplication are also for the template of a schedule. */
  readonly kinds?: string;
  /** Paths, space-separated: `*` is any part of a name or several, and `(a|b)` one of two. */
  readonly paths: string;
  /** Why it is so. */
  readonly reason: string;
}

/** All differences between the CRDs of kubeflow/spark-operator's main branch and ours. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  // Fields that only our CRDs have.
  {
    side: 'ours', facts: ['field'], kinds: 'SparkApplication',
    paths: 'spec.activeDeadlineSeconds spec.restartPolicy.backoff spec.(driver|executor).memoryOverheadFactor spec.monitoring.prometheusServlet',
    reason: 'ours: deadline, growing pauses, the overhead of one role, metrics without a JMX exporter',
  },
  {
    side: 'ours', facts: ['field'], kinds: 'ScheduledSparkApplication', paths: 'spec.catchUpPolicy spec.startingDeadlineSeconds',
    reason: 'ours: missed runs, see docs/guides/schedules.md',
  },
  {
    side: 'ours', facts: ['field'], kinds: 'SparkConnect', paths: 'spec.suspend spec.restartPolicy spec.idleTimeToLiveSeconds spec.sparkUIOptions',
    reason: 'ours: restarts, suspension, idle servers, web UI, see docs/guides/connect.md',
  },
  {
    side: 'ours', facts: ['field'],
    paths: 'status.conditions status.observedGeneration status.(appliedDefaults|attemptHistory|omittedAttempts|deadlineTime|startDeadlineTime|specHash) status.(lastRunNow|runHistory|scheduleHash) '
      + 'status.(idleSince|lastTerminationTime|restarts) status.server.webUIIngress*',
    reason: 'ours: conditions, history, and what the operator records to continue after a restart',
  },
  {
    side: 'ours', facts: ['field'], kinds: 'SparkApplication', paths: 'spec.volumes[].ephemeral.volumeClaimTemplate.metadata.*',
    reason: "kubeflow's generator keeps five fields of the metadata; ours takes all that Kubernetes' type has",
  },
  // Values that kubeflow's CRD leaves to the API server or Spark, or does not set.
  {
    side: 'ours', facts: ['enum'], kinds: 'SparkApplication',
    paths: '*.imagePullPolicy *.image.pullPolicy *.terminationMessagePolicy *.protocol *.scheme *.procMount *.mountPropagation *Profile.type *.fsGroupChangePolicy *.supplementalGroupsPolicy '
      + '*.tolerations[].(effect|operator) *.affinity*.operator *.volumeMode *.hostPath.type *.azureDisk.(kind|cachingMode) *.serviceType',
    reason: "Kubernetes' words, which would fail when the pod or Service is created",
  },
  {
    side: 'ours', facts: ['enum'], kinds: 'SparkConnect', paths: 'spec.server.service.spec.*',
    reason: "Kubernetes' words, which would fail when the Service is created",
  },
  { side: 'ours', facts: ['enum'], kinds: 'ScheduledSparkApplication', paths: 'spec.concurrencyPolicy', reason: 'other words have no meaning' },
  {
    side: 'ours', facts: ['enum'], paths: 'status.applicationState.state status.executorState{} status.scheduleState status.state',
    reason: 'states are words of a fixed list, the same as there and Suspended',
  },
  {
    side: 'ours', facts: ['minimum', 'maximum'], kinds: 'SparkApplication SparkConnect',
    paths: '*.gpu.quantity *.containerPort *.servicePort spec.dynamicAllocation.*', reason: 'ports, and amounts below 0, that fail later',
  },
  {
    side: 'ours', facts: ['minimum', 'maximum'], kinds: 'ScheduledSparkApplication', paths: 'spec.(successful|failed)RunHistoryLimit',
    reason: 'a history has a limit',
  },
  {
    side: 'ours', facts: ['minLength'], paths: '*.(configMaps|secrets)[].* *.envSecretKeyRefs{}.* spec.(spark|hadoop)ConfigMap spec.mainApplicationFile spec.schedule',
    reason: 'empty names fail later',
  },
  {
    side: 'ours', facts: ['maxLength'],
    paths: '*.ports[].name *.portName *volumeMounts[].name spec.volumes[].name *.ingressURLFormat spec.schedule spec.timeZone spec.server.service.metadata.name',
    reason: "Kubernetes' maxima, and bounds of docs/explain/deviations.md",
  },
  {
    side: 'ours', facts: ['maxItems', 'maxProperties'], paths: 'spec.*', reason: 'each list and map has a bound, see docs/explain/deviations.md',
  },
  {
    side: 'ours', facts: ['rules'],
    paths: 'spec *.memory *.memoryLimit *.memoryOverhead *.memoryOverheadFactor *.podName *.ports[].name *.portName *.driverIngressOptions *.dynamicAllocation *.sparkConf '
      + 'spec.schedule spec.timeZone spec.server.service.metadata.name',
    reason: 'mistakes that Spark or Kubernetes would report later, see docs/reference/admission-rules.md',
  },
  // Other spellings of the same.
  {
    side: 'ours', facts: ['x-kubernetes-preserve-unknown-fields'], kinds: 'SparkConnect', paths: 'spec.server.service.status',
    reason: 'accepted for existing manifests and not used, so any content will do',
  },
  {
    side: 'both', facts: ['pattern'], paths: '*.(limits|requests|resources){} *.divisor *.sizeLimit', reason: 'quantities: our pattern takes the same values as Kubernetes, and has no groups',
  },
  {
    side: 'ours', facts: ['pattern', 'x-kubernetes-preserve-unknown-fields', 'minItems'],
    paths: '*.(limits|requests|resources){} *.divisor *.sizeLimit *.core(Limit|Request)',
    reason: 'quantities are text or a number, also coreRequest and coreLimit: int-or-string would reject 0.5',
  },
  {
    side: 'theirs', facts: ['x-kubernetes-int-or-string', 'type'],
    paths: '*.(limits|requests|resources){} *.divisor *.sizeLimit *.core(Limit|Request)',
    reason: 'quantities are text or a number, also coreRequest and coreLimit: int-or-string would reject 0.5',
  },
  {
    side: 'theirs', facts: ['pattern'], kinds: 'SparkApplication', paths: 'spec.driver.podName',
    reason: 'their pattern is not anchored and matches every text with a letter; ours is a rule',
  },
  {
    side: 'theirs', facts: ['default'], kinds: 'SparkApplication', paths: 'spec.*.name spec.*.service spec.*.optional spec.volumes[].*',
    reason: "Kubernetes' defaults, which the API server sets in the pod",
  },
  {
    side: 'theirs', facts: ['x-kubernetes-list-type', 'x-kubernetes-map-type'], paths: 'spec.*',
    reason: 'lists are atomic by default; other types matter only if several field managers apply parts of one selector, reference or set',
  },
  {
    side: 'theirs', facts: ['enum', 'minimum', 'minLength', 'maxLength', 'pattern'], kinds: 'SparkConnect', paths: 'status.conditions[].*',
    reason: 'only the operator writes conditions, and a rule on them could reject a status',
  },
  { side: 'ours', facts: ['nullable'], kinds: 'SparkConnect', paths: 'status.*', reason: "times can be null, as in kubeflow's SparkApplications" },
  { side: 'ours', facts: ['format'], kinds: 'SparkConnect', paths: 'status.executors{}', reason: 'the same numbers' },
];

/** Whether an entry is about a difference. */
export function isKnown(known: KnownDifference, { kind, path, fact, theirs, ours }: Difference): boolean {
  const side = theirs === undefined ? 'ours' : ours === undefined ? 'theirs' : 'both';
  return known.side === side && known.facts.includes(fact) && (known.kinds?.split(' ').includes(kind) ?? true)
    && known.paths.split(' ').some((glob) => matches(glob, path));
}

/** Whether a path matches one of the paths of an entry. */
export function matches(glob: string, path: string): boolean {
  const pattern = patterns.get(glob) ?? new RegExp(`^${glob.replace(/[.[\]{}]/g, '\\$&').replaceAll('*', '.*')}$`);
  patterns.set(glob, pattern);
  return pattern.test(path);
}

const patterns = new Map<string, RegExp>();
