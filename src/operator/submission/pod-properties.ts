import type { SparkProperties } from './spark-conf';
import {
  LABEL_APP_NAME, LABEL_LAUNCHED_BY, LABEL_SUBMISSION_ID,
} from '../../api/labels';
import type { SparkPodSpec } from '../../api/spark-pod';

/** Labels of the application with this prefix are Kueue's own and stay with the application. */
const KUEUE_PREFIX = 'kueue.x-k8s.io/';

/** What the properties of a pod are made of. */
export interface PodPropertiesInput {
  /** Whose pod. */
  readonly role: 'driver' | 'executor';
  /** The part of the specification that describes it. */
  readonly spec: SparkPodSpec;
  /** The image if the pod has none of its own. */
  readonly image: string | undefined;
  /** Prefix of the properties for environment variables. */
  readonly environmentPrefix: string;
  /** `metadata.labels` of the application. */
  readonly applicationLabels: { readonly [name: string]: string };
  /** The operator's own labels. */
  readonly operatorLabels: { readonly [name: string]: string };
}

/** The labels by which the operator finds a pod again. */
export function operatorLabels(applicationName: string, submissionID: string): { [name: string]: string } {
  return {
    [LABEL_APP_NAME]: applicationName,
    [LABEL_LAUNCHED_BY]: 'true',
    [LABEL_SUBMISSION_ID]: submissionID,
  };
}

/**
 * Sets what driver and executors have in common. A field that is set wins over `sparkConf`; cores and memory have defaults
 * where neither says anything.
 */
export function setPodProperties(properties: SparkProperties, input: PodPropertiesInput): void {
  const { role, spec } = input;
  const path = `spec.${role}`;
  const setField = (key: string, field: keyof SparkPodSpec, value: string | number | undefined) => {
    if (value !== undefined) {
      properties.set(key, String(value), `${path}.${field}`);
    }
  };

  if (spec.image ?? input.image) {
    properties.set(`spark.kubernetes.${role}.container.image`, spec.image ?? input.image!, spec.image ? `${path}.image` : 'spec.image');
  }
  setField(`spark.${role}.cores`, 'cores', spec.cores);
  setField(`spark.kubernetes.${role}.request.cores`, 'coreRequest', spec.coreRequest);
  setField(`spark.kubernetes.${role}.limit.cores`, 'coreLimit', spec.coreLimit);
  setField(`spark.${role}.memory`, 'memory', spec.memory);
  setField(`spark.${role}.memoryOverhead`, 'memoryOverhead', spec.memoryOverhead);
  setField(`spark.${role}.extraJavaOptions`, 'javaOptions', spec.javaOptions);
  properties.setIfMissing(`spark.${role}.cores`, '1', `${path}.cores`);
  properties.setIfMissing(`spark.${role}.memory`, '1g', `${path}.memory`);

  setLabels(properties, input);
  setEach(properties, `spark.kubernetes.${role}.annotation.`, spec.annotations, `${path}.annotations`);
  setEach(properties, input.environmentPrefix, spec.envVars, `${path}.envVars`);
}

/** The application's labels, then the pod's, then the operator's: it could not find its pods if a user replaced those. */
function setLabels(properties: SparkProperties, { role, spec, applicationLabels, operatorLabels: own }: PodPropertiesInput): void {
  const prefix = `spark.kubernetes.${role}.label.`;
  const inherited = Object.entries(applicationLabels).filter(([name]) => !name.startsWith(KUEUE_PREFIX));
  setEach(properties, prefix, Object.fromEntries(inherited), 'metadata.labels');
  setEach(properties, prefix, spec.labels, `spec.${role}.labels`);
  setEach(properties, prefix, own, 'metadata.name');
}

/** Sets one property for each entry of a map. */
export function setEach(
  properties: SparkProperties, prefix: string, map: { readonly [key: string]: string } | undefined, field: string,
): void {
  for (const [key, value] of Object.entries(map ?? {})) {
    properties.set(prefix + key, value, `${field}[${key}]`);
  }
}
