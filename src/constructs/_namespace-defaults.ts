import { ApiObject, Lazy, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import { limitsObject } from './_application-limits';
import { podTemplateSchema, schemaOfKind } from '../props/_schema';
import type { SparkJobNamespaceProps } from './spark-job-namespace-props';
import { SPARK_APPLICATION } from '../api/spark-application';
import { partialSchema, partialSpecViolations } from '../plan/defaults/partial-spec';
import type { Schema } from '../rules/schema';
import type { Violation } from '../model/problem';
import { written } from '../rules/written';

/** As `src/operator/defaults` reads them. */
type Files = Pick<SparkJobNamespaceProps, 'defaults' | 'enforced' | 'limits'>;

type Fields = { readonly [field: string]: any };

/**
 * What the restricted Pod Security Standard asks of a pod. The user is that of Spark's images, whose `USER` is a name, of which the kubelet
 * cannot know that it is not root. Its group owns the volumes, so that it can write there.
 */
const POD_SECURITY = { runAsNonRoot: true, runAsUser: 185, fsGroup: 185, seccompProfile: { type: 'RuntimeDefault' } };
const CONTAINER_SECURITY = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const RESTRICTED = { podSecurityContext: POD_SECURITY, securityContext: CONTAINER_SECURITY };

/**
 * Defaults with which applications are let in by the restricted Pod Security Standard. What the user wrote goes before.
 * @internal
 */
export function withSecurity(defaults: Fields = {}): Fields {
  return { ...defaults, driver: merged(RESTRICTED, defaults.driver), executor: merged(RESTRICTED, defaults.executor) };
}

/**
 * Defaults with which the volumes of drivers belong to a group. What the user wrote goes before.
 * @internal
 */
export function withDriverGroup(defaults: Fields, fsGroup: number): Fields {
  return { ...defaults, driver: merged({ podSecurityContext: { fsGroup } }, defaults.driver) };
}

/** As the operator puts objects together: field by field; a list and a seccomp profile as a whole. */
function merged(weaker: Fields, stronger: Fields = {}): Fields {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const both = Object.entries(stronger).map(([field, value]) => [field, field !== 'seccompProfile' && isObject(value) && isObject(weaker[field]) ? merged(weaker[field], value) : value]);
  return { ...weaker, ...Object.fromEntries(both) };
}

/**
 * The ConfigMap of a namespace with defaults and limits, as they are in the end.
 * @internal
 */
export function defaultsConfigMap(scope: Construct, metadata: { readonly name: string; readonly namespace: string }, produce: () => Files): void {
  new ApiObject(scope, 'Defaults', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: Lazy.any({ produce: () => texts(produce()) }) });
}

function texts({ defaults, enforced, limits }: Files): { [name: string]: string } {
  const files = { 'defaults.yaml': asWritten(defaults), 'enforced.yaml': asWritten(enforced), 'limits.yaml': limits && limitsObject(limits) };
  return Object.fromEntries(Object.entries(files).flatMap(([name, value]) => {
    const plain = JSON.parse(JSON.stringify(value ?? {}));
    return Object.keys(plain).length > 0 ? [[name, Yaml.stringify(plain)]] : [];
  }));
}

/** As Kubernetes wants to have it written. */
function asWritten(fields: Fields | undefined): Fields | undefined {
  return fields && written(partialSpecSchema(), fields);
}

/**
 * What the operator would refuse in `defaults` and `enforced`.
 * @internal
 */
export function defaultsViolations(prop: 'defaults' | 'enforced', fields: Fields | undefined): Violation[] {
  if (!fields) return [];
  return partialSpecViolations(partialSpecSchema(), podTemplateSchema(), fields, prop, prop);
}

let partialSpec: Schema | undefined;

function partialSpecSchema(): Schema {
  return (partialSpec ??= partialSchema(schemaOfKind(SPARK_APPLICATION).properties!.spec!));
}
