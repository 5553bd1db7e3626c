import type { AdmissionAnswer, AdmissionHandler, AdmissionRequest } from '../../../../src/operator/admission/review';
import { scheduledSparkApplicationValidator } from '../../../../src/operator/admission/validate/scheduled-spark-application';
import { sparkApplicationValidator } from '../../../../src/operator/admission/validate/spark-application';
import { sparkConnectValidator } from '../../../../src/operator/admission/validate/spark-connect';
import type { AdmissionDependencies } from '../../../../src/operator/admission/dependencies';
import type { Layers } from '../../../../src/plan/defaults/layer';
import type { SubmissionMode } from '../../../../src/plan/settings';

/** Settings of the operator that tests change. */
export interface WorldChanges {
  readonly mode?: SubmissionMode;
  readonly modeAnnotation?: boolean;
  readonly layers?: Layers;
  readonly minScheduleInterval?: number;
  /** Reason why the defaults are unknown. */
  readonly unusable?: string;
  readonly quotas?: AdmissionDependencies['quotas'];
}

/** An operator that runs the applications of the namespace `jobs`. */
export function world(
  { mode = 'auto', modeAnnotation, layers, minScheduleInterval, unusable, quotas }: WorldChanges = {},
): AdmissionDependencies {
  return {
    isSelected: (namespace) => namespace === 'jobs',
    submission: { mode, modeAnnotation, sparkUser: 'spark', podWebhook: true },
    minScheduleInterval,
    ...((layers || unusable !== undefined) && {
      defaults: { current: () => (unusable === undefined ? { kind: 'ready', layers: layers! } : { kind: 'unusable', reason: unusable }) },
    }),
    application: () => Promise.reject(new Error('not requested')),
    ...(quotas && { quotas }),
  };
}

const VALIDATORS = {
  SparkApplication: sparkApplicationValidator, ScheduledSparkApplication: scheduledSparkApplicationValidator,
  SparkConnect: sparkConnectValidator,
};

/** A kind that has a validator. */
export type Kind = keyof typeof VALIDATORS;

/** The validator of a kind. */
export const validatorOf = (kind: Kind, changes: WorldChanges = {}): AdmissionHandler => VALIDATORS[kind](world(changes));

/** Returns a review of the creation of an object. */
export function creation(kind: Kind, object: any, more: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const { name } = object.metadata ?? {};
  const ofKind = { group: 'sparkoperator.k8s.io', version: kind === 'SparkConnect' ? 'v1alpha1' : 'v1beta2', kind };
  return {
    uid: 'review-1', operation: 'CREATE', kind: ofKind, namespace: 'jobs', ...(typeof name === 'string' && { name }), object,
    dryRun: false, ...more,
  };
}

/** Returns a review of the update of an object. */
export function update(kind: Kind, object: any, oldObject: any, more: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return creation(kind, object, { operation: 'UPDATE', oldObject, ...more });
}

/** A small valid application, with other fields. */
export function sparkApplication({ metadata, driver, executor, ...spec }: any = {}): any {
  return {
    metadata: { name: 'pi', namespace: 'jobs', uid: 'uid-1', generation: 1, ...metadata },
    spec: {
      type: 'Scala', sparkVersion: '4.1.1', image: 'apache/spark:4.1.1', mainClass: 'org.apache.spark.examples.SparkPi',
      mainApplicationFile: 'local:///opt/spark/examples/jars/spark-examples.jar',
      ...spec, driver: { ...driver }, executor: { ...executor },
    },
  };
}

/** A small valid schedule, with other fields. */
export function scheduled({ metadata, template, ...spec }: any = {}): any {
  return {
    metadata: {
      name: 'nightly', namespace: 'jobs', uid: 'uid-2', ...metadata,
    }, spec: { schedule: '0 3 * * *', template: sparkApplication(template).spec, ...spec },
  };
}

/** A small valid server, with other fields. */
export function connect({ metadata, server, executor, ...spec }: any = {}): any {
  return {
    metadata: {
      name: 'notebooks', namespace: 'jobs', uid: 'uid-3', ...metadata,
    }, spec: { sparkVersion: '4.1.1', image: 'apache/spark:4.1.1', ...spec, server: { ...server }, executor: { ...executor } },
  };
}

const MAKERS: { readonly [kind in Kind]: (changes?: any) => any } = {
  SparkApplication: sparkApplication, ScheduledSparkApplication: scheduled, SparkConnect: connect,
};

/** A valid object of a kind, with other fields. */
export const objectOf = (kind: Kind, changes: any = {}): any => MAKERS[kind](changes);

/** Returns the answer to the creation of an object. */
export async function answerTo(kind: Kind, changes: any = {}, operator: WorldChanges = {}): Promise<AdmissionAnswer> {
  return validatorOf(kind, operator)(creation(kind, objectOf(kind, changes)));
}
