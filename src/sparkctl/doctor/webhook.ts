import { bundleState, leafState, type CertificateState } from './certificates';
import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, valueOf, type Reading } from './reading';
import type { EndpointSlice } from './resources';
import { installAgain, type Installation } from '../setup/installation';
import { shortDuration } from '../../text/duration';
import type { Secret, WebhookConfiguration } from '../../model/kubernetes-objects';

const findings = findingsOf('Webhook');

/** Webhook of a configuration; only the fields that are read. */
interface Webhook {
  readonly name: string;
  readonly failurePolicy?: string;
  readonly clientConfig: { readonly caBundle?: string };
}

/** Objects of a webhook that were read. */
export interface WebhookFacts {
  readonly configurations: Readonly<
    Record<'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration', Reading<WebhookConfiguration>>
  >;
  readonly slices: Reading<readonly EndpointSlice[]>;
  readonly secret: Reading<Secret>;
}

/** Returns the finding that the operator has no webhook. */
export function noWebhook(): Finding {
  return findings.ok('the operator has none: it validates applications itself, and reports errors in their status');
}

/**
 * Checks whether the API server can call the webhook: configurations, certificates and endpoints.
 *
 * @param now milliseconds since 1970
 */
export function webhookFindings(installation: Installation, { configurations, slices, secret }: WebhookFacts, now: number): Finding[] {
  const names = Object.entries(configurations).map(([kind, reading]) => configurationFinding(installation, kind, reading, now));
  const webhooks = Object.values(configurations).flatMap((reading) => (valueOf(reading)?.webhooks ?? []) as readonly Webhook[]);
  return [...names, endpointsFinding(installation, slices, webhooks), ...secretFindings(installation, secret, webhooks, now)];
}

function configurationFinding(installation: Installation, kind: string, reading: Reading<WebhookConfiguration>, now: number): Finding {
  const { webhook, namespace } = installation;
  const title = `${kind} ${webhook!.configuration}`;
  if (isUnreadable(reading)) return unreadable(findings, `the ${title}`, reading);
  if (reading.kind === 'missing') {
    return findings.error(`there is no ${title}, so that the API server does not call the webhook`, installAgain(installation));
  }
  const webhooks = (reading.value.webhooks ?? []) as readonly Webhook[];
  if (webhooks.length === 0) return findings.error(`the ${title} has no webhooks`, installAgain(installation));
  const states = webhooks.map(({ clientConfig }) => bundleState(clientConfig.caBundle, now));
  const log = `kubectl logs -n ${namespace} deployment/${installation.name} --tail=50`;
  const wrong = firstOf(states, 'error') ?? firstOf(states, 'warning');
  if (wrong !== undefined) {
    return findings[firstOf(states, 'error') === undefined ? 'warning' : 'error'](
      `the ${title} ${wrong.replace(/^its/, 'has a problem: its')}`, log,
    );
  }
  const end = Math.min(...states.flatMap((state) => state.end ?? []));
  return findings.ok(
    `${title} exists; its CA is valid for another ${shortDuration(end - now)}; while the webhook is unreachable, ${policyText(webhooks)}`,
  );
}

function firstOf(states: readonly CertificateState[], of: 'error' | 'warning'): string | undefined {
  return states.map((state) => state[of]).find((text) => text !== undefined);
}

function policyText(webhooks: readonly Webhook[]): string {
  const policies = new Set(webhooks.map(({ failurePolicy = 'Fail' }) => failurePolicy));
  if (policies.size > 1) return 'pods that need it are rejected, and all other requests are accepted';
  return policies.has('Fail') ? 'its requests are rejected' : 'all requests are accepted';
}

function endpointsFinding(installation: Installation, reading: Reading<readonly EndpointSlice[]>, webhooks: readonly Webhook[]): Finding {
  const { namespace, webhook } = installation;
  const title = `Service ${namespace}/${webhook!.service}`;
  if (isUnreadable(reading)) return unreadable(findings, `the endpoints of the ${title}`, reading);
  const slices = reading.kind === 'found' ? reading.value : [];
  const ready = slices.flatMap(({ endpoints }) => endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false).length;
  if (ready > 0) return findings.ok(`${title} has ${ready} ready ${ready === 1 ? 'pod' : 'pods'}`);
  return findings.error(
    `${title} has no ready pods, so that ${webhooks.length === 0 ? 'the webhook does not answer' : policyText(webhooks)}`,
    `kubectl describe service -n ${namespace} ${webhook!.service}`,
  );
}

/**
 * Checks the certificate in the Secret. An unreadable Secret is no finding: few users can read
 * Secrets, and the dry run shows whether the webhook works.
 */
function secretFindings(
  { namespace, name, webhook }: Installation, reading: Reading<Secret>, webhooks: readonly Webhook[], now: number,
): Finding[] {
  const { 'server-cert.pem': own, 'tls.crt': others } = valueOf(reading)?.data ?? {};
  const pem = own ?? others;
  if (pem === undefined) return [];
  const { error, warning, end } = leafState(
    Buffer.from(pem, 'base64').toString(), webhooks[0]?.clientConfig.caBundle, `${webhook!.service}.${namespace}.svc`, now,
  );
  const log = `kubectl logs -n ${namespace} deployment/${name} --tail=50`;
  if (error !== undefined) return [findings.error(`Secret ${namespace}/${webhook!.secret}: ${error}`, log)];
  if (warning !== undefined) return [findings.warning(`Secret ${namespace}/${webhook!.secret}: ${warning}`, log)];
  return [findings.ok(`the certificate of the webhook is trusted, and valid for another ${shortDuration(end! - now)}`)];
}
