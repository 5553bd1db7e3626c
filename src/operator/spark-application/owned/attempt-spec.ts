import { isDeepStrictEqual } from 'node:util';
import type { AppliedDefaults } from '../../../api/spark-application-status';
import { isOfOwnedObjects, withLayersOnce } from '../../../plan/defaults/apply';
import type { CurrentDefaults } from '../../../plan/defaults/layer';
import type { SpecFacts } from '../../../model/spec-facts';
import type { SparkApplication } from '../../../model/spark-application';

/**
 * The specification that an attempt was begun with, as far as what belongs to an application besides its pods depends on it. Of the defaults of the cluster only
 * the version that was applied is kept, so that others than those of now cannot be had again.
 *
 * @param current defaults and limits of the cluster. @default - none
 * @param isBeginning the attempt has just begun: those of now are those that it was begun with
 * @returns undefined if it cannot be told
 */
export function specOfAttempt({ spec, status }: SparkApplication, current: CurrentDefaults | undefined, isBeginning: boolean): SpecFacts | undefined {
  if (!current) return spec;
  if (current.kind !== 'ready') return undefined;
  const { spec: governed, applied } = withLayersOnce(spec, current.layers);
  // Where an older CRD drops the one, it drops the other.
  const isRecordKept = status?.specHash !== undefined;
  const isSame = isDeepStrictEqual(concernedVersions(applied), concernedVersions(status?.appliedDefaults ?? []));
  return isBeginning || !isRecordKept || isSame ? governed : undefined;
}

/**
 * Returns the versions of ConfigMaps that set something for these objects. They are the same for
 * facts of a specification as for the whole, but a record of facts can have another order.
 */
function concernedVersions(applied: readonly AppliedDefaults[]): string[] {
  return applied.filter(isConcerned).map(({ configMap, resourceVersion }) => `${configMap}@${resourceVersion}`).sort();
}

function isConcerned({ fields = [], enforcedFields = [] }: AppliedDefaults): boolean {
  return [...fields, ...enforcedFields].some(isOfOwnedObjects);
}
