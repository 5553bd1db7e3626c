import { CommandError } from '../errors';
import type { KubeObject } from '../../kube/objects';
import { LEASES } from '../../kube/lease';
import { apiVersionOf, defineResource, type Resource } from '../../kube/resource';
import {
  HTTP_ROUTES, INGRESSES, MUTATING_WEBHOOK_CONFIGURATIONS, NAMESPACES, NETWORK_POLICIES, SECRETS, SERVICES,
  VALIDATING_WEBHOOK_CONFIGURATIONS,
} from '../../model/resources';
import type { CustomResourceDefinition, Deployment } from './objects';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' };
const ADMISSION = { group: 'admissionregistration.k8s.io', version: 'v1', namespaced: false };
const CERT_MANAGER = { group: 'cert-manager.io', version: 'v1', namespaced: true };
const PROMETHEUS = { group: 'monitoring.coreos.com', version: 'v1', namespaced: true };

export const CUSTOM_RESOURCE_DEFINITIONS = defineResource<CustomResourceDefinition>({
  group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition', plural: 'customresourcedefinitions',
  namespaced: false,
});
export const DEPLOYMENTS = defineResource<Deployment>({
  group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true,
});
export const SERVICE_ACCOUNTS = defineResource({
  group: '', version: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true,
});
export const ROLES = defineResource({ ...RBAC, kind: 'Role', plural: 'roles', namespaced: true });
export const ROLE_BINDINGS = defineResource({ ...RBAC, kind: 'RoleBinding', plural: 'rolebindings', namespaced: true });

/**
 * Label selector of the Deployments of operators: those of this package, and those of kubeflow's
 * chart.
 */
export const OPERATOR_SELECTOR = 'app.kubernetes.io/name=spark-operator';

/**
 * Kinds that `SparkOperator` creates, other than CRDs and namespaces. They are removed in this
 * order: first the configurations that the API server reads, then the workloads, then their
 * permissions.
 */
export const INSTALLED_KINDS: readonly Resource[] = [
  MUTATING_WEBHOOK_CONFIGURATIONS,
  VALIDATING_WEBHOOK_CONFIGURATIONS,
  defineResource({ ...ADMISSION, kind: 'ValidatingAdmissionPolicyBinding', plural: 'validatingadmissionpolicybindings' }),
  defineResource({ ...ADMISSION, kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' }),
  defineResource({ ...PROMETHEUS, kind: 'PodMonitor', plural: 'podmonitors' }),
  defineResource({ ...PROMETHEUS, kind: 'ServiceMonitor', plural: 'servicemonitors' }),
  DEPLOYMENTS,
  defineResource({ group: 'policy', version: 'v1', kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets', namespaced: true }),
  NETWORK_POLICIES,
  INGRESSES,
  HTTP_ROUTES,
  SERVICES,
  defineResource({ ...CERT_MANAGER, kind: 'Certificate', plural: 'certificates' }),
  defineResource({ ...CERT_MANAGER, kind: 'Issuer', plural: 'issuers' }),
  SECRETS,
  ROLE_BINDINGS,
  defineResource({ ...RBAC, kind: 'ClusterRoleBinding', plural: 'clusterrolebindings', namespaced: false }),
  ROLES,
  defineResource({ ...RBAC, kind: 'ClusterRole', plural: 'clusterroles', namespaced: false }),
  SERVICE_ACCOUNTS,
];

/** All kinds that an installation contains; the operator creates the Leases itself. */
const ALL: readonly Resource[] = [CUSTOM_RESOURCE_DEFINITIONS, NAMESPACES, LEASES, ...INSTALLED_KINDS];

/**
 * Returns the resource of an object.
 *
 * @throws {CommandError} for a kind that neither `SparkOperator` nor the operator creates
 */
export function resourceOf({ apiVersion, kind, metadata: { name } }: KubeObject): Resource {
  const resource = ALL.find((known) => known.kind === kind && apiVersionOf(known) === apiVersion);
  if (!resource) {
    throw new CommandError(
      `${kind} ${name} (${apiVersion}) is of a kind that sparkctl cannot install; print it with --print, and apply it with kubectl`,
    );
  }
  return resource;
}
