import { SparkApplicationType, type SparkApplicationSpec } from '../../api/spark-application';
import type { SparkConnectPodSpec, SparkConnectSpec } from '../../api/spark-connect';
import { connectContainer } from '../../api/connect-server';
import { NO_RESOURCE } from '../properties/main-application';
import type { SubmittedApplication } from '../properties/properties';

/** Stands for the class of the server: by its own name it would be refused, as spark-submit does not submit one to a cluster (SparkSubmit.prepareSubmitEnvironment). */
export const SERVER_STAND_IN = 'SparkConnectServer';

/** What runs in the server's pod. */
const SERVER = { type: SparkApplicationType.SCALA, mainClass: SERVER_STAND_IN, mainApplicationFile: NO_RESOURCE } as const;

/** Spark's own number of executors, where nothing is said. */
const EXECUTORS = 2;

/**
 * A SparkConnect as the application that its server is to Spark: with the same properties, pods of the same size, and so under the same limits.
 *
 * @param connect with a specification that keeps to its schema
 */
export function asApplication({ metadata, spec }: { readonly metadata: SubmittedApplication['metadata']; readonly spec: SparkConnectSpec }): SubmittedApplication {
  const { sparkVersion, image, sparkConf, hadoopConf, dynamicAllocation, server, executor } = spec;
  // Without enabled: true the field says nothing, and the property decides.
  const isDynamic = dynamicAllocation?.enabled || /^ *true *$/i.test(sparkConf?.['spark.dynamicAllocation.enabled'] ?? '');
  const isCounted = executor.instances !== undefined || isDynamic || sparkConf?.['spark.executor.instances'] !== undefined;
  return {
    metadata,
    spec: withoutUndefined({
      ...SERVER, sparkVersion, image, sparkConf, hadoopConf, dynamicAllocation,
      driver: podOf('server', server, spec),
      executor: withoutUndefined({ ...podOf('executor', executor, spec), instances: isCounted ? executor.instances : EXECUTORS }),
    }),
  };
}

/** Of an application each image has to be in a field; here it may be in the template. */
function podOf(role: 'server' | 'executor', { cores, memory, template }: SparkConnectPodSpec, { image, sparkConf }: SparkConnectSpec): SparkApplicationSpec['driver'] {
  const isNamed = image || sparkConf?.['spark.kubernetes.container.image'] || sparkConf?.[`spark.kubernetes.${role === 'server' ? 'driver' : role}.container.image`];
  return withoutUndefined({ cores, memory, template, image: isNamed ? undefined : connectContainer(role, template)?.image });
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Where a SparkConnect says what an application has fields for. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/spec\.(driver|executor)\.image\b/g, 'spec.$1.template.spec.containers[].image'],
  [/spec\.(driver|executor)\.serviceAccount\b/g, 'spec.$1.template.spec.serviceAccountName'],
  [/spec\.(driver|executor)\.coreRequest\b/g, 'spec.sparkConf[spark.kubernetes.$1.request.cores]'],
  [/spec\.(driver|executor)\.coreLimit\b/g, 'spec.sparkConf[spark.kubernetes.$1.limit.cores]'],
  [/, spec\.(driver|executor)\.memoryLimit\b/g, ''],
  [/spec\.(driver|executor)\.memoryOverhead\b/g, 'spec.sparkConf[spark.$1.memoryOverhead]'],
  [/spec\.(driver|executor)\.gpu\.quantity\b/g, 'spec.sparkConf[spark.$1.resource.gpu.amount]'],
  [/spec\.(driver|executor)\.volumeMounts\b/g, 'the volumeMounts of the container in spec.$1.template'],
  [/(?<![.\w])spec\.volumes\b/g, 'spec.template.volumes of server or executor'],
  [/spec\.driver\b/g, 'spec.server'],
  [/\bthe driver\b/g, 'the server'],
];

/** A sentence about that application, in the words of the SparkConnect. */
export function inWordsOfConnect(sentence: string): string {
  return FIELDS.reduce((text, [field, words]) => text.replace(field, words), sentence);
}
