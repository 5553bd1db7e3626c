import type { Belonging } from './belonging';
import type { PodView } from './pod-view';

/** The Pod with the driver's name. */
export type Driver =
  | { readonly kind: Belonging; readonly pod: PodView }
  | { readonly kind: 'absent' };
