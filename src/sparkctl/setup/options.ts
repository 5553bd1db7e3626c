import { CLUSTER_OPTIONS } from '../cluster';
import type { Options, Values } from '../options';
import { UsageError } from '../../text/usage-error';
import { wholeNumber } from '../../flags/values';
import { isDnsLabel } from '../../rules/names';
import { durationIn } from '../../text/duration';

/** Options of `sparkctl install` that set props of `SparkOperator`. */
export const PROPERTY_OPTIONS = {
  'namespace': { short: 'n', value: 'NAME', help: "the operator's namespace (default spark-operator)" },
  'name': { value: 'NAME', help: "the operator's name, from which the names of its objects are derived (default spark-operator)" },
  'naming': {
    value: 'NAMES', choices: ['default', 'kubeflow'],
    help: "names and labels of the objects: kubeflow for those of kubeflow's chart, for tools that select by them",
  },
  'job-namespace': {
    value: 'NAME,…', repeatable: true, help: 'a namespace whose applications the operator runs; can be repeated (default default)',
  },
  'all-namespaces': { short: 'A', help: 'run applications of all namespaces' },
  'create-job-namespaces': { help: 'also create the job namespaces' },
  'replicas': { value: 'N', help: 'replicas of the operator (default 1)' },
  'webhook': { help: 'also install the admission webhook' },
  'console': { help: 'also install the read-only console' },
  'image': { value: 'IMAGE', help: "the operator's image (default: that of this version)" },
  'values': {
    value: 'FILE',
    help: 'YAML or JSON with all other props of the construct SparkOperator; options take precedence; - is the standard input',
  },
} as const;

/** Options of `sparkctl install`. */
export const INSTALL_OPTIONS = {
  ...PROPERTY_OPTIONS,
  'print': { help: 'print the manifests, and change nothing' },
  'dry-run': {
    value: 'WHERE', choices: ['client', 'server'],
    help: 'change nothing: client prints the objects, server validates them in the cluster and prints the changes',
  },
  'force-conflicts': { help: 'take over fields of other managers' },
  'prune': { help: 'remove objects of an earlier installation that this one does not contain' },
  'no-wait': { help: 'do not wait until the operator is available' },
  'timeout': { value: 'DURATION', default: '5m', help: 'maximum time to wait, such as 90s or 5m' },
  'context': CLUSTER_OPTIONS.context,
  'kubeconfig': CLUSTER_OPTIONS.kubeconfig,
} as const satisfies Options;

export type InstallValues = Values<typeof INSTALL_OPTIONS>;

/** Props of `SparkOperator` that options set. */
export interface GivenProps {
  readonly namespace?: string;
  readonly name?: string;
  readonly naming?: 'default' | 'kubeflow';
  readonly jobNamespaces?: readonly string[];
  readonly allNamespaces?: true;
  readonly createJobNamespaces?: true;
  readonly replicas?: number;
  readonly webhook?: true;
  readonly console?: true;
  readonly image?: string;
}

/**
 * Parses the options that set props.
 *
 * @throws {UsageError} that names all wrong options
 */
export function givenProps(values: Partial<Values<typeof PROPERTY_OPTIONS>>): GivenProps {
  const problems: string[] = [];
  const read = <T>(name: keyof typeof PROPERTY_OPTIONS, convert: (text: string) => T | undefined, expected: string): T | undefined => {
    const text = values[name];
    const value = typeof text === 'string' ? convert(text) : undefined;
    if (text !== undefined && value === undefined) problems.push(`--${name}=${text}: write ${expected}`);
    return value;
  };
  const props: GivenProps = {
    namespace: read('namespace', (text) => (isDnsLabel(text) ? text : undefined), 'the name of a namespace'),
    name: read('name', (text) => (isDnsLabel(text) ? text : undefined), "lower-case letters, digits and '-'"),
    naming: values.naming as GivenProps['naming'],
    jobNamespaces: read('job-namespace', namespacesIn, 'names of namespaces, with commas between them'),
    replicas: read('replicas', (text) => wholeNumber(text, 0), 'a whole number: 1, or 2 with a standby'),
    image: read('image', (text) => (/^\S+$/.test(text) ? text : undefined), 'the name of an image'),
    ...(values['all-namespaces'] && { allNamespaces: true }),
    ...(values['create-job-namespaces'] && { createJobNamespaces: true }),
    ...(values.webhook && { webhook: true }),
    ...(values.console && { console: true }),
  };
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}

/**
 * Parses `--timeout` to milliseconds.
 *
 * @throws {UsageError} if it is not a positive duration
 */
export function timeoutIn(text: string): number {
  const timeout = durationIn(text);
  if (timeout === undefined || timeout <= 0) throw new UsageError(`--timeout=${text}: write a duration such as 90s, 5m or 1h`);
  return timeout;
}

function namespacesIn(text: string): string[] | undefined {
  const names = [...new Set(text.split(',').map((name) => name.trim()).filter(Boolean))];
  return names.length > 0 && names.every(isDnsLabel) ? names : undefined;
}
