import { isIP } from 'node:net';
import type { Container, EnvFromSource, EnvVar, HostAlias, PodSpec, Toleration, VolumeMount } from '../../k8s';
import { isConfigKey, isDescendingPath, isDnsLabel, isSubdomain, isVariable } from '../../rules/names';
import { containersOf, initContainersOf } from './container';

/** A value of a pod that the API server rejects. */
export interface RejectedValue {
  /** The part of the pod that has the value. */
  readonly part: object;
  /** Path of the value in the part: empty, or with a dot at its beginning. */
  readonly path: string;
  readonly value?: string;
  readonly reason: string;
  readonly remedy: string;
  /** Field of the pod or container with the part, and its index in the list there. */
  readonly field: string;
  readonly index: number;
  /** The container with the part. Default: none, it belongs to the pod. */
  readonly container?: Container;
}

type Found = Omit<RejectedValue, 'part' | 'field' | 'index' | 'container'>;

/**
 * Returns the values of a pod for which the API server rejects it (ValidatePodSpec in
 * k8s.io/kubernetes/pkg/apis/core/validation). It does not reject a negative
 * terminationGracePeriodSeconds, which becomes 1, nor any schedulerName.
 */
export function rejectedValues(spec: PodSpec): RejectedValue[] {
  const ofPod = <T extends object>(field: string, parts: readonly T[] | null | undefined, check: (part: T) => readonly Found[]) => (
    (parts ?? []).flatMap((part, index) => check(part).map((found): RejectedValue => ({ ...found, part, field, index })))
  );
  return [
    ...ofPod('tolerations', spec.tolerations, tolerationValues),
    ...ofPod('hostAliases', spec.hostAliases, hostAliasValues),
    ...ofPod('securityContext', spec.securityContext && [spec.securityContext], userValues),
    ...[...initContainersOf(spec), ...containersOf(spec)].flatMap((container) => [
      ...ofPod('name', [container], containerValues),
      ...ofPod('env', container.env, variableValues),
      ...ofPod('envFrom', container.envFrom, sourceValues),
      ...ofPod('volumeMounts', container.volumeMounts, mountValues),
      ...ofPod('securityContext', container.securityContext && [container.securityContext], userValues),
    ].map((found) => ({ ...found, container }))),
  ];
}

function tolerationValues({ key, operator, value, effect, tolerationSeconds: seconds }: Toleration): Found[] {
  const isExists = operator === 'Exists';
  return [
    ...(!key && !isExists ? [{ path: '.key', reason: 'is missing', remedy: 'name the key of a taint, or write Exists as operator' }] : []),
    ...(isExists && value
      ? [{ path: '.value', value, reason: 'must not be set with the operator Exists', remedy: 'remove one of the two' }] : []),
    ...((seconds ?? undefined) !== undefined && effect !== 'NoExecute'
      ? [{ path: '.tolerationSeconds', reason: 'needs the effect NoExecute', remedy: 'write that effect, or remove it' }] : []),
  ];
}

function hostAliasValues({ ip, hostnames }: HostAlias): Found[] {
  // Kubernetes still accepts leading zeros.
  const isAddress = isIP(String(ip).replace(/\b0+(?=\d)(?=[\d.]*$)/g, '')) > 0;
  return [
    ...(isAddress ? [] : [{ path: '.ip', value: ip, reason: 'is not an IP address', remedy: 'write one such as 10.0.0.1' }]),
    ...(hostnames ?? []).flatMap((name, index) => (isSubdomain(name) ? [] : [
      { path: `.hostnames[${index}]`, value: name, reason: 'is not the name of a host', remedy: NAME_REMEDY },
    ])),
  ];
}

const NAME_REMEDY = "write at most 253 lower-case letters, digits, '-' and '.'";

/** The largest number of a user or group. */
const MAX_USER = 2 ** 31 - 1;

interface Users {
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly fsGroup?: number;
  readonly supplementalGroups?: readonly number[] | null;
}

function userValues({ runAsUser, runAsGroup, fsGroup, supplementalGroups }: Users): Found[] {
  const groups = (supplementalGroups ?? []).map((group, index) => [`supplementalGroups[${index}]`, group] as const);
  return Object.entries({ runAsUser, runAsGroup, fsGroup, ...Object.fromEntries(groups) }).flatMap(([name, value]): Found[] => (
    (value ?? 0) >= 0 && (value ?? 0) <= MAX_USER ? [] : [
      { path: `.${name}`, value: String(value), reason: 'is not the number of a user or group', remedy: `write one from 0 to ${MAX_USER}` },
    ]
  ));
}

function containerValues({ name }: Container): Found[] {
  return !name || isDnsLabel(name) ? [] : [{
    path: '.name', value: name, reason: 'is not the name of a container', remedy: "write at most 63 lower-case letters, digits and '-'",
  }];
}

const SOURCES = ['configMapKeyRef', 'fieldRef', 'fileKeyRef', 'resourceFieldRef', 'secretKeyRef'] as const;

function variableValues({ name, value, valueFrom }: EnvVar): Found[] {
  return [
    ...(isVariable(name) ? [] : [
      { path: '.name', reason: 'is not the name of an environment variable', remedy: "write letters, digits and '_'" },
    ]),
    ...(valueFrom ? [
      ...sourceCount('.valueFrom', SOURCES.filter((source) => valueFrom[source]).length, SOURCES),
      ...(value ? [
        { path: '.valueFrom', reason: 'must not be set together with value', remedy: `remove one of the two from ${name}` },
      ] : []),
      ...entryValues('.valueFrom.secretKeyRef', 'Secret', valueFrom.secretKeyRef),
      ...entryValues('.valueFrom.configMapKeyRef', 'ConfigMap', valueFrom.configMapKeyRef),
    ] : []),
  ];
}

function sourceCount(path: string, count: number, known: readonly string[]): Found[] {
  return count === 1 ? [] : [{
    path, reason: count === 0 ? 'has no source' : 'has more than one source', remedy: `write one of ${known.join(', ')}`,
  }];
}

/** Checks a reference to an entry of a Secret or ConfigMap. */
function entryValues(path: string, kind: string, reference: { readonly name?: string; readonly key: string } | undefined): Found[] {
  return reference ? [...nameValues(path, kind, reference), ...(isConfigKey(reference.key) ? [] : [{
    path: `${path}.key`, value: reference.key, reason: `is not the key of a ${kind}`, remedy: "write letters, digits, '-', '_' and '.'",
  }])] : [];
}

function nameValues(path: string, kind: string, reference: { readonly name?: string } | undefined): Found[] {
  return !reference || isSubdomain(reference.name ?? '') ? [] : [{
    path: `${path}.name`, value: reference.name, reason: `is not the name of a ${kind}`, remedy: NAME_REMEDY,
  }];
}

function sourceValues({ configMapRef, secretRef }: EnvFromSource): Found[] {
  return [
    ...sourceCount('', [configMapRef, secretRef].filter(Boolean).length, ['configMapRef', 'secretRef']),
    ...nameValues('.configMapRef', 'ConfigMap', configMapRef),
    ...nameValues('.secretRef', 'Secret', secretRef),
  ];
}

function mountValues({ subPath, subPathExpr }: VolumeMount): Found[] {
  return [
    ...Object.entries({ subPath, subPathExpr }).flatMap(([name, path]): Found[] => (isDescendingPath(String(path ?? '')) ? [] : [
      { path: `.${name}`, value: path, reason: SUB_PATH_REASON, remedy: SUB_PATH_REMEDY },
    ])),
    ...(subPath && subPathExpr ? [
      { path: '.subPathExpr', value: subPathExpr, reason: 'must not be set together with subPath', remedy: 'remove one of the two' },
    ] : []),
  ];
}

/** The problem of a path in a volume, as the rest of a sentence. */
export const SUB_PATH_REASON = 'is not a path in the volume';
export const SUB_PATH_REMEDY = 'write a relative path without ..';
