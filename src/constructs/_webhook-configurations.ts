import { ApiObject, Duration } from 'cdk8s';
import { Construct } from 'constructs';
import { seconds } from '../props/_check';
import { namespaceSelectors, type JobNamespaceSelection } from './_namespace-selectors';
import type { Labels, OperatorNames } from './_operator-names';
import { trustOf, type CertificateSetup } from './_webhook-certificates';
import { WebhookFailurePolicy, type OperatorWebhook } from './operator-webhook';
import type { KindDefinition } from '../api/kind';
import { KINDS } from '../api/kinds';
import { ANNOTATION_LEFT_TO_WEBHOOK, LABEL_ATTEMPT, LABEL_LAUNCHED_BY } from '../api/labels';
import { SPARK_APPLICATION } from '../api/spark-application';

/**
 * Settings of the webhook configurations.
 * @internal
 */
export interface WebhookTarget {
  readonly names: OperatorNames['webhook'];
  readonly namespace: string;
  readonly labels: Labels;
  readonly selection: JobNamespaceSelection;
  readonly certificates: CertificateSetup;
  /** Whether the webhook writes defaults. */
  readonly defaulting: boolean;
}

interface Condition {
  readonly name: string;
  readonly expression: string;
}

/** Webhook without its namespaces. */
interface Webhook {
  /** Operation and kind: `validate-sparkapplication`. */
  readonly name: string;
  readonly path: string;
  readonly rule: object;
  readonly objectSelector?: object;
  readonly conditions: readonly Condition[];
  readonly failurePolicy: WebhookFailurePolicy;
  readonly timeout: Duration;
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/**
 * Pods of other programs, and pods of this operator that request it. All other pods of this
 * operator have an attempt, and do not depend on the webhook.
 */
const NEEDS_IT: Condition = {
  name: 'left-to-webhook',
  expression: `!has(object.metadata.labels) || !('${LABEL_ATTEMPT}' in object.metadata.labels) || (has(object.metadata.annotations) && '${ANNOTATION_LEFT_TO_WEBHOOK}' in object.metadata.annotations)`,
};

/**
 * Skips objects that are being deleted, and updates of fields that no check reads. Status is not
 * reviewed at all. The expression checks that fields exist, because the API server calls a mutating
 * webhook before it validates the schema.
 */
const HAS_NEWS: readonly Condition[] = [
  { name: 'not-deleted', expression: '!has(object.metadata.deletionTimestamp)' },
  {
    name: 'changed',
    expression: "request.operation == 'CREATE' || object.?spec != oldObject.?spec || object.metadata.?annotations != oldObject.metadata.?annotations || object.metadata.?labels != oldObject.metadata.?labels",
  },
];

/**
 * Adds both webhook configurations. They have the form that Kubernetes stores, so that applying
 * them again changes nothing and keeps a CA bundle that was written later.
 * @internal
 */
export function addWebhookConfigurations(scope: Construct, target: WebhookTarget, props: OperatorWebhook): void {
  const configurations: [string, string, Webhook[]][] = [
    ['MutatingWebhook', 'MutatingWebhookConfiguration', [
      podWebhook(props), ...(target.defaulting ? [ofKind('mutate', SPARK_APPLICATION, props)] : []),
    ]],
    ['ValidatingWebhook', 'ValidatingWebhookConfiguration', KINDS.map((kind) => ofKind('validate', kind, props))],
  ];
  const { annotations } = trustIn(target);
  for (const [id, kind, webhooks] of configurations) {
    new ApiObject(scope, id, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      metadata: { name: target.names.configuration, labels: target.labels, ...(annotations && { annotations }) },
      webhooks: webhooks.flatMap((webhook) => entries(webhook, target)),
    });
  }
}

function podWebhook({ podFailurePolicy, podTimeout }: OperatorWebhook): Webhook {
  return {
    name: 'mutate-pod',
    path: '/mutate--v1-pod',
    rule: { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: 'Namespaced' },
    objectSelector: { matchLabels: { [LABEL_LAUNCHED_BY]: 'true' } },
    conditions: [NEEDS_IT],
    failurePolicy: podFailurePolicy ?? WebhookFailurePolicy.FAIL,
    timeout: podTimeout ?? Duration.seconds(8),
    // Changes by other webhooks, such as sidecars, might matter.
    reinvocationPolicy: 'IfNeeded',
  };
}

function ofKind(
  action: 'mutate' | 'validate', { group, version, plural, singular }: KindDefinition, { failurePolicy, timeout }: OperatorWebhook,
): Webhook {
  return {
    name: `${action}-${singular}`,
    path: `/${action}-${group.replaceAll('.', '-')}-${version}-${singular}`,
    rule: { apiGroups: [group], apiVersions: [version], operations: ['CREATE', 'UPDATE'], resources: [plural], scope: 'Namespaced' },
    conditions: HAS_NEWS,
    failurePolicy: failurePolicy ?? WebhookFailurePolicy.IGNORE,
    timeout: timeout ?? Duration.seconds(5),
    ...(action === 'mutate' && { reinvocationPolicy: 'Never' }),
  };
}

function trustIn({ certificates, namespace, names }: WebhookTarget) {
  return trustOf(certificates, { namespace, certificate: names.name });
}

/** Returns one webhook for each selector of namespaces. */
function entries(
  { name, path, rule, objectSelector, conditions, failurePolicy, timeout, reinvocationPolicy }: Webhook, target: WebhookTarget,
): object[] {
  const { caBundle } = trustIn(target);
  return namespaceSelectors(target.selection).map(({ suffix, selector }) => ({
    name: `${name}${suffix}.sparkoperator.k8s.io`,
    admissionReviewVersions: ['v1'],
    clientConfig: {
      service: { namespace: target.namespace, name: target.names.service, path, port: 443 }, ...(caBundle !== undefined && { caBundle }),
    },
    failurePolicy,
    matchPolicy: 'Equivalent',
    namespaceSelector: selector,
    objectSelector: objectSelector ?? {},
    rules: [rule],
    matchConditions: conditions,
    sideEffects: 'None',
    timeoutSeconds: seconds(timeout),
    ...(reinvocationPolicy && { reinvocationPolicy }),
  }));
}
