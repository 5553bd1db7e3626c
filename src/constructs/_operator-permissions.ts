import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { OperatorContext } from './_operator-context';
import { SHOWN } from './_operator-console';
import { certificateRules, webhookJobRules } from './_operator-webhook';
import { type JobRole, ownRole, type RoleProps, serviceAccount } from './_roles';
import type { OperatorAccountProps } from './operator-account';
import type { SparkOperatorProps } from './spark-operator-props';
import { driverRules, jobRules, NAMESPACE_RULES, ownRules } from '../flags/permissions';

/**
 * Adds the service account of a program, unless it exists.
 * @internal
 */
export function addAccount(
  scope: Construct, id: string, name: string, namespace: string,
  { createServiceAccount = true, serviceAccountAnnotations: annotations }: OperatorAccountProps,
): void {
  if (!createServiceAccount) return;
  new ApiObject(scope, id, {
    apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, ...(annotations && { annotations }) },
    // The pods of the program mount the token themselves.
    automountServiceAccountToken: false,
  });
}

/**
 * Grants the operator its permissions, and drivers theirs in `jobNamespaces`.
 * @internal
 */
export function grantPermissions(scope: Construct, context: OperatorContext): void {
  const { namespace, names, accounts, features, isClusterWide, jobNamespaces, canSparkSubmit, props } = context;
  const { webhook } = props;
  const account = [serviceAccount(accounts.operator, namespace)];
  const ofWebhook = webhook && !webhook.deployment ? certificateRules(webhook, names) : [];
  const { name } = names.operator;
  ownRole(scope, 'Own', props, { name: `${name}-own`, namespace }, [...ownRules(features, isClusterWide), ...ofWebhook], account);
  if (isClusterWide) {
    const ofNamespaces = features.namespaceSelector ? NAMESPACE_RULES : [];
    ownRole(scope, 'Operator', props, { name: `${name}:${namespace}` }, [...jobRules(features), ...ofNamespaces], account);
    ownRole(scope, 'Driver', driverRoleProps(props), { name: names.driverClusterRole }, driverRules(canSparkSubmit));
  }
  const [operator, ...others] = jobRoles(context);
  for (const jobNamespace of jobNamespaces) {
    const jobs = new Construct(scope, `Jobs-${jobNamespace}`);
    const add = (parent: Construct, id: string, role: Omit<JobRole, 'id'>) => ownRole(
      parent, id, role.props, { name: role.name, namespace: jobNamespace }, role.rules, [role.subject],
    );
    if (operator) add(jobs, operator.id, operator);
    addDriverAccount(jobs, jobNamespace, context);
    for (const other of others) add(scope, `${other.id}-${jobNamespace}`, other);
  }
}

function addDriverAccount(
  scope: Construct, namespace: string, { names: { driverAccount: name }, canSparkSubmit, props }: OperatorContext,
): void {
  const { create = true, annotations } = props.driverServiceAccount ?? {};
  if (create) {
    new ApiObject(scope, 'DriverAccount', {
      apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace, ...(annotations && { annotations }) },
      automountServiceAccountToken: true, // Spark's driver reads the API server's certificate and its token where the kubelet mounts them
    });
  }
  ownRole(
    scope, 'Driver', driverRoleProps(props), { name: `${name}-driver`, namespace }, driverRules(canSparkSubmit),
    [serviceAccount(name, namespace)],
  );
}

function driverRoleProps({ driverServiceAccount = {} }: SparkOperatorProps): RoleProps {
  return driverServiceAccount;
}

/**
 * Returns the Roles of the operator, its webhook and its console in each job namespace; none if
 * they have their permissions in the whole cluster.
 * @internal
 */
export function jobRoles({ namespace, names, accounts, features, isClusterWide, props }: OperatorContext): readonly JobRole[] {
  if (isClusterWide) return [];
  const { webhook, console } = props;
  return [
    { id: 'Operator', name: names.operator.name, props, rules: jobRules(features), subject: serviceAccount(accounts.operator, namespace) },
    ...(webhook?.deployment ? [{
      id: 'Webhook', name: names.webhook.name, props: webhook.deployment, rules: webhookJobRules(webhook, features),
      subject: serviceAccount(accounts.webhook, namespace),
    }] : []),
    ...(console ? [{
      id: 'Console', name: names.console.name, props: console, rules: SHOWN, subject: serviceAccount(accounts.console, namespace),
    }] : []),
  ];
}
