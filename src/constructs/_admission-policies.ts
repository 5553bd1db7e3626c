import { Construct } from 'constructs';
import { namespaceSelectors, type JobNamespaceSelection } from './_namespace-selectors';
import { addPolicy } from './_policy';
import { VALIDATIONS, VARIABLES } from './_policy-expressions';
import type { ApplicationLimits } from './application-limits';
import { KINDS } from '../api/kinds';
import {
  ANNOTATION_ALLOWED_IMAGES, ANNOTATION_ALLOWED_SERVICE_ACCOUNTS, ANNOTATION_ALLOWED_SERVICE_ANNOTATIONS,
  ANNOTATION_ALLOWED_SERVICE_TYPES,
} from '../api/labels';

const NAME = 'spark-applications';

/** Path of an application in a schedule's template. */
const specOf = (
  which: string,
) => `(object.kind == 'ScheduledSparkApplication' ? dyn(${which}).?spec.?template.orValue({}) : dyn(${which}).?spec.orValue({}))`;

/** Fields that do not affect pods. */
const HARMLESS = "['suspend', 'timeToLiveSeconds']";

const isSuspended = (which: string) => `${specOf(which)}.?suspend.orValue(false) == true`;

/**
 * Matches new objects and updates that change other fields. Stored objects that violate the limits
 * can still be labelled, suspended, rescheduled, finished and deleted, so users can remove them.
 * The policy checks an application again when it resumes, and runs of a schedule when they are
 * created. Variables are not available here.
 */
const IS_NEW = [
  "request.operation == 'CREATE'",
  `${specOf('object')}.exists(field, !(field in ${HARMLESS}) && !(field in ${specOf('oldObject')} && ${specOf('object')}[field] == ${specOf('oldObject')}[field]))`,
  `${specOf('oldObject')}.exists(field, !(field in ${HARMLESS}) && !(field in ${specOf('object')}))`,
  `(${isSuspended('oldObject')} && !(${isSuspended('object')}))`,
].join(' || ');

/**
 * Adds the policy that needs neither a server nor a certificate, bound to the job namespaces.
 *
 * The limits of a namespace are in its annotations, and not in a ConfigMap as a parameter
 * (`paramKind`). Drivers can delete ConfigMaps of their namespace. Also, after the last policy with
 * such a parameter was removed, API servers (seen with 1.34) miss further ConfigMaps. After an
 * uninstallation and a new installation, all objects would pass.
 *
 * @param key key of the installation: names of cluster-scoped objects contain it, so that two
 * operators do not share them
 * @internal
 */
export function addAdmissionPolicy(scope: Construct, key: string, selection: JobNamespaceSelection): void {
  const name = `${NAME}.${key}`;
  addPolicy(scope, 'AdmissionPolicy', name, {
    resourceRules: KINDS.map(({ group, version, plural }) => ({
      apiGroups: [group], apiVersions: [version], operations: ['CREATE', 'UPDATE'], resources: [plural], scope: '*',
    })),
    matchConditions: [{ name: 'spec-is-new', expression: IS_NEW }],
    variables: VARIABLES,
    validations: VALIDATIONS,
  }, namespaceSelectors(selection).map(({ suffix, selector }) => (
    { id: `AdmissionBinding${suffix}`, name: `${NAME}${suffix}.${key}`, selector }
  )));
}

/**
 * Lists the limits of a namespace as annotations for the policy.
 * @internal
 */
export function admissionAnnotations(
  { allowedServiceAccounts, allowedImages, allowedServiceTypes, allowedServiceAnnotations }: ApplicationLimits,
): { [name: string]: string } {
  return {
    ...(allowedServiceAccounts && { [ANNOTATION_ALLOWED_SERVICE_ACCOUNTS]: allowedServiceAccounts.join(', ') }),
    ...(allowedImages && { [ANNOTATION_ALLOWED_IMAGES]: allowedImages.join(', ') }),
    ...(allowedServiceTypes && { [ANNOTATION_ALLOWED_SERVICE_TYPES]: allowedServiceTypes.join(', ') }),
    ...(allowedServiceAnnotations && { [ANNOTATION_ALLOWED_SERVICE_ANNOTATIONS]: allowedServiceAnnotations.join(', ') }),
  };
}
