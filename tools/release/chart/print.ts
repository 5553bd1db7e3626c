/* Writes templates as Helm reads them. */
import type { Entry, TemplateNode } from './compile.ts';
import { DIMENSIONS } from './cases.ts';
import type { Condition } from './conditions.ts';
import { partsOf } from './marks.ts';

/** A value of the chart in a template. */
export interface Reference {
  readonly expression: string;
  /** Whether fields with an empty value are left out. @default false */
  readonly isOptional?: boolean;
  /** Whether it is a number or boolean, which is written as it is. @default false */
  readonly isPlain?: boolean;
}

const values = (path: string): string => `$.Values.${path}`;
const optional = (path: string): Reference => ({ expression: values(path), isOptional: true });

/** The values by the names of their marks. */
export const REFERENCES: { readonly [name: string]: Reference } = {
  namespace: { expression: '$.Release.Namespace' },
  jobNamespace: { expression: '$jobNamespace' },
  jobNamespaces: { expression: '$jobNamespaces' },
  namespaceSelector: { expression: values('namespaceSelector') },
  image: { expression: values('image') },
  imagePullPolicy: { expression: values('imagePullPolicy') },
  serviceAccountName: { expression: values('serviceAccount.name') },
  serviceAccountAnnotations: optional('serviceAccount.annotations'),
  logLevel: { expression: values('logLevel') },
  workers: optional('workers'),
  replicas: { expression: values('replicas'), isPlain: true },
  resources: { expression: values('resources') },
  webhookResources: { expression: values('webhook.resources') },
  consoleResources: { expression: values('console.resources') },
  failurePolicy: { expression: values('webhook.failurePolicy') },
  monitorLabels: optional('metrics.monitor.labels'),
  monitorInterval: optional('metrics.monitor.interval'),
  imagePullSecrets: optional('imagePullSecrets'),
  podLabels: optional('podLabels'),
  podAnnotations: optional('podAnnotations'),
  nodeSelector: optional('nodeSelector'),
  tolerations: optional('tolerations'),
  affinity: optional('affinity'),
  priorityClassName: optional('priorityClassName'),
  env: optional('env'),
};

/** Texts made of lists and maps. */
const JOINED: { readonly [name: string]: string } = {
  jobNamespaces: 'join "," $jobNamespaces', namespaceSelector: '$namespaceSelector', workers: `int ${values('workers')}`,
};

/** Returns an instruction that rejects values which contradict each other. Helm's schema cannot compare values. */
const failIf = (condition: string, message: string) => `{{- if ${condition} }}{{- fail (printf ${message}) }}{{- end }}`;

/** Sets the variables of the conditions, and rejects what SparkOperator rejects. */
export const HEADER = [
  '{{- $scope := ternary "all" (ternary "names" "labels" (empty $.Values.namespaceSelector)) $.Values.allNamespaces }}',
  '{{- $jobNamespaces := $.Values.jobNamespaces | default (ternary (list "default") (list) (eq $scope "names")) }}',
  failIf('has $.Release.Namespace $jobNamespaces', '"%s is both the namespace of the operator and one of jobNamespaces: a driver there could create pods that '
    + 'run as the operator, with all its permissions; use --namespace to install the chart into a namespace of its own" $.Release.Namespace'),
  failIf('and $.Values.allNamespaces $.Values.namespaceSelector', '"namespaceSelector has no effect with allNamespaces: leave one of them out"'),
  '{{- $jobs := ternary "none" "some" (empty $jobNamespaces) }}',
  '{{- $webhook := ternary (ternary "pods" "on" $.Values.webhook.ownPods) "off" $.Values.webhook.enabled }}',
  '{{- $console := ternary "on" "off" $.Values.console.enabled }}',
  '{{- $metrics := ternary (ternary "on" $.Values.metrics.monitor.kind (eq $.Values.metrics.monitor.kind "none")) "off" $.Values.metrics.enabled }}',
  '{{- $replicas := ternary "many" "one" (gt (int $.Values.replicas) 1) }}',
  '{{- $batch := ternary "on" "off" $.Values.batchScheduling.enabled }}',
  '{{- $namespaceSelector := "" }}',
  '{{- range $label, $value := $.Values.namespaceSelector }}',
  '{{- $namespaceSelector = printf "%s,%s=%s" $namespaceSelector $label $value | trimPrefix "," }}',
  '{{- end }}',
].join('\n');

/** Returns the text of objects, each as a document. */
export function printDocuments(documents: readonly (Entry & { readonly isPerJobNamespace: boolean })[]): string {
  return grouped(documents, (document) => JSON.stringify([document.when, document.isPerJobNamespace])).map((group) => {
    const { when, isPerJobNamespace } = group[0]!;
    return [
      ...(when ? [`{{- if ${expressionOf(when)} }}`] : []),
      ...(isPerJobNamespace ? ['{{- range $jobNamespace := $jobNamespaces }}'] : []),
      ...group.flatMap(({ node }) => ['---', ...printNode(node, 0)]),
      ...(isPerJobNamespace ? ['{{- end }}'] : []),
      ...(when ? ['{{- end }}'] : []),
    ].join('\n');
  }).join('\n');
}

/** Groups neighbours with the same key. */
function grouped<T>(entries: readonly T[], keyOf: (entry: T) => string): T[][] {
  return entries.reduce<T[][]>((groups, entry) => {
    const last = groups.at(-1);
    if (last && keyOf(last[0]!) === keyOf(entry)) last.push(entry);
    else groups.push([entry]);
    return groups;
  }, []);
}

function printNode(node: TemplateNode, indent: number): string[] {
  if (node.kind === 'map') return printEntries(ordered(node.entries), indent, (key, each, at) => printField(key!, each, at));
  if (node.kind === 'list') return printEntries(node.entries, indent, (_key, each, at) => printItem(each, at));
  throw new Error(`a document is ${node.kind}`);
}

type Print = (key: string | undefined, node: TemplateNode, indent: number) => string[];

function printEntries(entries: readonly Entry[], indent: number, print: Print): string[] {
  const space = ' '.repeat(indent);
  return grouped(entries, (entry) => conditionsOf(entry).join(' ')).flatMap((group) => {
    const lines = group.flatMap(({ key, ...entry }) => printEntry(entry, indent, (node, at) => print(key, node, at)));
    const conditions = conditionsOf(group[0]!);
    if (conditions.length === 0) return lines;
    const condition = conditions.length === 1 ? conditions[0]! : `and ${conditions.map(inBrackets).join(' ')}`;
    return [`${space}{{- if ${condition} }}`, ...lines, `${space}{{- end }}`];
  });
}

/** The first entry of a map in a list follows its dash, so it must not depend on a condition. */
function ordered(entries: readonly Entry[]): readonly Entry[] {
  const isFirst = (entry: Entry) => conditionsOf(entry).length === 0 && entry.node.kind !== 'choice' && !entry.isSpread;
  const first = entries.find(isFirst);
  return first ? [first, ...entries.filter((each) => each.isSpread), ...entries.filter((each) => each !== first && !each.isSpread)] : entries;
}

function printEntry({ node, isSpread }: Entry, indent: number, print: (node: TemplateNode, indent: number) => string[]): string[] {
  const space = ' '.repeat(indent);
  if (isSpread) return [`${space}{{- toYaml ${referenceOf((node as { readonly name: string }).name).expression} | nindent ${indent} }}`];
  if (node.kind !== 'choice') return print(node, indent);
  return [
    ...node.branches.flatMap(({ when, node: branch }, index) => [
      `${space}{{- ${index === 0 ? `if ${expressionOf(when)}` : index === node.branches.length - 1 ? 'else' : `else if ${expressionOf(when)}`} }}`,
      ...print(branch, indent),
    ]),
    `${space}{{- end }}`,
  ];
}

/** Returns the conditions of an entry: its own, and that its value is not empty. */
function conditionsOf({ node, when }: Entry): string[] {
  const names = node.kind === 'insert'
    ? [node.name]
    : node.kind === 'scalar' && typeof node.value === 'string' ? partsOf(node.value).flatMap(({ name }) => name ?? []) : [];
  return [
    ...(when ? [expressionOf(when)] : []),
    ...names.map(referenceOf).filter(({ isOptional }) => isOptional).map(({ expression }) => expression),
  ];
}

function printField(key: string, node: TemplateNode, indent: number): string[] {
  const start = `${' '.repeat(indent)}${scalar(key)}:`;
  if (node.kind === 'scalar') return [`${start} ${scalar(node.value)}`];
  if (node.kind === 'insert') {
    const { expression, isPlain } = referenceOf(node.name);
    return isPlain ? [`${start} {{ ${expression} }}`] : [start, `${' '.repeat(indent)}  {{- toYaml ${expression} | nindent ${indent + 2} }}`];
  }
  if (node.kind !== 'choice' && node.entries.length === 0) return [`${start} ${node.kind === 'list' ? '[]' : '{}'}`];
  return [start, ...printNode(node, indent + 2)];
}

function printItem(node: TemplateNode, indent: number): string[] {
  const space = ' '.repeat(indent);
  if (node.kind === 'scalar') return [`${space}- ${scalar(node.value)}`];
  if (node.kind === 'insert') throw new Error('a value is not an item of a list: spread it');
  const lines = printNode(node, indent + 2);
  const [first, ...others] = lines as [string, ...string[]];
  return first.trimStart().startsWith('{{') ? [`${space}-`, ...lines] : [`${space}- ${first.trimStart()}`, ...others];
}

/** Words that YAML does not read as texts without quotes. */
const RESERVED = /^(true|false|yes|no|on|off|null|y|n|nan|inf)$/i;

function scalar(value: null | boolean | number | string): string {
  if (typeof value !== 'string') return String(value);
  const parts = partsOf(value);
  const [only] = parts;
  if (parts.length === 1 && only!.name !== undefined) return `{{ ${textOf(only!.name)} | quote }}`;
  const isPlain = parts.length <= 1 && /^[A-Za-z/][A-Za-z0-9/._-]*$/.test(value) && !RESERVED.test(value);
  if (isPlain) return value;
  return `"${parts.map(({ text, name }) => (name === undefined ? escaped(text!) : `{{ ${textOf(name)} }}`)).join('')}"`;
}

/** Texts such as `{{SPARK_VERSION}}` are not for Helm. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('{{', '{{ "{{" }}');
}

function textOf(name: string): string {
  return JOINED[name] ?? referenceOf(name).expression;
}

function referenceOf(name: string): Reference {
  const reference = REFERENCES[name];
  if (!reference) throw new Error(`${name} is no value of the chart`);
  return reference;
}

function expressionOf(condition: Condition): string {
  const boxes = condition.map((box) => {
    const literals = Object.entries(box).map(([dimension, allowed]) => literalOf(dimension, allowed));
    return literals.length === 1 ? literals[0]! : `and ${literals.map(inBrackets).join(' ')}`;
  });
  return boxes.length === 1 ? boxes[0]! : `or ${boxes.map(inBrackets).join(' ')}`;
}

function literalOf(dimension: string, allowed: readonly string[]): string {
  const all: readonly string[] = DIMENSIONS[dimension as keyof typeof DIMENSIONS];
  const others = all.filter((value) => !allowed.includes(value));
  if (allowed.length === 1) return `eq $${dimension} "${allowed[0]}"`;
  if (others.length === 1) return `ne $${dimension} "${others[0]}"`;
  return `has $${dimension} (list ${allowed.map((value) => `"${value}"`).join(' ')})`;
}

function inBrackets(expression: string): string {
  return /[ ]/.test(expression) ? `(${expression})` : expression;
}
