import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import { addAdmissionPolicy } from './_admission-policies';
import { addDriversPolicy } from './_driver-policy';
import { addConsole } from './_operator-console';
import type { OperatorContext } from './_operator-context';
import { addDisruptionBudget, deployOperator } from './_operator-deployment';
import { metricsPort, operatorFlags, webhookArgs } from './_operator-flags';
import { addMetricsServices, addMonitors } from './_operator-metrics';
import { networkPolicies } from './_operator-network-policy';
import { addAccount, grantPermissions } from './_operator-permissions';
import { addWebhookService, grantWebhookPermissions, propsOfWebhookPods, registerWebhook } from './_operator-webhook';
import { addUserRoles } from './_user-roles';
import { mountedSecret } from './_webhook-certificates';
import { certificatesOf, webhookPort } from './_webhook-flags';
import { KINDS } from '../api/kinds';
import { ANNOTATION_DRIVER_ACCOUNT, DRIVER_SERVICE_ACCOUNT } from '../api/labels';
import { customResourceDefinition } from '../rules/custom-resource-definition';
import { schemaOfKind } from '../rules/schemas';

/**
 * Creates all objects of an operator, in the order of dependencies, because kubectl applies a file
 * from top to bottom.
 * @internal
 */
export function createOperator(scope: Construct, context: OperatorContext): void {
  const { namespace, names, accounts, props } = context;
  const { webhook, console } = props;
  if (props.installCrds !== false) {
    for (const kind of KINDS) new ApiObject(scope, `Crd${kind.kind}`, customResourceDefinition(kind, schemaOfKind(kind)));
  }
  addNamespaces(scope, context);
  addAccount(scope, 'ServiceAccount', accounts.operator, namespace, props);
  grantPermissions(scope, context);
  if (props.userRoles ?? props.createRoles ?? true) addUserRoles(scope, names.key);
  addPolicies(scope, context);
  addMetricsServices(scope, context);
  for (const { id, names: { name, selector: labels }, spec } of networkPolicies(context)) {
    new ApiObject(scope, id, { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name, namespace, labels }, spec });
  }
  if (webhook) addWebhookService(scope, webhook, context);
  const serving = webhook && { port: webhookPort(webhook), mounted: mountedSecret(certificatesOf(webhook, names)) };
  const pods = { namespace, metricsPort: metricsPort(props) };
  deployOperator(scope, {
    ...pods, names: names.operator, account: accounts.operator, args: () => operatorFlags(props, context),
    ...(!webhook?.deployment && { webhook: serving }),
    ...(names.driverAccount !== DRIVER_SERVICE_ACCOUNT && { annotations: { [ANNOTATION_DRIVER_ACCOUNT]: names.driverAccount } }),
  }, props);
  addDisruptionBudget(scope, 'DisruptionBudget', names.operator, namespace, props);
  if (webhook?.deployment) {
    const ofPods = propsOfWebhookPods(props, webhook.deployment);
    addAccount(scope, 'WebhookAccount', accounts.webhook, namespace, ofPods);
    grantWebhookPermissions(scope, webhook, context);
    deployOperator(scope, {
      ...pods, names: names.webhook, account: accounts.webhook, args: () => webhookArgs(props, context), servesOnly: true, webhook: serving,
    }, ofPods);
    addDisruptionBudget(scope, 'WebhookDisruptionBudget', names.webhook, namespace, ofPods);
  } else if (webhook) {
    grantWebhookPermissions(scope, webhook, context);
  }
  if (console) {
    addAccount(scope, 'ConsoleAccount', accounts.console, namespace, console);
    addConsole(scope, console, context);
    addDisruptionBudget(scope, 'ConsoleDisruptionBudget', names.console, namespace, { replicas: console.replicas });
  }
  // After the objects that serve it.
  if (webhook) registerWebhook(scope, webhook, context);
  // Last, because the cluster might not have this kind.
  addMonitors(scope, context);
}

function addNamespaces(scope: Construct, { namespace, jobNamespaces, props }: OperatorContext): void {
  const own = props.createNamespace === false ? [] : [namespace];
  for (const name of new Set([...own, ...(props.createJobNamespaces ? jobNamespaces : [])])) {
    // All pods in the operator's namespace meet the restricted standard; users choose the standard
    // for drivers.
    const labels = name === namespace ? { 'pod-security.kubernetes.io/enforce': 'restricted' } : undefined;
    new ApiObject(scope, `Namespace-${name}`, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...(labels && { labels }) } });
  }
}

function addPolicies(scope: Construct, { names, selection, isClusterWide, canSparkSubmit, props }: OperatorContext): void {
  if (props.admissionPolicy === false) return;
  addAdmissionPolicy(scope, names.key, selection);
  // A SparkJobNamespace adds the policy of its own account.
  const ownAccounts = { ...selection, names: [...selection.names] };
  if (canSparkSubmit && (isClusterWide || ownAccounts.names.length > 0)) {
    addDriversPolicy(scope, names.key, names.driverAccount, ownAccounts);
  }
}
