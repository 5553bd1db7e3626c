import type { SparkApplicationSpec, SparkApplicationStatus } from '../../api/spark-application';
import { ApplicationState } from '../../api/states';
import type { KubeObject, ObjectMeta } from '../kube/objects';

/** A SparkApplication as the API server holds it. */
export interface SparkApplication extends KubeObject {
  readonly metadata: ObjectMeta & { readonly namespace: string; readonly uid: string };
  readonly spec: SparkApplicationSpec;
  readonly status?: SparkApplicationStatus;
}

/** The state in an application's status; new when there is none. */
export function stateOf(application: SparkApplication): ApplicationState {
  return application.status?.applicationState?.state ?? ApplicationState.NEW;
}
