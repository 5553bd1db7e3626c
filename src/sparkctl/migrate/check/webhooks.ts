import { type Finding, findingsOf } from '../../doctor/finding';
import { listed } from '../../doctor/listed';
import { isUnreadable, read, unreadable } from '../../doctor/reading';
import type { KubeClient } from '../../../kube/client';
import type { KubeObject } from '../../../kube/objects';
import type { Resource } from '../../../kube/resource';
import { LABEL_APP_UID } from '../../../api/labels';
import { MUTATING_WEBHOOK_CONFIGURATIONS, VALIDATING_WEBHOOK_CONFIGURATIONS } from '../../../model/resources';

const findings = findingsOf('Webhooks');

/** Name of the webhook of kubeflow's operator that changes pods. */
export const POD_WEBHOOK = 'mutate--v1-pod.sparkoperator.k8s.io';

/** Webhook of a configuration; only the fields that are read. */
interface Webhook {
  readonly name: string;
  readonly failurePolicy?: string;
  readonly clientConfig: { readonly service?: { readonly namespace: string; readonly name: string } };
  readonly namespaceSelector?: Selector;
  readonly objectSelector?: Selector;
}

interface Selector {
  readonly matchExpressions?: readonly Requirement[];
}

/** Requirement of a label selector. */
export interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Webhook configuration of kubeflow's operator. */
export interface OtherWebhooks extends KubeObject {
  readonly webhooks?: readonly Webhook[];
}

/** The webhook of kubeflow's operator that changes pods. */
export interface PodWebhook {
  /** Name of its MutatingWebhookConfiguration. */
  readonly configuration: string;
  /** Namespace of its operator. */
  readonly operator?: string;
  /** Whether it skips pods of this operator. */
  readonly isExcluded: boolean;
  /** Requirements on the labels of its namespaces. @default - it reviews all namespaces */
  readonly namespaces?: readonly Requirement[];
}

/** Result of the search for webhook configurations. */
export interface WebhookSearch {
  readonly pods: readonly PodWebhook[];
  /** All configurations, as kind and name for kubectl, with the namespaces of their operators. */
  readonly configurations: readonly { readonly title: string; readonly operator?: string }[];
  readonly findings: readonly Finding[];
}

/**
 * Finds the webhook configurations of kubeflow's operator.
 *
 * @param own namespace of this operator, whose webhooks have similar names
 */
export async function otherWebhooks(client: Pick<KubeClient, 'list'>, own: string, signal: AbortSignal): Promise<WebhookSearch> {
  const [mutating, validating] = await Promise.all(
    [MUTATING_WEBHOOK_CONFIGURATIONS, VALIDATING_WEBHOOK_CONFIGURATIONS].map((resource) => theirs(client, resource, own, signal)),
  );
  const all = [...mutating!.configurations, ...validating!.configurations];
  return {
    pods: mutating!.configurations.flatMap(podWebhooks),
    configurations: all.map(({ kind, metadata, webhooks }) => ({
      title: `${kind!.toLowerCase()}/${metadata.name}`, operator: webhooks?.[0]?.clientConfig.service?.namespace,
    })),
    findings: [
      ...mutating!.findings, ...validating!.findings,
      ...(all.length === 0 && mutating!.findings.length === 0 ? [findings.ok("kubeflow's operator has no webhook")] : []),
      ...all.map(configurationFinding),
    ],
  };
}

async function theirs(client: Pick<KubeClient, 'list'>, resource: Resource<KubeObject>, own: string, signal: AbortSignal) {
  const reading = await read(listed<OtherWebhooks>(client, resource as Resource<OtherWebhooks>, {}, signal));
  if (isUnreadable(reading)) return { configurations: [], findings: [unreadable(findings, `the ${resource.plural}`, reading)] };
  const all = reading.kind === 'found' ? reading.value : [];
  const configurations = all.filter(({ webhooks = [] }) => webhooks.some(({ name, clientConfig: { service } }) => (
    /^(?:mutate|validate)-.*\.sparkoperator\.k8s\.io$/.test(name) && isTheirs(name) && service?.namespace !== own
  ))).map((each) => ({ ...each, kind: resource.kind }));
  return { configurations, findings: [] };
}

/** Names of kubeflow's webhooks contain group and version; ours contain the kind alone. */
function isTheirs(name: string): boolean {
  return name === POD_WEBHOOK || /-sparkoperator-k8s-io-v\w+-/.test(name);
}

function podWebhooks({ metadata, webhooks = [] }: OtherWebhooks): PodWebhook[] {
  return webhooks.filter(({ name }) => name === POD_WEBHOOK).map((webhook) => ({
    configuration: metadata.name, operator: webhook.clientConfig.service?.namespace, isExcluded: !isMutating(webhook),
    ...(webhook.namespaceSelector?.matchExpressions && { namespaces: webhook.namespaceSelector.matchExpressions }),
  }));
}

/**
 * Returns whether a webhook changes pods of this operator in its namespaces. A list of namespaces
 * does not help: the last of them stays in it, and others return to it on the way back.
 */
function isMutating({ name, objectSelector }: Webhook): boolean {
  const isExcluded = objectSelector?.matchExpressions?.some(({ key, operator }) => key === LABEL_APP_UID && operator === 'DoesNotExist');
  return name === POD_WEBHOOK && !isExcluded;
}

function configurationFinding({ kind = '', metadata: { name }, webhooks = [] }: OtherWebhooks): Finding {
  const title = `${kind} ${name} of kubeflow's operator`;
  const fails = webhooks.some(({ failurePolicy = 'Fail' }) => failurePolicy === 'Fail');
  const names = webhooks.flatMap(({ namespaceSelector }) => namespaceSelector?.matchExpressions ?? [])
    .find(({ key, operator }) => key === 'kubernetes.io/metadata.name' && operator === 'In')?.values;
  const where = names === undefined ? 'all namespaces' : names.join(', ');
  const message = `${title} reviews objects of ${where}${fails ? '; while its pods are down, the API server rejects these objects' : ''}`;
  return webhooks.some(isMutating)
    ? findings.warning(
      `${message}; it would change pods of this operator a second time, and the API server rejects those`,
      'the steps below exclude pods of this operator from it',
    )
    : findings.ok(message);
}
