import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { globVariables, isAllowed } from './_policy-globs';
import { rejection, REMEDY, type Validation, type Variable } from './_policy-parts';
import type { ApplicationLimits } from './application-limits';

/**
 * Adds the policy for all pods of one namespace. Limits of applications do not bind drivers,
 * because drivers can create pods. The policy contains the limits itself, so it needs neither the
 * operator nor annotations of the namespace.
 * @internal
 */
export function addPodPolicy(scope: Construct, namespace: string, { allowedServiceAccounts, allowedImages }: ApplicationLimits): void {
  if (!allowedServiceAccounts && !allowedImages) return;
  const rule = (operations: string[], resource: string) => ({
    apiGroups: [''], apiVersions: ['v1'], operations, resources: [resource], scope: '*',
  });
  addNamespacePolicy(scope, 'PodPolicy', `spark-pods.${namespace}`, namespace, {
    resourceRules: [rule(['CREATE', 'UPDATE'], 'pods'), rule(['UPDATE'], 'pods/ephemeralcontainers')],
    variables: [
      ...(allowedServiceAccounts ? [...globVariables('Accounts', literal(allowedServiceAccounts)), ACCOUNT] : []),
      ...(allowedImages ? [
        ...globVariables('Images', literal(allowedImages)), imagesOf('object', 'images'), OLD_IMAGES, WRONG_IMAGES,
      ] : []),
    ],
    validations: [
      ...(allowedServiceAccounts ? [accountValidation(allowedServiceAccounts)] : []),
      ...(allowedImages ? [imageValidation(allowedImages)] : []),
    ],
  });
}

/** Content of a ValidatingAdmissionPolicy. */
interface NamespacePolicy {
  readonly resourceRules: readonly object[];
  readonly matchConditions?: readonly object[];
  readonly variables: readonly Variable[];
  readonly validations: readonly (Omit<Validation, 'messageExpression'> & Partial<Pick<Validation, 'messageExpression'>>)[];
}

/**
 * Adds a ValidatingAdmissionPolicy for the objects of one namespace.
 * @internal
 */
export function addNamespacePolicy(
  scope: Construct, id: string, name: string, namespace: string, { resourceRules, ...spec }: NamespacePolicy,
): void {
  object(scope, id, 'ValidatingAdmissionPolicy', name, {
    failurePolicy: 'Fail',
    matchConstraints: { ...MATCH, namespaceSelector: {}, resourceRules },
    ...spec,
  });
  object(scope, `${id}Binding`, 'ValidatingAdmissionPolicyBinding', name, {
    policyName: name,
    matchResources: { ...MATCH, namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
    validationActions: ['Deny'],
  });
}

/** Lists every field as Kubernetes stores it, so that applying it again changes nothing. */
const MATCH = { matchPolicy: 'Equivalent', objectSelector: {} };

function object(scope: Construct, id: string, kind: string, name: string, spec: object): void {
  new ApiObject(scope, id, { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, spec });
}

/**
 * Returns a list in CEL, which accepts JSON's string literals.
 * @internal
 */
export function literal(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`;
}

/** Limit after which the lists of a message are truncated. */
const MAX_TEXT = 1_001;

/**
 * Returns the allowed values as a string in CEL.
 * @internal
 */
export function textOf(allowed: readonly string[]): string {
  return JSON.stringify(allowed.join(', ').slice(0, MAX_TEXT));
}

/** The API server has already set the default account. The field is immutable. */
const ACCOUNT: Variable = { name: 'account', expression: "dyn(object).spec.?serviceAccountName.orValue('default')" };

function accountValidation(allowed: readonly string[]): Validation {
  return {
    expression: `request.operation != 'CREATE' || ${isAllowed('Accounts', 'variables.account')}`,
    message: `the service account is not among those that the namespace allows (limits.allowedServiceAccounts); write one of those service accounts${REMEDY}`,
    messageExpression: rejection(
      "{'field': dyn('spec.serviceAccountName'), 'value': dyn(variables.account)}",
      { name: 'limits.allowedServiceAccounts', text: textOf(allowed) }, 'write one of those service accounts',
    ),
    reason: 'Invalid',
  };
}

/**
 * Images of a pod, in lists by their path: CEL of Kubernetes 1.30 cannot concatenate nested lists.
 * A volume can contain an image.
 */
function imagesOf(pod: string, name: string): Variable {
  const entry = (path: string, image: string) => `{'field': dyn(${path}), 'value': dyn(${image})}`;
  return {
    name,
    expression: [
      `['containers', 'initContainers', 'ephemeralContainers'].filter(list, list in dyn(${pod}).spec)`,
      `.map(list, dyn(${pod}).spec[list].map(c, ${entry("'spec.' + list + '[' + c.name + '].image'", "c.?image.orValue('')")}))`,
      ` + ('volumes' in dyn(${pod}).spec ? [dyn(${pod}).spec.volumes.filter(v, has(v.image) && has(v.image.reference)).map(v, ${entry("'spec.volumes[' + v.name + '].image.reference'", 'v.image.reference')})] : [])`,
    ].join(''),
  };
}

/** Images that an update changes: a running pod can still be labelled, finished and deleted. */
const OLD_IMAGES: Variable = {
  name: 'oldImages',
  expression: `request.operation == 'CREATE' ? [] : (${imagesOf('oldObject', '').expression}).map(l, l.map(i, i.value))`,
};

const WRONG_IMAGES: Variable = {
  name: 'wrongImages',
  expression: `variables.images.map(l, l.filter(i, !${isAllowed('Images', 'string(i.value)')} && !variables.oldImages.exists(old, i.value in old))).filter(l, l.size() > 0)`,
};

function imageValidation(allowed: readonly string[]): Validation {
  return {
    expression: 'variables.wrongImages.size() == 0',
    message: `an image is not among those that the namespace allows (limits.allowedImages); write one of those images${REMEDY}`,
    messageExpression: rejection(
      'variables.wrongImages[0][0]', { name: 'limits.allowedImages', text: textOf(allowed) }, 'write one of those images',
    ),
    reason: 'Invalid',
  };
}
