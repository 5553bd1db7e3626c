import { clusterFinding, type VersionInfo } from './cluster';
import { crdFinding } from './crds';
import type { Finding } from './finding';
import { imageFindings, type WaitingPod } from './images';
import { installationFindings } from './installation-findings';
import { examineApplications } from './examine-applications';
import { examineConnects } from './connects';
import { driverFindings, userFinding } from './account-findings';
import { listed } from './listed';
import { isUnreadable, read, valueOf, type Reading } from './reading';
import { missingNamespaces } from './namespaces';
import { nodesFinding } from './nodes';
import { noOperator, unhandledFindings, unreadableOperator } from './operator';
import { otherOperatorFindings, otherWriterFindings, overlapFindings } from './others';
import { quotaFindings } from './quotas';
import { EVENTS, RESOURCE_QUOTAS } from './resources';
import { scheduleFindings } from './schedules';
import { handles, installAgain, installationIn, isOtherOperator, type Installation } from '../setup/installation';
import { CUSTOM_RESOURCE_DEFINITIONS, DEPLOYMENTS, OPERATOR_SELECTOR } from '../setup/kinds';
import type { Deployment } from '../setup/objects';
import { KINDS } from '../../api/kinds';
import type { KubeObject } from '../../kube/objects';
import type { Resource } from '../../kube/resource';
import { driverClusterRole } from '../../model/installation';
import { NODES } from '../../model/nodes';
import { PODS, SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS, SPARK_CONNECTS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';
import type { WholeConnect } from '../../model/spark-connect';
import type { Examination } from './examination';

/** Maximum number of namespaces that are checked; -n checks others. */
const MAX_NAMESPACES = 20;

/**
 * Checks an operator, its dependencies and its applications, in the order of their dependencies.
 */
export async function examine(examination: Examination): Promise<Finding[]> {
  const { client, server, operatorNamespace, signal } = examination;
  const answer = await read(client.request<VersionInfo>({
    method: 'GET', path: '/version', call: { verb: 'get', resource: 'the version of the API server' }, signal,
  }));
  const cluster = clusterFinding(answer, server);
  if (answer.kind === 'failed') return [cluster];
  const missing = await missingNamespaces(examination);
  if (missing.length > 0) return [cluster, ...missing];
  const deployments = await read(listed<Deployment>(client, DEPLOYMENTS, { labelSelector: OPERATOR_SELECTOR }, signal));
  const own = await ownDeployments(examination, deployments);
  const installations = (valueOf(own) ?? []).map(installationIn).filter((installation) => installation !== undefined);
  const [applications, schedules, connects] = await Promise.all([
    listedIn<WholeApplication>(examination, installations, SPARK_APPLICATIONS),
    listedIn(examination, installations, SCHEDULED_SPARK_APPLICATIONS),
    listedIn<WholeConnect>(examination, installations, SPARK_CONNECTS),
  ]);
  const namespaces = namespacesOf(examination, installations, [...valueOf(applications) ?? [], ...valueOf(connects) ?? []]);
  const install = installations[0] ? installAgain(installations[0]) : `sparkctl install --job-namespace ${namespaces[0] ?? 'NAMESPACE'}`;
  const causes = Promise.all([
    driverFindings(examination, {
      own: driverAccountsOf(installations, namespaces), clusterRoleOf: (namespace) => driverClusterRoleIn(installations, namespace),
      applications: valueOf(applications) ?? [], install,
    }),
    ...[...new Set([...installations.map(({ namespace }) => namespace), ...namespaces])].map((namespace) => images(examination, namespace)),
  ]).then((each) => each.flat());
  const isEveryOperatorKnown = deployments.kind === 'found' && operatorNamespace === undefined && !deployments.value.some(isOtherOperator);
  const sections: (Finding[] | Promise<Finding[]>)[] = [
    [cluster],
    nodes(examination),
    definitions(examination, install),
    installations.length === 0 ? [isUnreadable(own) ? unreadableOperator(operatorNamespace, own) : noOperator(operatorNamespace)] : [],
    ...installations.map((installation) => installationFindings(examination, installation, namespaces)),
    isEveryOperatorKnown ? unhandledFindings(installations, namespaces) : [],
    otherOperatorFindings(deployments, installations),
    overlapFindings(installations),
    otherWriterFindings(valueOf(applications) ?? [], examination.now),
    ...namespaces.map((namespace) => userFinding(examination, namespace).then((finding) => [finding])),
    ...namespaces.map((namespace) => quotas(examination, namespace, valueOf(applications) ?? [])),
    causes.then((found) => (
      examineApplications(examination, applications, whereText(examination.namespaces, namespaces), found)
    )),
    scheduleFindings(schedules, whereText(examination.namespaces, namespaces)),
    causes.then((found) => examineConnects(examination, connects, whereText(examination.namespaces, namespaces), found)),
  ];
  return (await Promise.all(sections)).flat();
}

/**
 * Reads the Deployments among which the operator is. A user who cannot list those of all namespaces
 * might be able to list those of one.
 */
async function ownDeployments(
  { client, operatorNamespace, signal }: Examination, all: Reading<readonly Deployment[]>,
): Promise<Reading<readonly Deployment[]>> {
  if (all.kind === 'found') {
    const isSelected = ({ metadata }: Deployment) => operatorNamespace === undefined || metadata.namespace === operatorNamespace;
    return { kind: 'found', value: all.value.filter(isSelected) };
  }
  const namespace = operatorNamespace ?? 'spark-operator';
  const one = await read(listed<Deployment>(client, DEPLOYMENTS, { namespace, labelSelector: OPERATOR_SELECTOR }, signal));
  // Without a named namespace, the operator can be in one that the user cannot read.
  const isKnown = operatorNamespace !== undefined || (valueOf(one) ?? []).some((deployment) => installationIn(deployment) !== undefined);
  return isKnown ? one : all;
}

/** Lists the objects of a kind in the examined namespaces. */
async function listedIn<T extends KubeObject>(
  { client, namespaces, current, signal }: Examination, installations: readonly Installation[], resource: Resource<T>,
): Promise<Reading<readonly T[]>> {
  const isEverywhere = namespaces === 'all' || (namespaces === undefined && installations.some(({ isClusterWide }) => isClusterWide));
  if (isEverywhere) return read(listed<T>(client, resource, {}, signal));
  const names = namespaces ?? jobNamespacesOf(installations, current);
  const each = await Promise.all(names.map((namespace) => read(listed<T>(client, resource, { namespace }, signal))));
  return each.find(({ kind }) => kind !== 'found') ?? { kind: 'found', value: each.flatMap((reading) => valueOf(reading) ?? []) };
}

function jobNamespacesOf(installations: readonly Installation[], current: string): readonly string[] {
  const names = [...new Set(installations.flatMap(({ jobNamespaces }) => jobNamespaces))];
  return names.length > 0 ? names : [current];
}

/** Returns the namespaces that have applications or servers, or are selected by flags. */
function namespacesOf(
  { namespaces, current }: Examination, installations: readonly Installation[], objects: readonly (WholeApplication | WholeConnect)[],
): string[] {
  if (namespaces !== undefined && namespaces !== 'all') return [...namespaces];
  const named = jobNamespacesOf(installations, current);
  return [...new Set([...named, ...objects.map(({ metadata: { namespace } }) => namespace)])].slice(0, MAX_NAMESPACES);
}

/** Returns the service accounts that `SparkOperator` has created for drivers, by namespace. */
function driverAccountsOf(installations: readonly Installation[], namespaces: readonly string[]): ReadonlyMap<string, string> {
  const accounts = new Map(installations.flatMap(({ jobNamespaces, driverAccount }) => jobNamespaces.map((name) => [name, driverAccount])));
  return new Map([...accounts].filter(([namespace]) => namespaces.includes(namespace)));
}

/** Returns the ClusterRole of an operator for drivers in a namespace that its flags do not name. */
function driverClusterRoleIn(installations: readonly Installation[], namespace: string): string | undefined {
  const found = installations.find((each) => each.isClusterWide && handles(each, namespace) !== false);
  return found && driverClusterRole(found.namespace, found.operatorName);
}

function whereText(asked: Examination['namespaces'], namespaces: readonly string[]): string {
  return asked === 'all' ? 'of all namespaces' : `in ${namespaces.join(', ')}`;
}

async function nodes({ client, signal }: Examination): Promise<Finding[]> {
  return [nodesFinding(await read(listed(client, NODES, {}, signal)))];
}

async function definitions({ client, crds, signal }: Examination, install: string): Promise<Finding[]> {
  return Promise.all(KINDS.map(async (kind) => {
    const name = `${kind.plural}.${kind.group}`;
    return crdFinding(
      kind, await read(client.get(CUSTOM_RESOURCE_DEFINITIONS, { name }, { signal })),
      crds.find(({ metadata }) => metadata.name === name)!, install,
    );
  }));
}

async function quotas({ client, signal }: Examination, namespace: string, applications: readonly WholeApplication[]): Promise<Finding[]> {
  const own = applications.filter(({ metadata }) => metadata.namespace === namespace);
  return quotaFindings(namespace, await read(listed(client, RESOURCE_QUOTAS, { namespace }, signal)), own);
}

async function images({ client, now, signal }: Examination, namespace: string): Promise<Finding[]> {
  const [pods, events] = await Promise.all([
    read(listed<WaitingPod>(client, PODS, { namespace, fieldSelector: 'status.phase=Pending' }, signal)),
    read(listed(client, EVENTS, { namespace, fieldSelector: 'involvedObject.kind=Pod,type=Warning' }, signal)),
  ]);
  return imageFindings(namespace, pods, events, now);
}
