/* The Helm chart and install.yaml, made from SparkOperator: docs/explain/decisions/0034-chart-from-the-construct.md. */
import { stringify } from 'yaml';
import { casesOf, objectsOf, DIMENSIONS, type CaseObject, type KubernetesObject, type Synthesize } from './cases.ts';
import { compile, type Entry, type Json } from './compile.ts';
import type { Case, Dimensions } from './conditions.ts';
import { HEADER, printDocuments } from './print.ts';
import { chartValues, valuesFile, valuesSchema, type ChartValue, type OperatorDefaults } from './values.ts';

/** Name of the chart. */
export const CHART_NAME = 'spark-operator';

/** Parts of the package from which the chart is made. */
export interface ChartSource {
  readonly version: string;
  readonly synthesize: Synthesize;
  /** Texts of the CRDs by file name. */
  readonly crds: { readonly [file: string]: string };
}

/** Files of the chart by path. */
export type ChartFiles = { readonly [path: string]: string };

/** Returns the files of the chart. */
export function chartFiles(source: ChartSource, template: readonly ChartDocument[] = chartTemplate(source.synthesize)): ChartFiles {
  const values = valuesOf(source);
  return {
    'Chart.yaml': stringify({
      apiVersion: 'v2', name: CHART_NAME, version: source.version, appVersion: source.version, type: 'application', kubeVersion: '>=1.30.0-0',
      description: 'A Kubernetes operator for Apache Spark', home: 'https://github.com/cdk8s-spark-operator/cdk8s-spark-operator',
    }),
    'values.yaml': valuesFile(values),
    'values.schema.json': `${JSON.stringify(valuesSchema(values), undefined, 2)}\n`,
    'templates/crds.yaml': crdsTemplate(source.crds),
    'templates/operator.yaml': `${HEADER}\n${printDocuments(template)}\n`,
  };
}

/** Returns the values of the chart. */
export function valuesOf(source: ChartSource): readonly ChartValue[] {
  return chartValues(operatorDefaults(source));
}

/** A document of the chart. */
export type ChartDocument = Entry & { readonly isPerJobNamespace: boolean };

/** Compiles the objects of all cases. */
export function chartTemplate(synthesize: Synthesize, dimensions: Dimensions = DIMENSIONS): ChartDocument[] {
  const cases = new Map(casesOf(dimensions).map((each) => [each, objectsOf(each, synthesize)] as const));
  const perNamespace = new Set([...cases.values()].flat().filter(({ isPerJobNamespace }) => isPerJobNamespace).map(textOf));
  const list = compile(new Map([...cases].map(([each, objects]): [Case, Json] => [each, objects.map(({ content }) => content)])));
  if (list.kind !== 'list') throw new Error('the objects of different cases have contradicting orders');
  return list.entries.map((entry) => ({ ...entry, isPerJobNamespace: perNamespace.has(identityOf(entry)) }));
}

function textOf({ content }: CaseObject): string {
  const { kind, metadata } = content as unknown as KubernetesObject;
  return `${kind} ${metadata.namespace ?? ''} ${metadata.name}`;
}

function identityOf({ node }: Entry): string {
  const field = (parent: Entry['node'], key: string) => (parent.kind === 'map' ? parent.entries.find((each) => each.key === key)?.node : undefined);
  const text = (part: Entry['node'] | undefined) => (part?.kind === 'scalar' ? String(part.value) : '');
  const metadata = field(node, 'metadata');
  return `${text(field(node, 'kind'))} ${text(metadata && field(metadata, 'namespace'))} ${text(metadata && field(metadata, 'name'))}`;
}

/** Helm neither updates nor keeps CRDs of its folder `crds`; in templates it updates them, and the annotation keeps them. */
function crdsTemplate(crds: ChartSource['crds']): string {
  const documents = Object.values(crds).map((text) => (
    text.replace(/^ {2}annotations:\n/m, '$&    helm.sh/resource-policy: keep\n').replaceAll('{{', '{{ "{{" }}')
  ));
  return `{{- if $.Values.installCrds }}\n${documents.map((text) => `---\n${text.trimEnd()}`).join('\n')}\n{{- end }}\n`;
}

function operatorDefaults({ synthesize }: ChartSource): OperatorDefaults {
  const objects = synthesize({ console: {} });
  const container = (name: string) => {
    const { spec } = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name) as unknown as Deployment;
    return spec.template.spec.containers[0]!;
  };
  const { image, resources } = container('spark-operator');
  return { image, resources, consoleResources: container('spark-operator-console').resources };
}

interface Deployment {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly { readonly image: string; readonly resources: object }[] } } };
}

/** Returns the text of install.yaml: the objects of the construct without props, ready for `kubectl apply --server-side`. */
export function installFile({ synthesize, crds, version }: ChartSource): string {
  const objects = synthesize({}).map((object) => stringify(object, { lineWidth: 0 }));
  return [`# Spark operator ${version}, for applications in the namespace default.\n`, ...Object.values(crds), ...objects].join('---\n');
}
