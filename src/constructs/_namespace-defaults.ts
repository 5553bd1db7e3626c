import { ApiObject, Lazy, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import { limitsObject } from './_application-limits';
import { podTemplateSchema, schemaOfKind } from '../rules/schemas';
import type { SparkJobNamespaceProps } from './spark-job-namespace-props';
import { SPARK_USER_ID } from '../api/labels';
import { SPARK_APPLICATION } from '../api/spark-application';
import { partialSchema, partialSpecViolations } from '../plan/defaults/partial-spec';
import type { Schema } from '../rules/schema';
import type { Problem } from '../model/problem';
import { withKubernetesTypes } from '../rules/kubernetes-types';

/** Shape that `src/operator/defaults` reads. */
type Files = Pick<SparkJobNamespaceProps, 'defaults' | 'enforced' | 'limits'>;

type Fields = { readonly [field: string]: any };

/**
 * Pod settings of the restricted Pod Security Standard. The user's group owns the volumes, so that the
 * user can write to them.
 */
const POD_SECURITY = { runAsNonRoot: true, runAsUser: SPARK_USER_ID, fsGroup: SPARK_USER_ID, seccompProfile: { type: 'RuntimeDefault' } };
const CONTAINER_SECURITY = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const RESTRICTED = { podSecurityContext: POD_SECURITY, securityContext: CONTAINER_SECURITY };

/**
 * Adds defaults that make applications meet the restricted Pod Security Standard. The user's
 * settings take precedence.
 * @internal
 */
export function withSecurity(defaults: Fields = {}): Fields {
  return { ...defaults, driver: merged(RESTRICTED, defaults.driver), executor: merged(RESTRICTED, defaults.executor) };
}

/**
 * Adds a default group for the volumes of drivers. The user's settings take precedence.
 * @internal
 */
export function withDriverGroup(defaults: Fields, fsGroup: number): Fields {
  return { ...defaults, driver: merged({ podSecurityContext: { fsGroup } }, defaults.driver) };
}

/**
 * Merges as the operator does: field by field; lists and seccomp profiles are replaced as a whole.
 */
function merged(weaker: Fields, stronger: Fields = {}): Fields {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const both = Object.entries(stronger).map(([field, value]) => [
    field, field !== 'seccompProfile' && isObject(value) && isObject(weaker[field]) ? merged(weaker[field], value) : value,
  ]);
  return { ...weaker, ...Object.fromEntries(both) };
}

/**
 * Adds the ConfigMap of a namespace with the defaults and limits at synthesis.
 * @internal
 */
export function defaultsConfigMap(
  scope: Construct, metadata: { readonly name: string; readonly namespace: string }, produce: () => Files,
): void {
  new ApiObject(scope, 'Defaults', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: Lazy.any({ produce: () => texts(produce()) }) });
}

function texts({ defaults, enforced, limits }: Files): { [name: string]: string } {
  const files = {
    'defaults.yaml': normalize(defaults), 'enforced.yaml': normalize(enforced), 'limits.yaml': limits && limitsObject(limits),
  };
  return Object.fromEntries(Object.entries(files).flatMap(([name, value]) => {
    const plain = JSON.parse(JSON.stringify(value ?? {}));
    return Object.keys(plain).length > 0 ? [[name, Yaml.stringify(plain)]] : [];
  }));
}

/** Returns the form that Kubernetes requires. */
function normalize(fields: Fields | undefined): Fields | undefined {
  return fields && withKubernetesTypes(partialSpecSchema(), fields);
}

/**
 * Returns the problems of `defaults` and `enforced` that the operator would report.
 * @internal
 */
export function defaultsViolations(prop: 'defaults' | 'enforced', fields: Fields | undefined): Problem[] {
  if (!fields) return [];
  return partialSpecViolations(partialSpecSchema(), podTemplateSchema(), fields, prop, prop);
}

let partialSpec: Schema | undefined;

function partialSpecSchema(): Schema {
  return (partialSpec ??= partialSchema(schemaOfKind(SPARK_APPLICATION).properties!.spec!));
}
