import { isDeepStrictEqual } from 'node:util';
import type { SparkApplicationSpec } from '../../../api/spark-application';
import type { AppliedDefaults } from '../../../api/spark-application-status';
import { withLayers } from '../../defaults/apply';
import type { CurrentDefaults } from '../../defaults/source';
import type { SparkApplication } from '../model';

/** Where is said what belongs to an application besides its pods. */
const CONCERNED = /^spec\.(sparkUIOptions|driverIngressOptions|driverPodDisruptionBudget|monitoring|sparkConf\[spark\.ui\.(enabled|port)\])/;

/**
 * The specification that an attempt was begun with, as far as what belongs to an application besides its pods depends on it. Of the defaults of the cluster only
 * the version that was applied is kept, so that others than those of now cannot be had again.
 *
 * @param current defaults and limits of the cluster. @default - none
 * @param isBeginning the attempt has just begun: those of now are those that it was begun with
 * @returns undefined if it cannot be told
 */
export function specOfAttempt({ spec, status }: SparkApplication, current: CurrentDefaults | undefined, isBeginning: boolean): SparkApplicationSpec | undefined {
  if (!current) return spec;
  if (current.kind !== 'ready') return undefined;
  const { spec: governed, applied } = withLayers(spec, current.layers);
  const recorded = status?.appliedDefaults ?? [];
  // Where an older CRD drops the one, it drops the other.
  const isRecordKept = status?.specHash !== undefined;
  const isSame = isDeepStrictEqual(applied, recorded) || ![...applied, ...recorded].some(isConcerned);
  return isBeginning || !isRecordKept || isSame ? governed : undefined;
}

function isConcerned({ fields = [], enforcedFields = [], more = 0 }: AppliedDefaults): boolean {
  return more > 0 || [...fields, ...enforcedFields].some((field) => CONCERNED.test(field));
}
