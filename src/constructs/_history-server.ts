import { SizeRoundingBehavior } from 'cdk8s';
import { seconds, wrongNumber, wrongSeconds, wrongSize } from '../props/_check';
import type { EventLogSpec } from './_event-logs';
import { CACHE_FOLDER, DEFAULT_CACHE, podViolations, PORT } from './_history-server-pod';
import { metadataViolations, wrongLabels } from '../rules/metadata';
import { found, wrongLabelName, wrongName, wrongServiceName, wrongImage } from '../rules/names';
import { trafficViolations } from './_network-policies';
import { propertiesFile } from './_properties-file';
import { wrongCpuRequest } from './_quantity';
import { exposureViolations } from './_service-exposure';
import { secretViolations } from '../rules/secret-properties';
import type { SparkHistoryServerProps } from './spark-history-server-props';
import type { Problem } from '../model/problem';

/**
 * Returns the file with the properties of the history server.
 * @internal
 */
export function serverProperties(logs: EventLogSpec, props: SparkHistoryServerProps): string {
  const { retention, cache = DEFAULT_CACHE, updateInterval } = props;
  const properties: { [key: string]: string | undefined } = {
    ...logs.conf,
    'spark.history.fs.logDirectory': logs.uri,
    'spark.history.fs.update.interval': inSeconds(seconds(updateInterval)),
    'spark.history.ui.port': String(PORT),
    'spark.history.store.path': CACHE_FOLDER,
    // Less than the size of the volume: Kubernetes evicts a pod that exceeds it.
    'spark.history.store.maxDiskUsage': `${Math.floor(cache.toMebibytes({ rounding: SizeRoundingBehavior.FLOOR }) * 0.9)}m`,
    'spark.history.fs.cleaner.enabled': String(retention !== undefined),
    'spark.history.fs.cleaner.maxAge': inSeconds(seconds(retention?.maxAge)),
    'spark.history.fs.cleaner.maxNum': retention?.maxApplications?.toString(),
    'spark.history.fs.cleaner.interval': inSeconds(seconds(retention?.interval)),
    ...props.sparkConf,
  };
  return propertiesFile(
    Object.fromEntries(Object.entries(properties).filter((entry): entry is [string, string] => entry[1] !== undefined)),
  );
}

function inSeconds(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${value}s`;
}

/**
 * Returns the problems of the props.
 * @internal
 */
export function serverViolations(logs: EventLogSpec, props: SparkHistoryServerProps): Problem[] {
  const { retention = {} } = props;
  return [
    ...found([
      /^[0-9][0-9A-Za-z._-]*$/.test(props.sparkVersion) ? undefined : {
        path: 'sparkVersion', value: props.sparkVersion, reason: 'is not a version such as 4.1.1',
      },
      props.image === undefined && logs.connector !== undefined ? {
        path: 'image', value: undefined,
        reason: `is missing: Spark's own image has no ${logs.connector}, which is needed to read the event logs; choose an image that contains it`,
      } : undefined,
      wrongImage('image', props.image),
      ...(props.imagePullSecrets ?? []).map((name, index) => wrongName(`imagePullSecrets[${index}]`, name)),
      wrongServiceName('name', props.name),
      wrongLabelName('namespace', props.namespace),
      wrongSize('memory', props.memory),
      props.memory && props.memory.toMebibytes({ rounding: SizeRoundingBehavior.FLOOR }) < MIN_MEMORY ? {
        path: 'memory', value: props.memory.asString(), reason: `is not enough for a JVM; write at least ${MIN_MEMORY} MiB`,
      } : undefined,
      wrongCpuRequest('cpu', props.cpu),
      wrongSize('cache', props.cache, MIN_CACHE),
      wrongSeconds('retention.maxAge', retention.maxAge),
      wrongNumber('retention.maxApplications', retention.maxApplications, 1),
      wrongSeconds('retention.interval', retention.interval),
      wrongSeconds('updateInterval', props.updateInterval),
      wrongNumber('userId', props.userId, 1),
      props.userIdFromPlatform && props.userId !== undefined ? {
        path: 'userId', value: props.userId, reason: 'contradicts userIdFromPlatform; leave one of them out',
      } : undefined,
      props.isolated === false && (props.clients || props.egress || props.dns) ? {
        path: props.clients ? 'clients' : props.egress ? 'egress' : 'dns', value: undefined,
        reason: 'has no effect with isolated: false; leave one of them out',
      } : undefined,
      props.clients?.length === 0
        ? { path: 'clients', value: undefined, reason: 'is empty, so that no client could open the web UI; leave it out, or add a client' }
        : undefined,
    ]),
    ...podViolations(logs, props),
    ...exposureViolations('', props),
    ...Object.entries(props.sparkConf ?? {}).flatMap(([key, value]) => (key.startsWith('spark.') ? [] : [
      { path: `sparkConf[${key}]`, value, reason: "is ignored: the names of Spark's properties begin with spark." },
    ])),
    ...Object.entries(OWN).filter(([key]) => props.sparkConf?.[key] !== undefined).map(([key, reason]) => ({
      path: `sparkConf[${key}]`, value: props.sparkConf![key], reason,
    })),
    ...secretViolations('sparkConf', props.sparkConf, 'write ${env:NAME} (${env.NAME} for spark.hadoop.…) with NAME in secretEnv'),
    ...(props.dns ? trafficViolations('dns', props.dns) : []),
    ...(props.egress ?? []).flatMap((traffic, index) => trafficViolations(`egress[${index}]`, traffic)),
    ...wrongLabels('podLabels', props.podLabels),
    ...metadataViolations('name', { annotations: props.podAnnotations }).map((problem) => ({
      ...problem, path: problem.path.replace('metadata.annotations', 'podAnnotations'),
    })),
  ];
}

/** Properties on which other created objects depend. */
const OWN: { readonly [key: string]: string } = {
  'spark.history.ui.port': `conflicts with the Service, probes and NetworkPolicy, which use ${PORT}; leave it out`,
  'spark.history.fs.logDirectory': 'is set by eventLogs; use eventLogs instead',
  'spark.history.store.path': 'must be the only writable folder; leave it out, and set its size with cache',
};

const MIN_MEMORY = 256;
/** Minimum size: less is not enough for one event log. */
const MIN_CACHE = 256;
