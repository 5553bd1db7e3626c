import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { namespaceSelectors, type JobNamespaceSelection } from './_namespace-selectors';
import { VALIDATIONS, VARIABLES } from './_policy-expressions';
import type { ApplicationLimits } from './application-limits';
import { KINDS } from '../api/kinds';
import { ANNOTATION_ALLOWED_IMAGES, ANNOTATION_ALLOWED_SERVICE_ACCOUNTS, ANNOTATION_ALLOWED_SERVICE_ANNOTATIONS, ANNOTATION_ALLOWED_SERVICE_TYPES } from '../api/labels';

const NAME = 'spark-applications';

/** Written as Kubernetes stores it: applied again, it changes nothing. */
const MATCH = { matchPolicy: 'Equivalent', objectSelector: {} };

/** What an application says of its runs. */
const specOf = (which: string) => `(object.kind == 'ScheduledSparkApplication' ? dyn(${which}).?spec.?template.orValue({}) : dyn(${which}).?spec.orValue({}))`;

/** These fields say nothing of pods. */
const HARMLESS = "['suspend', 'timeToLiveSeconds']";

const isSuspended = (which: string) => `${specOf(which)}.?suspend.orValue(false) == true`;

/**
 * What is stored already can be labelled, suspended, rescheduled, finished and deleted, whatever it says: of what a namespace does not allow any more, people must be able to get rid.
 * What goes on after a suspension is asked about again; runs of a schedule are when they are created. Variables are not there yet when this is evaluated.
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
 * What a namespace allows is in its annotations, and not in a parameter (`paramKind`) that is a ConfigMap: drivers may delete those of their namespace, and API servers (seen with 1.34) hear
 * of no further one once the last policy with such a parameter was removed, so that after an uninstallation and an installation all would pass.
 *
 * @param namespace that of the operator: what has none itself must not be shared by two operators of a cluster
 * @internal
 */
export function addAdmissionPolicy(scope: Construct, namespace: string, selection: JobNamespaceSelection): void {
  const name = `${NAME}.${namespace}`;
  object(scope, 'AdmissionPolicy', 'ValidatingAdmissionPolicy', name, {
    failurePolicy: 'Fail',
    matchConstraints: {
      ...MATCH,
      namespaceSelector: {},
      resourceRules: KINDS.map(({ group, version, plural }) => ({ apiGroups: [group], apiVersions: [version], operations: ['CREATE', 'UPDATE'], resources: [plural], scope: '*' })),
    },
    matchConditions: [{ name: 'spec-is-new', expression: IS_NEW }],
    variables: VARIABLES,
    validations: VALIDATIONS,
  });
  for (const { suffix, selector } of namespaceSelectors(selection)) {
    object(scope, `AdmissionBinding${suffix}`, 'ValidatingAdmissionPolicyBinding', `${NAME}${suffix}.${namespace}`, {
      policyName: name,
      matchResources: { ...MATCH, namespaceSelector: selector },
      validationActions: ['Deny'],
    });
  }
}

function object(scope: Construct, id: string, kind: string, name: string, spec: object): void {
  new ApiObject(scope, id, { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, spec });
}

/**
 * What a namespace allows, as the policy reads it.
 * @internal
 */
export function admissionAnnotations({ allowedServiceAccounts, allowedImages, allowedServiceTypes, allowedServiceAnnotations }: ApplicationLimits): { [name: string]: string } {
  return {
    ...(allowedServiceAccounts && { [ANNOTATION_ALLOWED_SERVICE_ACCOUNTS]: allowedServiceAccounts.join(', ') }),
    ...(allowedImages && { [ANNOTATION_ALLOWED_IMAGES]: allowedImages.join(', ') }),
    ...(allowedServiceTypes && { [ANNOTATION_ALLOWED_SERVICE_TYPES]: allowedServiceTypes.join(', ') }),
    ...(allowedServiceAnnotations && { [ANNOTATION_ALLOWED_SERVICE_ANNOTATIONS]: allowedServiceAnnotations.join(', ') }),
  };
}
