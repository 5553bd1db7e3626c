import { Construct } from 'constructs';
import { addNamespacePolicy } from './_policy';
import { globVariables, isAllowed } from './_policy-globs';
import { isEmpty, limitValidation, type Variable, type WrittenLimit } from './_policy-parts';
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
      ...(allowedServiceAccounts ? [limitValidation(
        `request.operation != 'CREATE' || ${isAllowed('Accounts', 'variables.account')}`,
        "{'field': dyn('spec.serviceAccountName'), 'value': dyn(variables.account)}", 'the service account',
        writtenLimit('allowedServiceAccounts', allowedServiceAccounts), 'write one of those service accounts',
      )] : []),
      ...(allowedImages ? [limitValidation(
        isEmpty('wrongImages'), 'variables.wrongImages[0][0]', 'an image', writtenLimit('allowedImages', allowedImages),
        'write one of those images',
      )] : []),
    ],
  });
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
 * Returns a limit whose allowed values are part of the policy.
 * @internal
 */
export function writtenLimit(name: keyof ApplicationLimits, allowed: readonly string[]): WrittenLimit {
  return { name: `limits.${name}`, text: JSON.stringify(allowed.join(', ').slice(0, MAX_TEXT)) };
}

/** The API server has already set the default account. The field is immutable. */
const ACCOUNT: Variable = { name: 'account', expression: "dyn(object).spec.?serviceAccountName.orValue('default')" };

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
