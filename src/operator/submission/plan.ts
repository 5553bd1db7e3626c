import { apiVersionOf } from '../../api/kind';
import { SPARK_APPLICATION } from '../../api/spark-application';
import type { ConfigMap, Pod, Service } from '../kubernetes-objects';
import { SubmissionError } from './errors';
import { submissionIdentity } from './identity';
import { MAX_DNS_LABEL_LENGTH } from './names';
import { buildSubmission } from './native/build';
import type { SubmissionResource } from './native/feature-step';
import { improveDriver } from './native/improvements';
import { owned } from './ownership';
import type { Ownership } from './ownership';
import { operatorLabels } from './pod-properties';
import { sparkProperties } from './properties';
import type { SubmittedApplication } from './properties';
import { parseSparkVersion } from './versions';

/** What a submission needs to know besides the application. */
export interface SubmissionContext {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** Id of the submission: a UUID, the one in `status.submissionID`. */
  readonly submissionID: string;
  /** When the submission began. Take it from the status, so that a repeated plan is the same plan. */
  readonly submitTime: Date;
  /**
   * The user that Spark says it runs for (`SPARK_USER`), as Hadoop's simple authentication sees it.
   * @default spark
   */
  readonly sparkUser?: string;
}

/** What to create for one submission: ConfigMap and Service first, then the driver's Pod. */
export interface SubmissionPlan {
  /** The driver's properties. */
  readonly configMap: ConfigMap;
  /** The driver's host name. */
  readonly service: Service;
  /**
   * The driver. Create it, do not apply it: as in Spark, an environment variable can be there twice, which server-side
   * apply refuses.
   */
  readonly driver: Pod;
}

/** The user of Spark's own images. */
const DEFAULT_SPARK_USER = 'spark';

/**
 * Decides what to create so that an application runs, as spark-submit would in cluster mode, without running it. Pure:
 * the same arguments give the same objects, byte for byte, so that an interrupted submission can be repeated.
 *
 * @throws SubmissionError if the application cannot be submitted as it is written
 */
export function planSubmission(application: SubmittedApplication, context: SubmissionContext): SubmissionPlan {
  const { metadata, spec } = application;
  refuseLongName(metadata.name);
  const version = parseSparkVersion(spec.sparkVersion);
  const submission = sparkProperties(application, context.submissionID);
  const identity = submissionIdentity(metadata.name, {
    uid: metadata.uid, attempt: context.attempt, submissionID: context.submissionID, generation: metadata.generation ?? 1,
  });
  const built = buildSubmission({
    ...submission,
    version,
    identity,
    namespace: metadata.namespace,
    sparkUser: context.sparkUser ?? DEFAULT_SPARK_USER,
    submitTime: context.submitTime.getTime(),
  });
  const ownership = ownershipOf(application, context.submissionID);
  return {
    configMap: owned(ofKind(built.resources, 'ConfigMap'), ownership),
    service: owned(ofKind(built.resources, 'Service'), ownership),
    driver: owned(improveDriver(built.driver), ownership),
  };
}

function ownershipOf({ metadata }: SubmittedApplication, submissionID: string): Ownership {
  return {
    namespace: metadata.namespace,
    owner: {
      apiVersion: apiVersionOf(SPARK_APPLICATION),
      kind: SPARK_APPLICATION.kind,
      name: metadata.name,
      uid: metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
    labels: operatorLabels(metadata.name, submissionID),
  };
}

/** The name becomes a label value, by which the pods are found. */
function refuseLongName(name: string): void {
  if (name.length > MAX_DNS_LABEL_LENGTH) {
    throw new SubmissionError({
      field: 'metadata.name', value: name, reason: `has more than ${MAX_DNS_LABEL_LENGTH} characters, which no label can hold`, remedy: 'choose a shorter name',
    });
  }
}

function ofKind<K extends SubmissionResource['kind']>(resources: readonly SubmissionResource[], kind: K): Extract<SubmissionResource, { kind: K }> {
  return resources.find(resource => resource.kind === kind) as Extract<SubmissionResource, { kind: K }>;
}
