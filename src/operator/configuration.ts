import { parseArgs } from 'node:util';
import { SUBMISSION_MODES, type SubmissionMode } from './submission/choose';

/** What the operator is told on its command line. */
export interface Configuration {
  /** Namespaces whose applications are run. */
  readonly namespaces: readonly string[];
  /** Kubeconfig file; inside a cluster the pod's service account is used. */
  readonly kubeconfig?: string;
  /** Context of the kubeconfig. */
  readonly context?: string;
  /** Applications that are looked at at the same time. */
  readonly workers: number;
  /** Calls of the Kubernetes API a second, on average; 0 for no limit. */
  readonly kubeApiQps: number;
  /** Calls of the Kubernetes API at once. */
  readonly kubeApiBurst: number;
  /** How long the creation or start of a driver may wait for what does not come by itself, in milliseconds. */
  readonly driverStartTimeout: number;
  /** Executors beyond this number are not recorded in the status. */
  readonly maxTrackedExecutors: number;
  /** How applications are submitted that do not say it themselves. */
  readonly submissionMode: SubmissionMode;
  /** The user that Spark says it runs for (`SPARK_USER`). */
  readonly sparkUser: string;
  /** spark-submit, for what cannot be submitted natively. */
  readonly sparkSubmit: SparkSubmitConfiguration;
  /** Where /metrics is served. */
  readonly metrics: Address | undefined;
  /** Where /healthz and /readyz are served. */
  readonly health: Address | undefined;
  /** What is logged: this level and graver. */
  readonly logLevel: LogLevel;
}

/** How spark-submit is run. */
export interface SparkSubmitConfiguration {
  /** Longer no run may take, in milliseconds. */
  readonly timeout: number;
  /** Runs at a time; undefined: as many as CPUs and memory allow. */
  readonly concurrency: number | undefined;
  /** Folders of the operator's container whose files applications may use. */
  readonly folders: readonly string[];
  /** Whether applications with Maven packages may be submitted by it. */
  readonly packages: boolean;
}

/** An address to listen on; without a host on all interfaces. */
export interface Address {
  readonly host?: string;
  readonly port: number;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** A command line that cannot be followed. The message names each flag, its value, and what to write instead. */
export class UsageError extends Error {}

interface Flag {
  readonly help: string;
  readonly value: string;
  readonly default?: string;
}

/** Where kubeflow/spark-operator has a flag of the same meaning, ours has its name. */
const FLAGS = {
  'namespaces': { value: 'NAME,…', help: 'namespaces whose applications are run', default: 'default' },
  'kubeconfig': { value: 'FILE', help: 'kubeconfig to use outside a cluster' },
  'context': { value: 'NAME', help: 'context of the kubeconfig', default: 'its current context' },
  'controller-threads': { value: 'N', help: 'applications that are looked at at the same time', default: '10' },
  'kube-api-qps': { value: 'N', help: 'calls of the Kubernetes API a second, 0 for no limit; a submission takes about seven', default: '2000' },
  'kube-api-burst': { value: 'N', help: 'calls of the Kubernetes API at once', default: '4000' },
  'driver-start-timeout': { value: 'DURATION', help: 'how long the creation or start of a driver may wait for a service account, an image or anything else that does not come by itself', default: '5m' },
  'submission-mode': { value: 'MODE', help: 'how applications are submitted that have no annotation for it: native, by running spark-submit, or auto (spark-submit for what cannot go natively)', default: 'auto' },
  'spark-user': { value: 'NAME', help: 'the user that Spark says it runs for', default: 'spark' },
  'spark-submit-timeout': { value: 'DURATION', help: 'longer no run of spark-submit may take', default: '5m' },
  'spark-submit-concurrency': { value: 'N', help: 'runs of spark-submit at a time, 0 for as many as CPUs and memory allow', default: '0' },
  'spark-submit-folders': { value: 'PATH,…', help: "folders of the operator's container whose files applications may upload with spark-submit", default: '/opt/spark-operator/files' },
  'spark-submit-packages': { value: 'true|false', help: 'whether spark-submit may load Maven packages, and with them code of others, into the operator', default: 'false' },
  'max-tracked-executor-per-app': { value: 'N', help: 'executors that are recorded in the status of an application', default: '1000' },
  'metrics-bind-address': { value: '[HOST]:PORT', help: 'where /metrics is served, 0 for nowhere', default: ':8080' },
  'health-probe-bind-address': { value: '[HOST]:PORT', help: 'where /healthz and /readyz are served, 0 for nowhere', default: ':8081' },
  'log-level': { value: 'LEVEL', help: `what is logged: ${LOG_LEVELS.join(', ')}`, default: 'info' },
} satisfies Record<string, Flag>;

type Values = Partial<Record<keyof typeof FLAGS, string>>;

/** What --help prints. */
export function usage(): string {
  const rows = Object.entries<Flag>(FLAGS).map(([name, flag]) => [`  --${name}=${flag.value}`, flag.help + (flag.default === undefined ? '' : ` (default ${flag.default})`)] as const);
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return ['Runs the SparkApplications of a Kubernetes cluster.', '', 'spark-operator [flags]', ...rows.map(([left, right]) => left.padEnd(width) + right), `${'  --version'.padEnd(width)}print the version`, `${'  --help'.padEnd(width)}print this`].join('\n');
}

/**
 * Reads a command line.
 *
 * @throws UsageError that names everything that is wrong
 */
export function parseConfiguration(args: readonly string[]): Configuration | 'help' | 'version' {
  const values = parse(args);
  if (values.help) return 'help';
  if (values.version) return 'version';
  const problems: string[] = [];
  const read = <T>(name: keyof typeof FLAGS, convert: (text: string) => T | undefined, expected: string): T => {
    const text = (values as Values)[name] ?? (FLAGS[name] as Flag).default ?? '';
    const value = convert(text);
    if (value === undefined) problems.push(`--${name}=${text}: ${expected}`);
    return value as T;
  };
  const configuration: Configuration = {
    namespaces: read('namespaces', namespacesIn, 'write names of namespaces with commas between them'),
    kubeconfig: values.kubeconfig,
    context: values.context,
    workers: read('controller-threads', (text) => wholeNumber(text, 1), 'write a whole number of at least 1'),
    kubeApiQps: read('kube-api-qps', (text) => wholeNumber(text, 0), 'write a whole number of at least 0'),
    kubeApiBurst: read('kube-api-burst', (text) => wholeNumber(text, 1), 'write a whole number of at least 1'),
    driverStartTimeout: read('driver-start-timeout', durationIn, 'write a duration such as 90s, 5m or 1h'),
    maxTrackedExecutors: read('max-tracked-executor-per-app', (text) => wholeNumber(text, 0), 'write a whole number of at least 0'),
    submissionMode: read('submission-mode', (text) => SUBMISSION_MODES.find((mode) => mode === text), `write one of ${SUBMISSION_MODES.join(', ')}`),
    sparkUser: read('spark-user', (text) => (/^[a-z_][a-z0-9_.-]{0,31}$/i.test(text) ? text : undefined), 'write the name of a user'),
    sparkSubmit: {
      timeout: read('spark-submit-timeout', durationIn, 'write a duration such as 90s, 5m or 1h'),
      concurrency: read('spark-submit-concurrency', (text) => wholeNumber(text, 0), 'write a whole number of at least 0') || undefined,
      folders: read('spark-submit-folders', foldersIn, 'write absolute paths with commas between them, or nothing'),
      packages: read('spark-submit-packages', truthIn, 'write true or false'),
    },
    metrics: read('metrics-bind-address', addressIn, 'write [HOST]:PORT, or 0 for nowhere') ?? undefined,
    health: read('health-probe-bind-address', addressIn, 'write [HOST]:PORT, or 0 for nowhere') ?? undefined,
    logLevel: read('log-level', (text) => LOG_LEVELS.find((level) => level === text), `write one of ${LOG_LEVELS.join(', ')}`),
  };
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return configuration;
}

function parse(args: readonly string[]): Values & { help?: boolean; version?: boolean } {
  const strings = Object.fromEntries(Object.keys(FLAGS).map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options: { ...strings, help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } }).values as Values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nRun with --help for the flags.`);
  }
}

function namespacesIn(text: string): string[] | undefined {
  const names = [...new Set(text.split(',').map((name) => name.trim()).filter(Boolean))];
  return names.length > 0 && names.every((name) => /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name)) ? names : undefined;
}

function foldersIn(text: string): string[] | undefined {
  const folders = text.split(',').map((path) => path.trim()).filter(Boolean);
  return folders.every((path) => /^(\/[\w.@+=-]+)+\/?$/.test(path) && !path.split('/').includes('..')) ? folders : undefined;
}

function truthIn(text: string): boolean | undefined {
  return text === 'true' || (text === 'false' ? false : undefined);
}

function wholeNumber(text: string, least: number): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return value >= least ? value : undefined;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function durationIn(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h)$/.exec(text);
  return match ? Number(match[1]) * UNITS[match[2]!]! : undefined;
}

/** null: nowhere. */
function addressIn(text: string): Address | null | undefined {
  if (text === '0') return null;
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) return undefined;
  return { host: match[1] || match[2] || undefined, port };
}
