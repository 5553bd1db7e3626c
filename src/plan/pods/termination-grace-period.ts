import { podField } from './pod-fields';

/**
 * `terminationGracePeriodSeconds` of the pod. Spark 4.1 and later set that of executors by a
 * property, see `setTemplateProperties`.
 */
export const terminationGracePeriod = podField('terminationGracePeriodSeconds', 'terminationGracePeriodSeconds');
