import { CLUSTER_OPTIONS } from '../cluster';
import type { Options, Values } from '../options';
import { UsageError } from '../../text/usage-error';
import { isNamespace, wholeNumber } from '../../flags/values';
import { durationIn } from '../../text/duration';

/** The options of `sparkctl install` that say what is installed. */
export const PROPERTY_OPTIONS = {
  'namespace': { short: 'n', value: 'NAME', help: "the operator's namespace (default spark-operator)" },
  'job-namespace': { value: 'NAME,…', repeatable: true, help: 'a namespace whose applications are run; may be there several times (default default)' },
  'all-namespaces': { short: 'A', help: 'applications of all namespaces are run' },
  'create-job-namespaces': { help: 'the job namespaces are created, too' },
  'replicas': { value: 'N', help: 'replicas of the operator (default 1)' },
  'webhook': { help: 'the admission webhook is installed, too' },
  'console': { help: 'the read-only console is installed, too' },
  'spark-submit': { help: 'the operator can run spark-submit, in an image with Spark' },
  'image': { value: 'IMAGE', help: "the operator's image (default: that of this version)" },
  'values': { value: 'FILE', help: 'YAML or JSON with all other props of the construct SparkOperator; options count more, - is the standard input' },
} as const;

/** The options of `sparkctl install`. */
export const INSTALL_OPTIONS = {
  ...PROPERTY_OPTIONS,
  'print': { help: 'print the manifests, and do nothing else' },
  'dry-run': { value: 'WHERE', choices: ['client', 'server'], help: 'change nothing: client only says what would be applied, server asks the cluster what would become of it' },
  'force-conflicts': { help: 'take over fields that others manage' },
  'prune': { help: 'remove what an earlier installation has made and this one does not have' },
  'no-wait': { help: 'do not wait until the operator is available' },
  'timeout': { value: 'DURATION', default: '5m', help: 'how long to wait, such as 90s or 5m' },
  'context': CLUSTER_OPTIONS.context,
  'kubeconfig': CLUSTER_OPTIONS.kubeconfig,
} as const satisfies Options;

export type InstallValues = Values<typeof INSTALL_OPTIONS>;

/** What the options say of the props of `SparkOperator`. */
export interface GivenProps {
  readonly namespace?: string;
  readonly jobNamespaces?: readonly string[];
  readonly allNamespaces?: true;
  readonly createJobNamespaces?: true;
  readonly replicas?: number;
  readonly webhook?: true;
  readonly console?: true;
  readonly sparkSubmit?: true;
  readonly image?: string;
}

/**
 * Reads the options that say what is installed.
 *
 * @throws {UsageError} that names everything that is wrong
 */
export function givenProps(values: Values<typeof PROPERTY_OPTIONS>): GivenProps {
  const problems: string[] = [];
  const read = <T>(name: keyof typeof PROPERTY_OPTIONS, convert: (text: string) => T | undefined, expected: string): T | undefined => {
    const text = values[name];
    const value = typeof text === 'string' ? convert(text) : undefined;
    if (text !== undefined && value === undefined) problems.push(`--${name}=${text}: write ${expected}`);
    return value;
  };
  const props: GivenProps = {
    namespace: read('namespace', (text) => (isNamespace(text) ? text : undefined), 'the name of a namespace'),
    jobNamespaces: read('job-namespace', namespacesIn, 'names of namespaces, with commas between them'),
    replicas: read('replicas', (text) => wholeNumber(text, 0), 'a whole number: 1, or 2 for one that stands by'),
    image: read('image', (text) => (/^\S+$/.test(text) ? text : undefined), 'the name of an image'),
    ...(values['all-namespaces'] && { allNamespaces: true }),
    ...(values['create-job-namespaces'] && { createJobNamespaces: true }),
    ...(values.webhook && { webhook: true }),
    ...(values.console && { console: true }),
    ...(values['spark-submit'] && { sparkSubmit: true }),
  };
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}

/**
 * Reads how long to wait, in milliseconds.
 *
 * @throws {UsageError} if it is no duration
 */
export function timeoutIn(text: string): number {
  const timeout = durationIn(text);
  if (timeout === undefined || timeout <= 0) throw new UsageError(`--timeout=${text}: write a duration such as 90s, 5m or 1h`);
  return timeout;
}

function namespacesIn(text: string): string[] | undefined {
  const names = [...new Set(text.split(',').map((name) => name.trim()).filter(Boolean))];
  return names.length > 0 && names.every(isNamespace) ? names : undefined;
}
