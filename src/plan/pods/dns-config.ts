import { podField } from './pod-fields';

/** `dnsConfig`: replaces the template's. */
export const dnsConfig = podField('dnsConfig', 'dnsConfig');
