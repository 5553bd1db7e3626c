import type { CommandLine } from './parse';
import { DURATION, type FlagReader } from './reader';
import { FLAG_GROUPS, type FlagName } from './table';
import { fileNameIn, foldersIn, objectNameIn, portIn, tlsVersionIn, type TlsVersion } from './values';
import { durationIn } from '../text/duration';
import { isDnsLabel } from '../rules/names';

/** From which lifetime on there is time enough for a renewal: certificates count in seconds. */
export const MIN_LIFETIME = 3_000;
/** A longer one is a mistake. */
export const MAX_LIFETIME = 10 * 365 * 86_400_000;

/** Which process serves the admission webhook. `off`: there is none. */
export const WEBHOOK_MODES = ['off', 'here', 'elsewhere'] as const;

/** Which process serves the admission webhook. */
export type WebhookMode = typeof WEBHOOK_MODES[number];

/** The admission webhook. */
export interface WebhookConfiguration {
  /** Which process serves it; in one that was started by `webhook start` it is `here`. */
  readonly mode: WebhookMode;
  readonly port: number;
  /** The oldest version of TLS that is spoken. */
  readonly minTlsVersion: TlsVersion;
  /** The Service by which API servers reach it; the namespace is undefined only if no certificate is made for it. */
  readonly service: { readonly name: string; readonly namespace: string | undefined };
  /** The Secret with the certificates. */
  readonly secret: { readonly name: string; readonly namespace: string | undefined };
  /** The configurations that get the CA. */
  readonly configurations: { readonly mutating: string; readonly validating: string };
  /** How long a certificate that the operator makes is valid, in milliseconds. */
  readonly certificateLifetime: number;
  /** Files with a certificate that others look after; undefined: the operator makes its own. */
  readonly certificateFiles: { readonly directory: string; readonly certificate: string; readonly key: string } | undefined;
  /** Whether what does not fit into the ResourceQuotas is refused. */
  readonly quotas: boolean;
}

/** What the command line says of the webhook. */
export function webhookConfiguration(line: CommandLine, flags: FlagReader, ownNamespace: string | undefined): WebhookConfiguration {
  const namespace = (name: FlagName) => flags.optional(name, (text) => (isDnsLabel(text) ? text : undefined), 'write the name of a namespace');
  const serviceNamespace = namespace('webhook-svc-namespace') ?? ownNamespace;
  const configuration = (name: FlagName) => flags.optional(name, objectNameIn, 'write the name of a webhook configuration') ?? `spark-operator-${serviceNamespace ?? 'webhook'}`;
  const isMounted = flags.truth('enable-cert-manager') || flags.has('webhook-cert-dir');
  const files = {
    directory: flags.read('webhook-cert-dir', (text) => foldersIn(text)?.[0], 'write an absolute path'),
    certificate: flags.read('webhook-cert-name', fileNameIn, 'write the name of a file'),
    key: flags.read('webhook-key-name', fileNameIn, 'write the name of a file'),
  };
  const mode = flags.read('webhook', (text) => WEBHOOK_MODES.find((each) => each === text), `write one of ${WEBHOOK_MODES.join(', ')}`);
  return {
    mode: line.command === 'webhook' ? 'here' : mode,
    port: flags.read('webhook-port', portIn, 'write a port'),
    minTlsVersion: flags.read('webhook-tls-min-version', tlsVersionIn, 'write VersionTLS12 or VersionTLS13; older versions are not safe, and no API server needs them'),
    service: { name: flags.read('webhook-svc-name', objectNameIn, 'write the name of a Service'), namespace: serviceNamespace },
    secret: { name: flags.read('webhook-secret-name', objectNameIn, 'write the name of a Secret'), namespace: namespace('webhook-secret-namespace') ?? serviceNamespace },
    configurations: { mutating: configuration('mutating-webhook-name'), validating: configuration('validating-webhook-name') },
    certificateLifetime: flags.read('webhook-certificate-lifetime', lifetimeIn, `${DURATION}, from ${MIN_LIFETIME / 1000} seconds to ten years`),
    certificateFiles: isMounted ? files : undefined,
    quotas: flags.truth('enable-resource-quota-enforcement'),
  };
}

/** What flags of the webhook that are right by themselves say against each other, and against those of other servers. */
export function webhookContradictions(
  line: CommandLine, { mode, port, service, secret, certificateFiles }: WebhookConfiguration, otherPorts: Readonly<Partial<Record<FlagName, number | undefined>>>,
): string[] {
  const problems: string[] = [];
  if (line.command === 'webhook' && line.values.webhook !== undefined && line.values.webhook !== 'here') {
    problems.push(`--webhook=${line.values.webhook}: webhook start serves the webhook; leave the flag out`);
  }
  if (mode !== 'here') return problems;
  if (certificateFiles === undefined && (service.namespace === undefined || secret.namespace === undefined)) {
    problems.push('a webhook outside of a pod needs --webhook-svc-namespace for its certificate, or --webhook-cert-dir with a certificate');
  }
  for (const [flag, other] of Object.entries(otherPorts)) {
    if (port !== 0 && port === other) problems.push(`--webhook-port=${port}: the same port is in --${flag}; write another`);
  }
  return problems;
}

const OF_WEBHOOK = Object.keys(FLAG_GROUPS['The admission webhook']) as FlagName[];

/** Flags that the webhook process also follows: its answers depend on how the operator submits. */
export const WEBHOOK_PROCESS_FLAGS: ReadonlySet<string> = new Set<FlagName>([
  ...OF_WEBHOOK, 'min-schedule-interval', 'enable-submission-mode-annotation', 'namespaces', 'namespace-selector', 'feature-gates', 'defaults-config-map', 'submission-mode', 'spark-user', 'spark-submit-folders', 'spark-submit-packages', 'enable-ui-service',
  'enable-batch-scheduler', 'kube-scheduler-names', 'default-batch-scheduler',
  'ingress-url-format', 'kubeconfig', 'context', 'kube-api-qps', 'kube-api-burst', 'log-level', 'zap-log-level', 'enable-metrics', 'metrics-bind-address', 'health-probe-bind-address',
]);

/** Flags that were given and mean nothing to the process that was asked for, and why. */
export function withoutEffectByWebhook({ command, values }: CommandLine, { mode, certificateFiles }: WebhookConfiguration): Readonly<Record<string, string>> {
  const without: Record<string, string> = {};
  for (const name of Object.keys(values) as FlagName[]) {
    if (command === 'webhook' && !WEBHOOK_PROCESS_FLAGS.has(name)) {
      without[name] = name.startsWith('leader-election') ? 'every replica serves the webhook, and none is elected' : 'it is for the controller, and this process only serves the webhook';
    }
    if (mode !== 'here' && name !== 'webhook' && OF_WEBHOOK.includes(name)) without[name] = `this process does not serve the webhook (--webhook=${mode})`;
  }
  if (mode === 'here' && certificateFiles && values['webhook-certificate-lifetime'] !== undefined) {
    without['webhook-certificate-lifetime'] = 'the certificate comes from files, and others make it';
  }
  return without;
}

function lifetimeIn(text: string): number | undefined {
  const lifetime = durationIn(text) ?? NaN;
  return lifetime >= MIN_LIFETIME && lifetime <= MAX_LIFETIME ? lifetime : undefined;
}
