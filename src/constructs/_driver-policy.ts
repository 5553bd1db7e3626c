import { Construct } from 'constructs';
import { type JobNamespaceSelection, namespaceSelectors } from './_namespace-selectors';
import { addNamespacePolicy, addPolicy, type Policy } from './_policy';
import { globVariables, isAllowed } from './_policy-globs';
import { isEmpty, limitValidation } from './_policy-parts';
import { literal, writtenLimit } from './_pod-policy';
import type { ApplicationLimits } from './application-limits';

const NAME = 'spark-drivers';

const CHANGE = 'the service account of drivers can create Services and ConfigMaps, and not change them; leave the existing object as it is';
const HEADLESS = 'a Service of a driver must have spec.clusterIP None, and no spec.externalIPs; set clusterIP: None, and omit the others';

/** Applies a condition to Services only. `dyn`: the API server checks the types of both kinds. */
const ofServices = (condition: string) => `request.resource.resource != 'services' || (${condition})`;

/**
 * Adds the policy for Services and ConfigMaps that a service account of drivers writes in its
 * namespace; see `policyOf`.
 * @internal
 */
export function addDriverPolicy(
  scope: Construct, namespace: string, serviceAccount: string, { allowedServiceAnnotations }: ApplicationLimits,
): void {
  addNamespacePolicy(
    scope, 'DriverPolicy', `${NAME}.${namespace}.${serviceAccount}`, namespace,
    policyOf(`'system:serviceaccount:${namespace}:${serviceAccount}'`, allowedServiceAnnotations),
  );
}

/**
 * Adds the same policy for the service accounts of this name in all selected namespaces.
 *
 * @param key key of the installation, for the names of the objects
 * @internal
 */
export function addDriversPolicy(scope: Construct, key: string, serviceAccount: string, selection: JobNamespaceSelection): void {
  const policy = policyOf(`'system:serviceaccount:' + request.namespace + ':${serviceAccount}'`);
  addPolicy(scope, 'DriverPolicy', `${NAME}.${key}`, policy, namespaceSelectors(selection).map(({ suffix, selector }) => (
    { id: `DriverPolicyBinding${suffix}`, name: `${NAME}${suffix}.${key}`, selector }
  )));
}

/**
 * Returns the policy of a service account of drivers. With that account, spark-submit creates the
 * Services and ConfigMaps of a driver by server-side apply, for which RBAC needs the permission to
 * change all of them. The policy allows only new ones, and only headless Services, which are not
 * reachable from outside the cluster.
 *
 * @param user CEL expression for the name of the account
 */
function policyOf(user: string, allowedServiceAnnotations?: readonly string[]): Policy {
  const annotations = 'has(object.metadata.annotations) ? object.metadata.annotations.map(name, name) : []';
  return {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['services', 'configmaps'], scope: '*' }],
    matchConditions: [{ name: 'driver', expression: `request.userInfo.username == ${user}` }],
    variables: allowedServiceAnnotations ? [
      ...globVariables('ServiceAnnotations', literal(allowedServiceAnnotations)),
      { name: 'wrongAnnotations', expression: `(${annotations}).filter(name, !${isAllowed('ServiceAnnotations', 'name')})` },
    ] : undefined,
    validations: [
      { expression: "request.operation == 'CREATE'", message: CHANGE, reason: 'Invalid' },
      {
        expression: ofServices("dyn(object).spec.?clusterIP.orValue('') == 'None' && dyn(object).spec.?externalIPs.orValue([]).size() == 0"),
        message: HEADLESS, reason: 'Invalid',
      },
      ...(allowedServiceAnnotations ? [limitValidation(
        ofServices(isEmpty('wrongAnnotations')),
        "{'field': dyn('metadata.annotations[' + variables.wrongAnnotations[0] + ']'), 'value': dyn(variables.wrongAnnotations[0])}",
        'an annotation of a Service', writtenLimit('allowedServiceAnnotations', allowedServiceAnnotations), 'remove it',
      )] : []),
    ],
  };
}
