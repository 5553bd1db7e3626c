import { containerField } from './pod-fields';

/** `lifecycle` of Spark's container: replaces the template's. */
export const lifecycle = containerField('lifecycle', 'lifecycle');
