/* What the constructs give to whom. Loaded only by who needs it, as the constructs are the largest part of the program. */
export { DRIVER_RULES, featuresOf, jobRules, NAMESPACE_RULES, ownRules } from '../../constructs/_rbac';
export { USER_RULES } from '../../constructs/_job-roles';
