import { LABEL_APP_NAME, LABEL_APP_UID, LABEL_ATTEMPT, LABEL_LAUNCHED_BY, LABEL_SUBMISSION_ID } from '../../api/labels';
import type { SparkPodSpec } from '../../api/spark-pod';
import type { Volume } from '../../k8s';
import { KUEUE_PREFIX } from '../../model/kueue';
import { setLocalDirVolumes } from './local-dir-properties';
import { setSecrets } from './secret-properties';
import type { SparkProperties } from './spark-conf';
import { environmentPrefix, type Role } from './role';

/** Input for the properties of a pod. */
export interface PodPropertiesInput {
  /** Role of the pod. */
  readonly role: Role;
  /** Part of the specification for the role. */
  readonly spec: SparkPodSpec;
  /** Default image of the pod. */
  readonly image: string | undefined;
  /** Volumes of the application. */
  readonly volumes: readonly Volume[];
  /** `metadata.labels` of the application. */
  readonly applicationLabels: { readonly [name: string]: string };
  /** Labels of the operator. */
  readonly operatorLabels: { readonly [name: string]: string };
}

/** Input for the operator's labels. */
export interface LabelledSubmission {
  /** Name of the application. */
  readonly name: string;
  /** `metadata.uid` of the application. */
  readonly uid: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Id of the submission. */
  readonly submissionID: string;
}

/** Returns the labels by which the operator finds the objects that it created for a submission. */
export function operatorLabels({ name, uid, attempt, submissionID }: LabelledSubmission): { [name: string]: string } {
  return {
    [LABEL_APP_NAME]: name,
    [LABEL_APP_UID]: uid,
    [LABEL_ATTEMPT]: String(attempt),
    [LABEL_LAUNCHED_BY]: 'true',
    [LABEL_SUBMISSION_ID]: submissionID,
  };
}

/**
 * Sets the properties that driver and executors have in common. Fields take precedence over
 * `sparkConf`. Cores and memory have defaults if neither sets them.
 *
 * @throws SubmissionError if the volume of a local directory is missing
 */
export function setPodProperties(properties: SparkProperties, input: PodPropertiesInput): void {
  const { role, spec } = input;
  const path = `spec.${role}`;
  const setField = (key: string, field: keyof SparkPodSpec, value: string | number | undefined) => {
    if (value !== undefined && value !== null && value !== '') {
      properties.set(key, String(value), `${path}.${field}`);
    }
  };

  if (spec.image || input.image) {
    properties.set(`spark.kubernetes.${role}.container.image`, spec.image || input.image!, spec.image ? `${path}.image` : 'spec.image');
  }
  setField(`spark.${role}.cores`, 'cores', spec.cores);
  setField(`spark.kubernetes.${role}.request.cores`, 'coreRequest', spec.coreRequest);
  setField(`spark.kubernetes.${role}.limit.cores`, 'coreLimit', spec.coreLimit);
  setField(`spark.${role}.memory`, 'memory', spec.memory);
  setField(`spark.${role}.memoryOverhead`, 'memoryOverhead', spec.memoryOverhead);
  setField(`spark.kubernetes.authenticate.${role}.serviceAccountName`, 'serviceAccount', spec.serviceAccount);
  setField(`spark.${role}.extraJavaOptions`, 'javaOptions', spec.javaOptions);
  properties.setIfMissing(`spark.${role}.cores`, '1', `${path}.cores`);
  properties.setIfMissing(`spark.${role}.memory`, '1g', `${path}.memory`);

  setLabels(properties, input);
  setEach(properties, `spark.kubernetes.${role}.annotation.`, spec.annotations, `${path}.annotations`);
  for (const [variable, { name, key }] of Object.entries(spec.envSecretKeyRefs ?? {})) {
    properties.set(`spark.kubernetes.${role}.secretKeyRef.${variable}`, `${name}:${key}`, `${path}.envSecretKeyRefs[${variable}]`);
  }
  setEach(properties, environmentPrefix(role), spec.envVars, `${path}.envVars`);
  setSecrets(properties, role, spec.secrets ?? []);
  setLocalDirVolumes(properties, role, spec.volumeMounts ?? [], input.volumes);
}

/**
 * Returns the application's labels, replaced by the pod's, and then by the operator's: without its
 * own, the operator could not find its pods.
 */
function setLabels(properties: SparkProperties, { role, spec, applicationLabels, operatorLabels: own }: PodPropertiesInput): void {
  const prefix = `spark.kubernetes.${role}.label.`;
  const inherited = Object.entries(applicationLabels).filter(([name]) => !name.startsWith(KUEUE_PREFIX)
    && !Object.hasOwn(spec.labels ?? {}, name));
  setEach(properties, prefix, Object.fromEntries(inherited), 'metadata.labels');
  setEach(properties, prefix, spec.labels, `spec.${role}.labels`);
  for (const [name, value] of Object.entries(own)) {
    properties.set(prefix + name, value, 'the operator');
  }
}

/** Sets one property for each entry of a map. */
export function setEach(
  properties: SparkProperties, prefix: string, map: { readonly [key: string]: string } | undefined, field: string,
): void {
  for (const [key, value] of Object.entries(map ?? {})) {
    properties.set(prefix + key, value, `${field}[${key}]`);
  }
}
