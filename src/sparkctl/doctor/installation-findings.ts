import { rightsOfOther } from './ask-rights';
import type { Examination } from './examination';
import { type Finding, findingsOf } from './finding';
import { leaseFinding } from './lease';
import { listed } from './listed';
import { isUnseen, read, unseen, valueOf } from './look';
import { operatorFindings } from './operator';
import { nowhereToProbe, probeApplication, probeFinding, type ProbeResult } from './probe';
import { ENDPOINT_SLICES } from './resources';
import { rightsFinding, rightsOf, userOf, type Right } from './rights';
import { noWebhook, webhookFindings } from './webhook';
import { installCommand, type Installation } from '../setup/installation';
import { NAMESPACES } from '../setup/kinds';
import { LEASES } from '../../kube/lease';
import { MUTATING_WEBHOOK_CONFIGURATIONS, SECRETS, SPARK_APPLICATIONS, VALIDATING_WEBHOOK_CONFIGURATIONS } from '../../model/resources';

/** All about one operator. @param namespaces of applications */
export async function installationFindings(examination: Examination, installation: Installation, namespaces: readonly string[]): Promise<Finding[]> {
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
  return [leaseFinding(installation, await read(client.get(LEASES, { namespace, name: lease }, { signal })), now)];
}

const RIGHTS = 'Rights of the operator';

/** By what the construct gives it, for the flags that it runs with. */
async function operatorRights({ client, signal }: Examination, installation: Installation): Promise<Finding[]> {
  const { namespace, account, args, sparkSubmit, isClusterWide, jobNamespaces, lease } = installation;
  const { featuresOf, jobRules, NAMESPACE_RULES, ownRules } = await import('../../flags/permissions');
  const features = featuresOf(args, sparkSubmit, lease ?? '');
  const scopes: readonly (readonly [where: string, rights: readonly Right[]])[] = [
    [`in its own namespace ${namespace}`, rightsOf(ownRules(features, isClusterWide), namespace)],
    ...(isClusterWide ? [['in all namespaces', rightsOf([...jobRules(features), ...(features.namespaceSelector ? NAMESPACE_RULES : [])])] as const] : []),
    ...(isClusterWide ? [] : jobNamespaces.map((name) => [`in ${name}`, rightsOf(jobRules(features), name)] as const)),
  ];
  return Promise.all(scopes.map(async ([where, rights]) => {
    const answers = await rightsOfOther(client, userOf(namespace, account), rights, signal);
    if (isUnseen(answers)) return unseen(findingsOf(RIGHTS), `what ServiceAccount ${namespace}/${account} may ${where}`, answers);
    return rightsFinding({
      check: RIGHTS, who: `ServiceAccount ${namespace}/${account}`, where, what: 'do all that the operator does', severity: 'error', remedy: installCommand(installation),
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
    probed(examination, installation, namespaces),
  ]);
  const facts = { configurations: { MutatingWebhookConfiguration: mutating, ValidatingWebhookConfiguration: validating }, slices, secret: certificates };
  return [...webhookFindings(installation, facts, now), ...probe];
}

/** Tries a mistake in a namespace that the webhook is asked about. */
async function probed({ client, signal }: Examination, { selection: { names, selector }, namespace, name }: Installation, namespaces: readonly string[]): Promise<Finding[]> {
  const labelled = names === 'all' || selector === undefined ? undefined : await read(listed(client, NAMESPACES, { labelSelector: selector }, signal));
  const selected = names === 'all' ? namespaces : [...names, ...((labelled && valueOf(labelled)) ?? []).map(({ metadata }) => metadata.name)];
  const where = namespaces.find((each) => selected.includes(each)) ?? selected[0];
  if (where === undefined) return labelled && selector !== undefined ? [nowhereToProbe(selector, labelled)] : [];
  const result: ProbeResult = await client.create(SPARK_APPLICATIONS, probeApplication(where), { dryRun: true, signal })
    .then(() => ({ isTaken: true as const }), (error: unknown) => ({ isTaken: false as const, error }));
  return [probeFinding(result, where, `kubectl logs -n ${namespace} deployment/${name} --tail=50`)];
}
