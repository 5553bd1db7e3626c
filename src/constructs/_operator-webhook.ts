import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { OperatorContext } from './_operator-context';
import type { ProgramPodProps } from './_operator-deployment';
import type { OperatorNames } from './_operator-names';
import { ownRole, serviceAccount } from './_roles';
import { defaultsRules, type Features, NAMESPACE_RULES, type Rule } from '../flags/permissions';
import { addCertificates } from './_webhook-certificates';
import { addWebhookConfigurations } from './_webhook-configurations';
import { certificatesOf } from './_webhook-flags';
import type { OperatorAccountProps } from './operator-account';
import type { OperatorWebhook } from './operator-webhook';
import type { SparkOperatorProps } from './spark-operator-props';
import { SPARK_APPLICATION } from '../api/spark-application';

/**
 * Rules for the webhook's process in the operator's namespace: it stores its certificates in one
 * Secret.
 * @internal
 */
export function certificateRules(webhook: OperatorWebhook, names: OperatorNames): Rule[] {
  const { source, secretName } = certificatesOf(webhook, names);
  return source === 'self-managed' ? [{ group: '', resource: 'secrets', verbs: ['get', 'watch', 'update'], name: secretName }] : [];
}

/** It writes its CA into its own two configurations. */
function configurationRules(webhook: OperatorWebhook, names: OperatorNames): Rule[] {
  if (certificatesOf(webhook, names).source !== 'self-managed') return [];
  return ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'].map((resource) => (
    { group: 'admissionregistration.k8s.io', resource, verbs: ['get', 'watch', 'patch'], name: names.webhook.configuration }
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

/**
 * Grants the webhook's process its permissions outside of job namespaces: in the operator's
 * namespace if it has its own service account, and for cluster-scoped objects.
 * @internal
 */
export function grantWebhookPermissions(scope: Construct, webhook: OperatorWebhook, context: OperatorContext): void {
  const { namespace, names, accounts, features, isClusterWide, props } = context;
  const { deployment } = webhook;
  const subjects = [serviceAccount(deployment ? accounts.webhook : accounts.operator, namespace)];
  const { name } = names.webhook;
  const own = deployment ? [...defaultsRules(features, isClusterWide), ...certificateRules(webhook, names)] : [];
  if (own.length > 0) ownRole(scope, 'WebhookOwn', deployment!, { name: `${name}-own`, namespace }, own, subjects);
  const everywhere = deployment && isClusterWide ? [
    ...webhookJobRules(webhook, features), ...(features.namespaceSelector ? NAMESPACE_RULES : []),
  ] : [];
  const rules = [...configurationRules(webhook, names), ...everywhere];
  if (rules.length > 0) ownRole(scope, 'Webhook', deployment ?? props, { name: `${name}:${namespace}` }, rules, subjects);
}

/**
 * Adds the Service, and the objects for certificates.
 * @internal
 */
export function addWebhookService(scope: Construct, webhook: OperatorWebhook, { namespace, names }: OperatorContext): void {
  const { service, name: certificate } = names.webhook;
  const { selector: labels } = names.operator;
  addCertificates(scope, certificatesOf(webhook, names), { namespace, certificate, service, labels });
  const { selector } = webhook.deployment ? names.webhook : names.operator;
  new ApiObject(scope, 'WebhookService', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: service, namespace, labels },
    spec: { selector, ports: [{ name: 'webhook', port: 443, targetPort: 'webhook', protocol: 'TCP' }] },
  });
}

/**
 * Registers the webhook at the API server.
 * @internal
 */
export function registerWebhook(
  scope: Construct, webhook: OperatorWebhook, { namespace, names, selection, features: { defaultsConfigMapName } }: OperatorContext,
): void {
  addWebhookConfigurations(scope, {
    names: names.webhook,
    namespace,
    labels: names.operator.selector,
    selection,
    certificates: certificatesOf(webhook, names),
    defaulting: webhook.defaulting ?? defaultsConfigMapName === undefined,
  }, webhook);
}

/** Props that the pods of the webhook do not get from the operator. */
const NOT_INHERITED = {
  replicas: 2, resources: undefined, serviceAccountName: undefined, serviceAccountAnnotations: undefined, createServiceAccount: undefined,
  createRoles: undefined, roleAnnotations: undefined, automountServiceAccountToken: undefined,
} satisfies ProgramPodProps & Record<keyof OperatorAccountProps, undefined>;

/**
 * Returns the operator's properties for the pods of the webhook; the webhook's own properties take
 * precedence.
 * @internal
 */
export function propsOfWebhookPods(props: SparkOperatorProps, deployment: NonNullable<OperatorWebhook['deployment']>): SparkOperatorProps {
  return { ...props, ...NOT_INHERITED, ...deployment };
}
