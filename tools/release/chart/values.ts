import { stringify } from 'yaml';

/** A value of the chart. */
export interface ChartValue {
  /** Path in values.yaml. */
  readonly path: string;
  readonly default: unknown;
  /** JSON schema. */
  readonly schema: object;
  /** Comment in values.yaml. */
  readonly description: string;
}

const TEXT = { type: 'string', minLength: 1 };
const TRUTH = { type: 'boolean' };
const TEXTS = { type: 'object', additionalProperties: { type: 'string' } };
/** Labels. The selector also becomes part of a flag, where other characters would have a meaning. */
const LABELS = {
  type: 'object',
  patternProperties: {
    '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$':
      { type: 'string', pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$' },
  },
  additionalProperties: false,
};
/** The Deployments select their pods by this label. */
const POD_LABELS = { ...LABELS, properties: { 'app.kubernetes.io/name': false } };
const OBJECT = { type: 'object' };
const OBJECTS = { type: 'array', items: OBJECT };
const NAME = { type: 'string', pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$' };
/** The chart names the accounts of the webhook and the console so, which have fewer permissions. */
const ACCOUNT = { ...NAME, not: { enum: ['spark-operator-webhook', 'spark-operator-console'] } };
/** The operator takes its identity from these variables. */
const VARIABLES = { type: 'array', items: { ...OBJECT, required: ['name'], properties: { name: { not: { enum: ['POD_NAME', 'POD_NAMESPACE'] } } } } };
const DURATION = { type: 'string', pattern: '^([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$' };
const QUANTITIES = { type: 'object', additionalProperties: { type: ['string', 'number'] } };
const RESOURCES = { type: 'object', additionalProperties: false, properties: { requests: QUANTITIES, limits: QUANTITIES } };

/** Defaults that SparkOperator decides about. */
export interface OperatorDefaults {
  readonly image: string;
  readonly resources: object;
  readonly consoleResources: object;
}

/** Returns the values of the chart. Their names are those of SparkOperator's props, where one has the same meaning. */
export function chartValues({ image, resources, consoleResources }: OperatorDefaults): readonly ChartValue[] {
  const value = (path: string, byDefault: unknown, schema: object, description: string): ChartValue => ({ path, default: byDefault, schema, description });
  return [
    value('installCrds', true, TRUTH, 'Whether the chart has the CRDs. They are kept when it is uninstalled.'),
    value('image', image, TEXT, 'Image of the operator.'),
    value('imagePullPolicy', 'IfNotPresent', { enum: ['Always', 'IfNotPresent', 'Never'] }, 'Pull policy of the image.'),
    value('imagePullSecrets', [], OBJECTS, 'Secrets with the credentials of private registries, such as - name: registry.'),
    value('replicas', 1, { type: 'integer', minimum: 1 }, 'Replicas of the operator. One is active, the others are standbys.'),
    value('resources', resources, RESOURCES, 'CPU and memory of each replica.'),
    value('jobNamespaces', [], { type: 'array', items: NAME, uniqueItems: true }, 'Namespaces with Spark applications, other than that of the operator. They must exist. Empty: default, or none with the next two values.'),
    value('namespaceSelector', {}, LABELS, 'Labels of further namespaces with Spark applications. Not with allNamespaces.'),
    value('allNamespaces', false, TRUTH, 'Whether the operator runs applications of all namespaces.'),
    value('serviceAccount.name', 'spark-operator', ACCOUNT, "Name of the operator's service account."),
    value('serviceAccount.annotations', {}, TEXTS, 'Its annotations, such as eks.amazonaws.com/role-arn.'),
    value('logLevel', 'info', { enum: ['debug', 'info', 'warn', 'error'] }, 'Minimum level of log messages.'),
    value('workers', null, { type: ['integer', 'null'], minimum: 1 }, 'Concurrent reconciles. Empty: the default of the operator.'),
    value('batchScheduling.enabled', false, TRUTH, 'Whether the operator creates PodGroups for batch schedulers.'),
    value('webhook.enabled', false, TRUTH, 'Whether there is a webhook.'),
    value('webhook.ownPods', false, TRUTH, "Whether it has pods of its own, in place of the operator's."),
    value('webhook.failurePolicy', 'Ignore', { enum: ['Ignore', 'Fail'] }, 'Decision about applications while it does not answer.'),
    value('webhook.resources', resources, RESOURCES, 'CPU and memory of its own pods.'),
    value('console.enabled', false, TRUTH, 'Whether there is a console.'),
    value('console.resources', consoleResources, RESOURCES, 'CPU and memory of its pods.'),
    value('metrics.enabled', true, TRUTH, 'Whether metrics are served.'),
    value('metrics.monitor.kind', 'none', { enum: ['none', 'PodMonitor', 'ServiceMonitor'] }, 'Object of the Prometheus operator that scrapes them.'),
    value('metrics.monitor.labels', {}, LABELS, 'Its labels.'),
    value('metrics.monitor.interval', '', DURATION, 'Time between two scrapes, such as 30s. Empty: the default of Prometheus.'),
    value('podLabels', {}, POD_LABELS, 'Further labels of all pods.'),
    value('podAnnotations', {}, TEXTS, 'Annotations of all pods.'),
    value('nodeSelector', {}, LABELS, 'Node selector of all pods.'),
    value('tolerations', [], OBJECTS, 'Tolerations of all pods.'),
    value('affinity', {}, OBJECT, 'Affinity of all pods.'),
    value('priorityClassName', '', { type: 'string' }, 'PriorityClass of all pods.'),
    value('env', [], VARIABLES, 'Further variables of the containers.'),
  ];
}

/** A nested object of values, or of schemas. */
interface Tree {
  [name: string]: unknown;
}

function nested(values: readonly ChartValue[], content: (value: ChartValue) => unknown, inner: (fields: Tree) => Tree): Tree {
  const grouped = new Map<string, ChartValue[]>();
  for (const value of values) {
    const [first] = value.path.split('.') as [string];
    grouped.set(first, [...grouped.get(first) ?? [], value]);
  }
  return inner(Object.fromEntries([...grouped].map(([name, group]) => {
    const [only] = group;
    if (only?.path === name) return [name, content(only)];
    return [name, nested(group.map((each) => ({ ...each, path: each.path.slice(name.length + 1) })), content, inner)];
  })));
}

/** Returns the default values. */
export function defaultsOf(values: readonly ChartValue[]): Tree {
  return nested(values, (value) => value.default, (fields) => fields);
}

/** Returns values.schema.json. Helm checks the user's values, merged with the defaults. */
export function valuesSchema(values: readonly ChartValue[]): object {
  const schema = nested(values, (value) => ({ description: value.description, ...value.schema }), (properties) => (
    { type: 'object', additionalProperties: false, properties }
  ));
  // Subcharts get `global` from Helm.
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...schema, properties: { ...schema.properties as Tree, global: {} } };
}

/** Returns values.yaml, with the descriptions as comments. */
export function valuesFile(values: readonly ChartValue[]): string {
  const lines: string[] = ['# Generated from the construct SparkOperator.', ''];
  let open: string[] = [];
  for (const { path, default: byDefault, description } of values) {
    const steps = path.split('.');
    const parents = steps.slice(0, -1);
    const common = parents.findIndex((step, index) => open[index] !== step);
    for (const [index, step] of parents.entries()) {
      if (common !== -1 && index >= common) lines.push(`${'  '.repeat(index)}${step}:`);
    }
    open = parents;
    const indent = '  '.repeat(parents.length);
    const text = stringify({ [steps.at(-1)!]: byDefault }, { lineWidth: 0 }).trimEnd();
    lines.push(`${indent}# ${description}`, ...text.split('\n').map((line) => `${indent}${line}`));
  }
  return `${lines.join('\n')}\n`;
}
