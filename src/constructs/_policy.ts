import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Validation, Variable } from './_policy-parts';

/**
 * Content of a ValidatingAdmissionPolicy.
 * @internal
 */
export interface Policy {
  readonly resourceRules: readonly object[];
  readonly matchConditions?: readonly object[];
  /** At least one. @default - none */
  readonly variables?: readonly Variable[];
  readonly validations: readonly (Omit<Validation, 'messageExpression'> & Partial<Pick<Validation, 'messageExpression'>>)[];
}

/**
 * Namespaces to which a policy applies.
 * @internal
 */
export interface PolicyBinding {
  readonly id: string;
  readonly name: string;
  /** Label selector. */
  readonly selector: object;
}

/** Lists every field as Kubernetes stores it, so that applying it again changes nothing. */
const MATCH = { matchPolicy: 'Equivalent', objectSelector: {} };

/**
 * Adds a ValidatingAdmissionPolicy, bound to namespaces.
 * @internal
 */
export function addPolicy(
  scope: Construct, id: string, name: string, { resourceRules, ...rules }: Policy, bindings: readonly PolicyBinding[],
): void {
  const object = (of: { readonly id: string; readonly name: string }, kind: string, spec: object) => new ApiObject(scope, of.id, {
    apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: of.name }, spec,
  });
  object({ id, name }, 'ValidatingAdmissionPolicy', {
    failurePolicy: 'Fail', matchConstraints: { ...MATCH, namespaceSelector: {}, resourceRules }, ...rules,
  });
  for (const binding of bindings) {
    object(binding, 'ValidatingAdmissionPolicyBinding', {
      policyName: name, matchResources: { ...MATCH, namespaceSelector: binding.selector }, validationActions: ['Deny'],
    });
  }
}

/**
 * Adds a ValidatingAdmissionPolicy for the objects of one namespace.
 * @internal
 */
export function addNamespacePolicy(scope: Construct, id: string, name: string, namespace: string, policy: Policy): void {
  addPolicy(scope, id, name, policy, [
    { id: `${id}Binding`, name, selector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
  ]);
}
