import { SparkApplicationType, type SparkApplicationSpec } from '../../api/spark-application';
import type { SparkConnectPodSpec, SparkConnectSpec } from '../../api/spark-connect';
import { connectContainer } from '../../api/connect-server';
import { NO_RESOURCE } from '../properties/main-application';
import type { SubmittedApplication } from '../properties/properties';

/**
 * A substitute for the class of the server. Spark's own class would be rejected, as spark-submit
 * does not submit it to a cluster (SparkSubmit.prepareSubmitEnvironment).
 */
export const SERVER_STAND_IN = 'SparkConnectServer';

/** The main application of the server's pod. */
const SERVER = { type: SparkApplicationType.SCALA, mainClass: SERVER_STAND_IN, mainApplicationFile: NO_RESOURCE } as const;

/** Spark's default number of executors. */
const EXECUTORS = 2;

/**
 * Returns a SparkConnect as the application that Spark sees: with the same properties and pods of
 * the same size, and so under the same limits.
 *
 * @param connect with a specification that matches its schema
 */
export function asApplication(
  { metadata, spec }: { readonly metadata: SubmittedApplication['metadata']; readonly spec: SparkConnectSpec },
): SubmittedApplication {
  const { sparkVersion, image, sparkConf, hadoopConf, dynamicAllocation, server, executor } = spec;
  // The field has no effect without `enabled: true`; then the property applies.
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

/** An application needs each image in a field; a SparkConnect can have it in the template. */
function podOf(
  role: 'server' | 'executor', { cores, memory, template }: SparkConnectPodSpec, { image, sparkConf }: SparkConnectSpec,
): SparkApplicationSpec['driver'] {
  const isNamed = image || sparkConf?.['spark.kubernetes.container.image']
    || sparkConf?.[`spark.kubernetes.${role === 'server' ? 'driver' : role}.container.image`];
  return withoutUndefined({ cores, memory, template, image: isNamed ? undefined : connectContainer(role, template)?.image });
}

function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Fields of an application, and where a SparkConnect has the same setting. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/spec\.(driver|executor)\.image\b/g, 'spec.$1.template.spec.containers[].image'],
  [/spec\.(driver|executor)\.serviceAccount\b/g, 'spec.$1.template.spec.serviceAccountName'],
  [/spec\.(driver|executor)\.coreRequest\b/g, 'spec.sparkConf[spark.kubernetes.$1.request.cores]'],
  [/spec\.(driver|executor)\.coreLimit\b/g, 'spec.sparkConf[spark.kubernetes.$1.limit.cores]'],
  [/, spec\.(driver|executor)\.memoryLimit\b/g, ''],
  [/spec\.(driver|executor)\.memoryOverhead\b/g, 'spec.sparkConf[spark.$1.memoryOverhead]'],
  [/spec\.(driver|executor)\.gpu\.quantity\b/g, 'spec.sparkConf[spark.$1.resource.gpu.amount]'],
  [/spec\.(driver|executor)\.volumeMounts\b/g, 'the volumeMounts of the container in spec.$1.template'],
  [/(?<![.\w])spec\.volumes\b/g, 'spec.server.template.spec.volumes or spec.executor.template.spec.volumes'],
  [/spec\.(driver|executor)\.initContainers\b/g, 'spec.$1.template'],
  [
    /(?:spec\.nodeSelector, or )?(nodeSelector and affinity|tolerations) in spec\.driver and spec\.executor\b/g,
    '$1 in spec.server.template and spec.executor.template',
  ],
  [/(?<![.\w])spec\.imagePullSecrets\b/g, 'imagePullSecrets in spec.server.template and spec.executor.template'],
  [/(?<![.\w])spec\.nodeSelector and spec\.(driver|executor)\b/g, 'spec.$1.template'],
  [/(?<![.\w])spec\.deps\.(packages|repositories)\b/g, 'spec.sparkConf[spark.jars.$1]'],
  [/(?<![.\w])spec\.deps\.jars\b/g, 'spec.sparkConf[spark.jars]'],
  [/(?<![.\w])spec\.deps\.pyFiles\b/g, 'spec.sparkConf[spark.submit.pyFiles]'],
  [/(?<![.\w])spec\.mainClass, and that its jar is in mainApplicationFile or\b/g, 'that its jar is in the image or'],
  [/(?<![.\w])spec\.mainApplicationFile, and that the image has it if it begins with local:\/\//g, 'that the image has it'],
  [/spec\.driver\b/g, 'spec.server'],
  [/\bthe driver\b/g, 'the server'],
  [/\bthe application\b/g, 'the SparkConnect'],
];

/** Returns a sentence about the application with the field names of the SparkConnect. */
export function inWordsOfConnect(sentence: string): string {
  return FIELDS.reduce((text, [field, words]) => text.replace(field, words), sentence);
}
