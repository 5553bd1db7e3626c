import type { StringMap } from '../../model/kubernetes-objects';

/** Labels and annotations of users. */
export interface OwnMetadata {
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}
