import { permissionsOfUser } from './access-reviews';
import type { Examination } from './examination';
import { type Finding, findingsOf } from './finding';
import { leaderFindings } from './lease';
import { listed } from './listed';
import { isUnreadable, read, unreadable, valueOf } from './reading';
import { operatorFindings } from './operator';
import { noNamespaceToProbe, probeApplication, probeFinding, type ProbeResult } from './probe';
import { ENDPOINT_SLICES } from './resources';
import { permissionsFinding, permissionsOf, userOf, type Permission } from './permissions';
import { noWebhook, webhookFindings } from './webhook';
import { installAgain, type Installation } from '../setup/installation';
import { LEASES } from '../../kube/lease';
import { MUTATING_WEBHOOK_CONFIGURATIONS, NAMESPACES, SECRETS, SPARK_APPLICATIONS, VALIDATING_WEBHOOK_CONFIGURATIONS } from '../../model/resources';

/** Checks one operator. @param namespaces namespaces of applications */
export async function installationFindings(
  examination: Examination, installation: Installation, namespaces: readonly string[],
): Promise<Finding[]> {
  const each = await Promise.all([
    operatorFindings(installation, examination.version),
    leader(examination, installation),
    operatorRights(examination, installation),
    webhook(examination, installation, namespaces),
  ]);
  return each.flat();
}

async function leader({ client, now, signal }: Examination, installation: Installation): Promise<Finding[]> {
  const { namespace, lease } = installation;
  if (lease === undefined) return [];
  return leaderFindings(installation, await read(client.get(LEASES, { namespace, name: lease }, { signal })), now);
}

const PERMISSIONS = 'Permissions of the operator';

/** Checks that the operator has the permissions that the construct grants for its flags. */
async function operatorRights({ client, signal }: Examination, installation: Installation): Promise<Finding[]> {
  const { namespace, account, args, isClusterWide, jobNamespaces, lease } = installation;
  const { featuresOf, jobRules, NAMESPACE_RULES, ownRules } = await import('../../flags/permissions');
  const features = featuresOf(args, lease ?? '');
  const scopes: readonly (readonly [where: string, permissions: readonly Permission[]])[] = [
    [`in its own namespace ${namespace}`, permissionsOf(ownRules(features, isClusterWide), namespace)],
    ...(isClusterWide
      ? [['in all namespaces', permissionsOf([...jobRules(features), ...(features.namespaceSelector ? NAMESPACE_RULES : [])])] as const]
      : jobNamespaces.map((name) => [`in ${name}`, permissionsOf(jobRules(features), name)] as const)),
  ];
  return Promise.all(scopes.map(async ([where, permissions]) => {
    const answers = await permissionsOfUser(client, userOf(namespace, account), permissions, signal);
    if (isUnreadable(answers)) {
      return unreadable(findingsOf(PERMISSIONS), `the permissions of ServiceAccount ${namespace}/${account} ${where}`, answers);
    }
    return permissionsFinding({
      check: PERMISSIONS, who: `ServiceAccount ${namespace}/${account}`, where, what: 'do everything that the operator does',
      severity: 'error', remedy: installAgain(installation),
    }, valueOf(answers) ?? []);
  }));
}

async function webhook(examination: Examination, installation: Installation, namespaces: readonly string[]): Promise<Finding[]> {
  const { client, now, signal } = examination;
  if (!installation.webhook) return [noWebhook()];
  const { namespace, webhook: { configuration, service, secret } } = installation;
  const [mutating, validating, slices, certificates, probe] = await Promise.all([
    read(client.get(MUTATING_WEBHOOK_CONFIGURATIONS, { name: configuration }, { signal })),
    read(client.get(VALIDATING_WEBHOOK_CONFIGURATIONS, { name: configuration }, { signal })),
    read(listed(client, ENDPOINT_SLICES, { namespace, labelSelector: `kubernetes.io/service-name=${service}` }, signal)),
    read(client.get(SECRETS, { namespace, name: secret }, { signal })),
    probeFindings(examination, installation, namespaces),
  ]);
  const configurations = { MutatingWebhookConfiguration: mutating, ValidatingWebhookConfiguration: validating };
  const facts = { configurations, slices, secret: certificates };
  return [...webhookFindings(installation, facts, now), ...probe];
}

/** Sends an invalid application as a dry run to a namespace that the webhook covers. */
async function probeFindings(
  { client, signal }: Examination, { selection: { names, selector }, namespace, name }: Installation, namespaces: readonly string[],
): Promise<Finding[]> {
  const labelled = names === 'all' || selector === undefined
    ? undefined
    : await read(listed(client, NAMESPACES, { labelSelector: selector }, signal));
  const selected = names === 'all'
    ? namespaces
    : [...names, ...((labelled && valueOf(labelled)) ?? []).map(({ metadata }) => metadata.name)];
  const where = namespaces.find((each) => selected.includes(each)) ?? selected[0];
  if (where === undefined) return labelled && selector !== undefined ? [noNamespaceToProbe(selector, labelled)] : [];
  const result: ProbeResult = await client.create(SPARK_APPLICATIONS, probeApplication(where), { dryRun: true, signal })
    .then(() => ({ isAccepted: true as const }), (error: unknown) => ({ isAccepted: false as const, error }));
  return [probeFinding(result, where, `kubectl logs -n ${namespace} deployment/${name} --tail=50`)];
}
