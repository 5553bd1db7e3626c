import { Construct } from 'constructs';
import { addNamespacePolicy } from './_policy';
import { globVariables, isAllowed } from './_policy-globs';
import { isEmpty, limitValidation } from './_policy-parts';
import { literal, writtenLimit } from './_pod-policy';
import type { ApplicationLimits } from './application-limits';

const CHANGE = 'the service account of drivers can create Services and ConfigMaps, and not change them; leave the existing object as it is';
const HEADLESS = 'a Service of a driver must have spec.clusterIP None, and no spec.externalIPs; set clusterIP: None, and omit the others';

/** Applies a condition to Services only. `dyn`, as the API server checks the types of both kinds. */
const ofServices = (condition: string) => `request.resource.resource != 'services' || (${condition})`;

/**
 * Adds the policy for Services and ConfigMaps that the service account of drivers writes. With that
 * account, spark-submit creates those of a driver by server-side apply, for which RBAC needs the
 * permission to change all of them. The policy allows only new ones, and only headless Services,
 * which are not reachable from outside the cluster.
 * @internal
 */
export function addDriverPolicy(
  scope: Construct, namespace: string, serviceAccount: string, { allowedServiceAnnotations }: ApplicationLimits,
): void {
  const annotations = 'has(object.metadata.annotations) ? object.metadata.annotations.map(name, name) : []';
  addNamespacePolicy(scope, 'DriverPolicy', `spark-drivers.${namespace}.${serviceAccount}`, namespace, {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['services', 'configmaps'], scope: '*' }],
    matchConditions: [{ name: 'driver', expression: `request.userInfo.username == 'system:serviceaccount:${namespace}:${serviceAccount}'` }],
    variables: allowedServiceAnnotations ? [
      ...globVariables('ServiceAnnotations', literal(allowedServiceAnnotations)),
      { name: 'wrongAnnotations', expression: `(${annotations}).filter(name, !${isAllowed('ServiceAnnotations', 'name')})` },
    ] : [],
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
  });
}
