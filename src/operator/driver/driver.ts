import type { Belonging } from '../../model/belonging';
import type { PodView } from '../../model/pod-view';

/** Pod with the driver's name. */
export type Driver =
  | { readonly kind: Belonging; readonly pod: PodView }
  | { readonly kind: 'absent' };
