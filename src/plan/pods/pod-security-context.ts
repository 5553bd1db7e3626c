import { podField } from './pod-fields';

/** `podSecurityContext`: replaces the template's as a whole. */
export const podSecurityContext = podField('securityContext', 'podSecurityContext');
