import { oversizedText } from '../large-spec';
import { oversizedParts } from '../submission/refuse-oversized';
import { isWhole, type SparkApplication } from './model';

/** Returns why the specification is too large to be run; undefined if it is not. */
export function oversizedReason(application: SparkApplication): string | undefined {
  if (!isWhole(application)) return application.cut?.oversized;
  const [violation] = oversizedParts(application.spec);
  return violation && oversizedText(violation);
}
