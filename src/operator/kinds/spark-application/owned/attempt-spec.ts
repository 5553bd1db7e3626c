import { isDeepStrictEqual } from 'node:util';
import type { AppliedDefaults } from '../../../../api/spark-application-status';
import { isOfOwnedObjects, withLayersOnce } from '../../../../plan/defaults/apply';
import type { CurrentDefaults } from '../../../../plan/defaults/layer';
import type { SpecFacts } from '../../../../model/spec-facts';
import type { SparkApplication } from '../../../../model/spark-application';

/**
 * Returns the specification that an attempt began with, as far as the application's objects other
 * than pods depend on it. The status keeps only the version of the cluster's defaults. So other
 * defaults than the current ones cannot be restored.
 *
 * @param current defaults and limits of the cluster. @default - none
 * @param isBeginning whether the attempt has just begun, with the current defaults
 * @returns undefined if the specification cannot be restored
 */
export function specOfAttempt(
  { spec, status }: SparkApplication, current: CurrentDefaults | undefined, isBeginning: boolean,
): SpecFacts | undefined {
  if (!current) return spec;
  if (current.kind !== 'ready') return undefined;
  const { spec: governed, applied } = withLayersOnce(spec, current.layers);
  // An older CRD drops both fields or none.
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
