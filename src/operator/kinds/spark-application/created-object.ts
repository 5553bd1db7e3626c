import type { KubeObject } from '../../../kube/objects';
import type { Resource } from '../../../kube/resource';

/** Object of a submission, as the API server returned it. */
export interface CreatedObject {
  readonly resource: Resource;
  readonly object: KubeObject;
}
