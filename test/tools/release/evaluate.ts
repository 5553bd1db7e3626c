/* Evaluates the template of the chart as Helm does, without Helm: tests compare Helm's own output in test/api/chart.test.ts. */
import type { Case } from '../../../tools/release/chart/conditions.ts';
import { holds } from '../../../tools/release/chart/conditions.ts';
import type { ChartDocument } from '../../../tools/release/chart/chart.ts';
import type { Entry, TemplateNode } from '../../../tools/release/chart/compile.ts';
import { partsOf } from '../../../tools/release/chart/marks.ts';
import { REFERENCES } from '../../../tools/release/chart/print.ts';
import type { ChartInput } from '../../helpers/chart-values';

interface Context {
  readonly values: ChartInput;
  readonly namespace: string;
  readonly case: Case;
  readonly jobNamespaces: readonly string[];
  readonly jobNamespace?: string;
}

/** Returns the objects of a template for some values. */
export function evaluate(documents: readonly ChartDocument[], values: ChartInput, namespace: string): unknown[] {
  const selector = Object.keys(values.namespaceSelector).length > 0;
  const scope = values.allNamespaces ? 'all' : selector ? 'labels' : 'names';
  const jobNamespaces = values.jobNamespaces.length > 0 || scope !== 'names' ? values.jobNamespaces : ['default'];
  const context: Context = {
    values, namespace, jobNamespaces,
    case: {
      scope, jobs: jobNamespaces.length > 0 ? 'some' : 'none',
      webhook: values.webhook.enabled ? (values.webhook.ownPods ? 'pods' : 'on') : 'off', console: values.console.enabled ? 'on' : 'off',
      metrics: values.metrics.enabled ? (values.metrics.monitor.kind === 'none' ? 'on' : values.metrics.monitor.kind) : 'off',
      replicas: values.replicas > 1 ? 'many' : 'one', batch: values.batchScheduling.enabled ? 'on' : 'off',
    },
  };
  return documents.filter((document) => isPresent(document, context)).flatMap(({ node, isPerJobNamespace }) => (
    isPerJobNamespace ? jobNamespaces.map((jobNamespace) => valueOf(node, { ...context, jobNamespace })) : [valueOf(node, context)]
  ));
}

function valueOf(node: TemplateNode, context: Context): unknown {
  switch (node.kind) {
    case 'scalar': return typeof node.value === 'string' ? textOf(node.value, context) : node.value;
    case 'insert': return read(node.name, context);
    case 'choice': return valueOf(node.branches.find(({ when }) => holds(when, context.case))!.node, context);
    case 'map': return Object.fromEntries(present(node.entries, context).flatMap(({ key, node: each, isSpread }) => (
      isSpread ? Object.entries(valueOf(each, context) as object) : [[textOf(key!, context), valueOf(each, context)]]
    )));
    case 'list': return present(node.entries, context).flatMap(({ node: each, isSpread }) => (isSpread ? valueOf(each, context) as unknown[] : [valueOf(each, context)]));
  }
}

function present(entries: readonly Entry[], context: Context): Entry[] {
  return entries.filter((entry) => isPresent(entry, context));
}

function isPresent({ node, when }: Entry, context: Context): boolean {
  const names = node.kind === 'insert' ? [node.name] : node.kind === 'scalar' && typeof node.value === 'string' ? partsOf(node.value).flatMap(({ name }) => name ?? []) : [];
  return (!when || holds(when, context.case)) && names.every((name) => !REFERENCES[name]!.isOptional || !isEmpty(read(name, context)));
}

function textOf(text: string, context: Context): string {
  return partsOf(text).map(({ text: own, name }) => own ?? joined(read(name!, context))).join('');
}

function joined(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'object' && value !== null ? Object.entries(value).sort().map((entry) => entry.join('=')).join(',') : String(value);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || value === false || (typeof value === 'object' && Object.keys(value as object).length === 0);
}

function read(name: string, { values, ...context }: Context): unknown {
  const { expression } = REFERENCES[name]!;
  if (expression === '$.Release.Namespace') return context.namespace;
  if (expression === '$jobNamespace') return context.jobNamespace;
  if (expression === '$jobNamespaces') return context.jobNamespaces;
  return expression.replace('$.Values.', '').split('.').reduce<unknown>((outer, step) => (outer as Record<string, unknown>)[step], values);
}
