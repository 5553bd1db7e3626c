/* The construct's objects in all cases, with marks in place of what the user's values decide. */
import type { Json } from './compile.ts';
import type { Case, Dimensions } from './conditions.ts';
import { inserted, mark, spread } from './marks.ts';

/** Makes the objects of an installation from props, as a values file of `sparkctl install` writes them. */
export type Synthesize = (props: object) => readonly KubernetesObject[];

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** An object of a case. One of each job namespace represents those of all. */
export interface CaseObject {
  readonly content: Json;
  readonly isPerJobNamespace: boolean;
}

/** Values on which the presence of objects and fields depends. */
export const DIMENSIONS = {
  scope: ['names', 'all', 'labels'],
  jobs: ['some', 'none'],
  webhook: ['off', 'on', 'pods'],
  console: ['off', 'on'],
  metrics: ['on', 'off', 'PodMonitor', 'ServiceMonitor'],
  replicas: ['one', 'many'],
  batch: ['off', 'on'],
} as const satisfies Dimensions;

/** Returns all cases that can occur. An operator without any job namespace is rejected. */
export function casesOf(dimensions: Dimensions = DIMENSIONS): Case[] {
  return Object.entries(dimensions).reduce<Case[]>(
    (cases, [dimension, values]) => cases.flatMap((each) => values.map((value) => ({ ...each, [dimension]: value }))), [{}],
  ).filter(({ scope, jobs }) => scope !== 'names' || jobs === 'some');
}

const [FIRST_JOB, SECOND_JOB] = ['marked-job-a', 'marked-job-b'] as const;
const NAMESPACE = 'marked-namespace';
const WORKERS = 4713;
const MAPS = {
  serviceAccountAnnotations: { 'marked.example.org/account': 'x' },
  monitorLabels: { 'marked.example.org/monitor': 'x' },
  namespaceSelector: { 'marked-selector': 'marked-value' },
  podLabels: { 'marked.example.org/pod-label': 'x' },
  podAnnotations: { 'marked.example.org/pod-annotation': 'x' },
  nodeSelector: { 'marked.example.org/node': 'x' },
  affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'marked.example.org/affinity' }] } },
};
const LISTS = {
  imagePullSecrets: [{ name: 'marked-secret' }],
  tolerations: [{ key: 'marked.example.org/toleration', operator: 'Exists' }],
  jobNamespaces: [FIRST_JOB, SECOND_JOB],
};
const ENV = { name: 'MARKED', value: 'x' };

/** Marks in texts. The order matters: a mark can contain another one. */
const TEXTS: readonly (readonly [text: string, name: string])[] = [
  [`${FIRST_JOB},${SECOND_JOB}`, 'jobNamespaces'],
  [FIRST_JOB, 'jobNamespace'],
  [NAMESPACE, 'namespace'],
  ['marked.example.org/image:1', 'image'],
  ['marked-account', 'serviceAccountName'],
  ['marked-selector=marked-value', 'namespaceSelector'],
  ['marked-priority', 'priorityClassName'],
  ['4711s', 'monitorInterval'],
  [`${WORKERS}`, 'workers'],
  ['--log-level=info', '--log-level='],
];

/** Returns the props of a case. */
export function propsOf({ scope, jobs, webhook, console, metrics, replicas, batch }: Case): object {
  const { serviceAccountAnnotations, monitorLabels, namespaceSelector, ...maps } = MAPS;
  const monitor = { interval: '4711s', labels: monitorLabels };
  return {
    ...maps, serviceAccountAnnotations, namespace: NAMESPACE, createNamespace: false, image: 'marked.example.org/image:1', imagePullPolicy: 'Always',
    imagePullSecrets: ['marked-secret'], tolerations: LISTS.tolerations, env: [ENV], priorityClassName: 'marked-priority', serviceAccountName: 'marked-account',
    workers: WORKERS, replicas: replicas === 'many' ? 2 : 1, jobNamespaces: jobs === 'some' ? [FIRST_JOB, SECOND_JOB] : [],
    ...(scope === 'all' && { allNamespaces: true }),
    ...(scope === 'labels' && { namespaceSelector }),
    ...(webhook !== 'off' && { webhook: webhook === 'pods' ? { deployment: {} } : {} }),
    ...(console === 'on' && { console: {} }),
    ...(batch === 'on' && { batchScheduling: {} }),
    metrics: {
      off: { enabled: false }, on: {}, PodMonitor: { monitor: { podMonitor: monitor } }, ServiceMonitor: { monitor: { serviceMonitor: monitor } },
    }[metrics!],
  };
}

/** Returns the objects of a case, with marks. */
export function objectsOf(each: Case, synthesize: Synthesize): CaseObject[] {
  return synthesize(propsOf(each)).filter((object) => !belongsTo(object, SECOND_JOB)).map((object) => ({
    content: marked(object as unknown as Json, object, []), isPerJobNamespace: belongsTo(object, FIRST_JOB),
  }));
}

function belongsTo({ metadata }: KubernetesObject, namespace: string): boolean {
  return metadata.namespace === namespace;
}

/** Values at certain paths. */
function atPath({ kind, metadata: { name } }: KubernetesObject, path: readonly string[], value: Json): Json | undefined {
  const [place, last] = [path.join('.'), path.at(-1)];
  if (last === 'imagePullPolicy') return mark('imagePullPolicy');
  if (kind === 'Deployment' && place === 'spec.template.spec.containers.resources') return inserted(`${RESOURCES[name]!}`);
  if (kind === 'Deployment' && place === 'spec.replicas' && name === 'spark-operator') return inserted('replicas');
  if (kind.endsWith('WebhookConfiguration') && last === 'failurePolicy' && value === 'Ignore') return mark('failurePolicy');
  return undefined;
}

const RESOURCES: { readonly [deployment: string]: string } = {
  'spark-operator': 'resources', 'spark-operator-webhook': 'webhookResources', 'spark-operator-console': 'consoleResources',
};

function marked(value: Json, object: KubernetesObject, path: readonly string[]): Json {
  const replaced = atPath(object, path, value);
  if (replaced !== undefined) return replaced;
  if (typeof value === 'string') return markedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const [name] = Object.entries(LISTS).find(([, list]) => isSame(list, value)) ?? [];
    if (name !== undefined) return inserted(name);
    return value.map((each: Json) => (isSame(each, ENV) ? spread('env') : marked(each, object, path)));
  }
  const map = value as { readonly [name: string]: Json };
  const [name, content] = Object.entries(MAPS).find(([, each]) => Object.entries(each).every(([key, own]) => isSame(map[key], own))) ?? [];
  const others = Object.entries(map).filter(([key]) => content === undefined || !Object.hasOwn(content, key));
  if (name !== undefined && others.length === 0) return inserted(name);
  return {
    ...(name !== undefined && { [spread(name)]: true }),
    ...Object.fromEntries(others.map(([key, each]) => [markedText(key), marked(each, object, [...path, key])])),
  };
}

function markedText(text: string): string {
  if (!/marked|471|--log-level/.test(text)) return text;
  return TEXTS.reduce((result, [plain, name]) => (
    name.endsWith('=') ? result.replace(plain, `${name}${mark('logLevel')}`) : result.replaceAll(plain, mark(name))
  ), text);
}

/** Compares step by step: most comparisons end at the first one. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  return keys.length === others.length && keys.every((key) => isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}
