import { ApiObject, JsonPatch } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import type { Rule } from '../flags/permissions';

/**
 * A Role with the rules, bound to a service account; without a namespace a ClusterRole that holds in all of them.
 * @internal
 */
export function grant(scope: Construct, id: string, metadata: { name: string; namespace?: string }, rules: readonly Rule[], subject: kplus.ServiceAccount): void {
  if (metadata.namespace === undefined) {
    bind(new kplus.ClusterRoleBinding(scope, `${id}Binding`, { metadata, role: clusterRole(scope, id, metadata.name, rules) }), subject);
    return;
  }
  const role = new kplus.Role(scope, id, { metadata });
  for (const rule of rules) role.allow(rule.verbs, resourceOf(rule));
  bind(new kplus.RoleBinding(scope, `${id}Binding`, { metadata, role }), subject);
}

function bind(binding: kplus.RoleBinding | kplus.ClusterRoleBinding, subject: kplus.ServiceAccount): void {
  binding.addSubjects(subject);
  // Empty it is not stored, and each `kubectl apply` would write the binding again.
  ApiObject.of(binding).addJsonPatch(JsonPatch.remove('/subjects/0/apiGroup'));
}

/**
 * A ClusterRole with the rules.
 * @internal
 */
export function clusterRole(scope: Construct, id: string, name: string, rules: readonly Rule[]): kplus.ClusterRole {
  const role = new kplus.ClusterRole(scope, id, { metadata: { name } });
  rules.forEach((rule, index) => {
    role.allow(rule.verbs, { asApiResource: () => resourceOf(rule), asNonApiResource: () => undefined });
    // As above.
    if (rule.name === undefined) ApiObject.of(role).addJsonPatch(JsonPatch.remove(`/rules/${index}/resourceNames`));
  });
  return role;
}

function resourceOf({ group, resource, name }: Rule): kplus.IApiResource {
  return { apiGroup: group, resourceType: resource, resourceName: name };
}
