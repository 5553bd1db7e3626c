import type { AppliedDefaults } from '../../../api/spark-application-status';
import type { Submittable } from '../../../plan/plan-application';

/** Submission that the operator can make. */
export interface Chosen extends Submittable {
  /** Defaults of the cluster that the submission contains. */
  readonly appliedDefaults: readonly AppliedDefaults[];
}
