import { podField } from './pod-fields';

/** `affinity`: replaces the template's as a whole. */
export const affinity = podField('affinity', 'affinity');
