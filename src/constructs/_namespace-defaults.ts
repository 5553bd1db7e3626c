import { ApiObject, Lazy, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import { limitsObject } from './_application-limits';
import { podTemplateSchema, schemaOfKind } from '../rules/schemas';
import type { ApplicationLimits } from './application-limits';
import { withPropPath } from '../props/_prop-paths';
import { SparkProfile } from '../props/spark-profile';
import { withWeaker } from '../plan/defaults/apply';
import type { Layer } from '../plan/defaults/layer';
import { parseLimits } from '../plan/defaults/parse-limits';
import { SPARK_USER_ID } from '../api/labels';
import { SPARK_APPLICATION } from '../api/spark-application';
import { partialSchema, partialSpecViolations } from '../plan/defaults/partial-spec';
import type { Schema } from '../rules/schema';
import type { Problem } from '../model/problem';
import { withKubernetesTypes } from '../rules/kubernetes-types';

/** Shape that `src/operator/defaults` reads. */
interface Files {
  readonly defaults: Fields;
  readonly enforced: Fields;
  readonly limits: ApplicationLimits;
}

type Fields = { readonly [field: string]: any };

/**
 * Pod settings of the restricted Pod Security Standard. The user's group owns the volumes, so that
 * the user can write to them.
 */
const POD_SECURITY = { runAsNonRoot: true, runAsUser: SPARK_USER_ID, fsGroup: SPARK_USER_ID, seccompProfile: { type: 'RuntimeDefault' } };
const CONTAINER_SECURITY = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const RESTRICTED = { podSecurityContext: POD_SECURITY, securityContext: CONTAINER_SECURITY };

/**
 * Adds defaults that make applications meet the restricted Pod Security Standard. The user's
 * settings take precedence.
 * @internal
 */
export function withSecurity(defaults: Fields): Fields {
  return withWeaker(defaults, { driver: RESTRICTED, executor: RESTRICTED });
}

/**
 * Adds a default group for the volumes of drivers. The user's settings take precedence.
 * @internal
 */
export function withDriverGroup(defaults: Fields, fsGroup: number): Fields {
  return withWeaker(defaults, { driver: { podSecurityContext: { fsGroup } } });
}

/**
 * Adds the ConfigMap of a namespace with the defaults and limits at synthesis.
 * @internal
 */
export function addDefaults(
  scope: Construct, metadata: { readonly name: string; readonly namespace: string }, produce: () => Files,
): void {
  new ApiObject(scope, 'Defaults', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: Lazy.any({ produce: () => texts(produce()) }) });
}

function texts({ defaults, enforced, limits }: Files): { [name: string]: string } {
  const files = { 'defaults.yaml': defaults, 'enforced.yaml': enforced, 'limits.yaml': withoutEmpty(limitsObject(limits)) };
  // A copy: the operator reads no anchors, which YAML has for a value in two places.
  const copy: typeof files = JSON.parse(JSON.stringify(files));
  const filled = Object.entries(copy).filter(([, value]) => Object.keys(value).length > 0);
  return Object.fromEntries(filled.map(([name, value]) => [name, Yaml.stringify(value)]));
}

/**
 * Returns the settings of a profile as the operator reads them.
 * @internal
 */
export function fieldsOf(profile: SparkProfile | undefined): Fields {
  return withoutEmpty(withKubernetesTypes(partialSpecSchema(), profile?._toSpec() ?? {}));
}

/** Removes undefined values, and objects without fields. */
function withoutEmpty(fields: object): Fields {
  const plain: Fields = JSON.parse(JSON.stringify(fields));
  const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => !isEmpty(value)));
}

/**
 * Returns the defaults and limits of a namespace as the operator applies them.
 * @param configMap the ConfigMap, as `namespace/name`
 * @internal
 */
export function layerOf(configMap: string, { defaults, enforced, limits }: Files): Layer {
  return { configMap, resourceVersion: '', defaults, enforced, limits: parseLimits(withoutEmpty(limitsObject(limits)), () => {}) };
}

/**
 * Returns the problems of `defaults` and `enforced` that the operator would report.
 * @internal
 */
export function defaultsViolations(prop: 'defaults' | 'enforced', profile: SparkProfile | undefined): Problem[] {
  const fields = fieldsOf(profile);
  return partialSpecViolations(partialSpecSchema(), podTemplateSchema(), fields, prop, 'spec').map(withPropPath(fields as never))
    .map((problem) => ({ ...problem, path: `${prop}.${problem.path}` }));
}

let partialSpec: Schema | undefined;

function partialSpecSchema(): Schema {
  return (partialSpec ??= partialSchema(schemaOfKind(SPARK_APPLICATION).properties!.spec!));
}
