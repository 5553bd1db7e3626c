import type { Logger } from '../../kube/logger';
import type { KubeObject } from '../../kube/objects';
import type { SparkApplication, WholeApplication } from '../../model/spark-application';
import type { CurrentDefaults } from '../../plan/defaults/layer';
import type { PlanSettings } from '../../plan/plan-application';

/** Dependencies of the handlers. */
export interface AdmissionDependencies extends Omit<PlanSettings, 'defaults'> {
  /** Defaults and limits of the cluster. @default - none */
  readonly defaults?: { current(namespace: string): CurrentDefaults };
  /**
   * Whether this operator handles the applications of a namespace. Objects elsewhere are never
   * refused or changed.
   */
  readonly isSelected: (namespace: string) => boolean;
  /** Minimum milliseconds between two runs of a schedule. @default - none */
  readonly minScheduleInterval?: number;
  /**
   * Returns an application; undefined if it does not exist, or does not match.
   *
   * @param isMeant whether an application is the requested one in the requested state. The cache
   * can be stale: if the cached one does not match, the API server is asked
   * @throws errors of the API server, which can be transient
   */
  readonly application: (
    namespace: string, name: string, isMeant: (application: SparkApplication) => boolean, signal?: AbortSignal,
  ) => Promise<WholeApplication | undefined>;
  /** For warnings that users would not see otherwise. @default - nothing is logged */
  readonly logger?: Pick<Logger, 'warn'>;
  /** Returns the ResourceQuotas of a namespace; undefined if they are not compared. */
  readonly quotas?: (namespace: string, signal?: AbortSignal) => Promise<readonly KubeObject[]>;
}

/** Returns what plans in a namespace depend on. */
export function planSettings(
  { submission, defaults }: Pick<AdmissionDependencies, 'submission' | 'defaults'>, namespace: string,
): PlanSettings {
  return { submission, defaults: defaults?.current(namespace) };
}
