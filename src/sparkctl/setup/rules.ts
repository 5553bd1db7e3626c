/*
 * Permissions that the constructs grant. Imported on demand, as the constructs are the largest part
 * of the program.
 */
export { DRIVER_RULES, featuresOf, jobRules, NAMESPACE_RULES, ownRules } from '../../constructs/_rbac';
export { USER_RULES } from '../../constructs/_job-roles';
