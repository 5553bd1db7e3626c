import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { JobNamespaceSelection } from './_namespace-selectors';
import { role, serviceAccount } from './_roles';
import { type Features, NAMESPACE_RULES, type Rule } from '../flags/permissions';
import { addCertificates } from './_webhook-certificates';
import { addWebhookConfigurations } from './_webhook-configurations';
import { certificatesOf, configurationName, WEBHOOK_NAME, WEBHOOK_SERVICE } from './_webhook-flags';
import type { OperatorWebhook } from './operator-webhook';
import type { SparkOperatorProps } from './spark-operator-props';
import { SPARK_APPLICATION } from '../api/spark-application';

/**
 * Rules for the webhook's process in the operator's namespace: it stores its certificates in one
 * Secret.
 * @internal
 */
export function certificateRules(webhook: OperatorWebhook): Rule[] {
  const { source, secretName } = certificatesOf(webhook);
  return source === 'self-managed' ? [{ group: '', resource: 'secrets', verbs: ['get', 'watch', 'update'], name: secretName }] : [];
}

/** It writes its CA into its own two configurations. */
function configurationRules(webhook: OperatorWebhook, namespace: string): Rule[] {
  if (certificatesOf(webhook).source !== 'self-managed') return [];
  return ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'].map((resource) => (
    { group: 'admissionregistration.k8s.io', resource, verbs: ['get', 'watch', 'patch'], name: configurationName(namespace) }
  ));
}

/**
 * Rules for a webhook with its own service account in a job namespace: it reads the application of
 * a pod, and the objects with which applications are compared.
 * @internal
 */
export function webhookJobRules(webhook: OperatorWebhook, { defaultsConfigMapName }: Features): Rule[] {
  return [
    { group: SPARK_APPLICATION.group, resource: SPARK_APPLICATION.plural, verbs: ['get'] },
    ...(defaultsConfigMapName === undefined ? [] : [{ group: '', resource: 'configmaps', verbs: ['list', 'watch'], name: defaultsConfigMapName }]),
    ...(webhook.resourceQuotas ? [{ group: '', resource: 'resourcequotas', verbs: ['list'] }] : []),
  ];
}

/** Identity of the webhook's process and its operator. */
interface Grantee {
  readonly namespace: string;
  /** Name of its service account. */
  readonly account: string;
  readonly features: Features;
  readonly isClusterWide: boolean;
}

/**
 * Rules for cluster-scoped objects, for the service account of the webhook's process.
 * @internal
 */
export function grantClusterRights(
  scope: Construct, webhook: OperatorWebhook, { namespace, account, features, isClusterWide }: Grantee,
): void {
  const separate = webhook.deployment && isClusterWide ? [
    ...webhookJobRules(webhook, features), ...(features.namespaceSelector ? NAMESPACE_RULES : []),
  ] : [];
  const rules = [...configurationRules(webhook, namespace), ...separate];
  if (rules.length > 0) role(scope, 'Webhook', { name: `${WEBHOOK_NAME}:${namespace}` }, rules, [serviceAccount(account, namespace)]);
}

/**
 * Adds the Service, and the objects for certificates.
 *
 * @param selector labels of the webhook's pods
 * @internal
 */
export function addWebhookService(
  scope: Construct, webhook: OperatorWebhook, namespace: string, labels: { [key: string]: string },
  selector: { [key: string]: string },
): void {
  addCertificates(scope, certificatesOf(webhook), { namespace, service: WEBHOOK_SERVICE, labels });
  new ApiObject(scope, 'WebhookService', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: WEBHOOK_SERVICE, namespace, labels },
    spec: { selector, ports: [{ name: 'webhook', port: 443, targetPort: 'webhook', protocol: 'TCP' }] },
  });
}

/** Scope of the webhook. */
interface Registration {
  readonly namespace: string;
  readonly labels: { [key: string]: string };
  readonly selection: JobNamespaceSelection;
  /** Name of the ConfigMap with defaults that the operator reads. */
  readonly defaultsConfigMapName?: string;
}

/**
 * Registers the webhook at the API server.
 * @internal
 */
export function registerWebhook(
  scope: Construct, webhook: OperatorWebhook, { namespace, labels, selection, defaultsConfigMapName }: Registration,
): void {
  addWebhookConfigurations(scope, {
    name: configurationName(namespace),
    namespace,
    service: WEBHOOK_SERVICE,
    labels,
    selection,
    certificates: certificatesOf(webhook),
    defaulting: webhook.defaulting ?? defaultsConfigMapName === undefined,
  }, webhook);
}

/**
 * Returns the operator's properties for the pods of the webhook; the webhook's own properties take
 * precedence.
 * @internal
 */
export function propsOfWebhookPods(
  props: SparkOperatorProps, { replicas, resources }: NonNullable<OperatorWebhook['deployment']>,
): SparkOperatorProps {
  return { ...props, replicas: replicas ?? 2, resources };
}
