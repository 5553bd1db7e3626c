import type { HelmRelease } from '../chart';
import { releasesIn } from '../release';
import { CommandError } from '../../errors';
import { type Finding, findingsOf } from '../../doctor/finding';
import { listed } from '../../doctor/listed';
import { isUnreadable, read, unreadable } from '../../doctor/reading';
import { installationIn, isOtherOperator, selectionOfOther, type Installation } from '../../setup/installation';
import { DEPLOYMENTS, OPERATOR_SELECTOR } from '../../setup/kinds';
import type { Deployment, TemplateContainer } from '../../setup/objects';
import type { NamespaceSelection } from '../../../flags/configuration';
import type { KubeClient } from '../../../kube/client';

const findings = findingsOf('Other operator');

/** kubeflow's operator in the cluster. */
export interface OtherOperator {
  readonly namespace: string;
  /** Name of the controller's Deployment. */
  readonly name: string;
  readonly deployment: Deployment;
  /** Namespaces of its applications. @default - its command line does not show them */
  readonly selection?: NamespaceSelection;
  /** The webhook's Deployment. @default - it has none */
  readonly webhook?: Deployment;
  /** Its Helm release. @default - it was installed otherwise, or the user cannot read it */
  readonly release?: HelmRelease;
}

/** Result of the search for kubeflow's operator. */
export interface OperatorSearch {
  readonly operators: readonly OtherOperator[];
  /** Operators of this package. */
  readonly own: readonly Installation[];
  readonly findings: readonly Finding[];
}

/** Finds kubeflow's operators with their Helm releases. */
export async function otherOperators(client: Pick<KubeClient, 'list'>, signal: AbortSignal): Promise<OperatorSearch> {
  const deployments = await read(listed<Deployment>(client, DEPLOYMENTS, { labelSelector: OPERATOR_SELECTOR }, signal));
  if (isUnreadable(deployments)) {
    const problem = unreadable(findings, 'the Deployments of all namespaces, among which the operator is', deployments);
    return { operators: [], own: [], findings: [problem] };
  }
  const all = deployments.kind === 'found' ? deployments.value : [];
  const others = all.filter(isOtherOperator);
  const own = all.flatMap((deployment) => installationIn(deployment) ?? []);
  if (others.length === 0) {
    return { operators: [], own, findings: [findings.warning("kubeflow's operator is not installed: no Deployment runs `controller start`")] };
  }
  const { releases, notes } = await releasesOr(client, signal);
  const operators = others.map((deployment) => operatorOf(deployment, all, releases));
  return { operators, own, findings: [...operators.map(operatorFinding), ...notes] };
}

async function releasesOr(
  client: Pick<KubeClient, 'list'>, signal: AbortSignal,
): Promise<{ readonly releases: readonly HelmRelease[]; readonly notes: readonly Finding[] }> {
  try {
    return { releases: await releasesIn(client, {}, signal), notes: [] };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { releases: [], notes: [findings.notAllowed(error.message)] };
  }
}

function operatorOf(deployment: Deployment, all: readonly Deployment[], releases: readonly HelmRelease[]): OtherOperator {
  const { metadata: { namespace = '', name, labels = {} } } = deployment;
  const instance = labels['app.kubernetes.io/instance'];
  const release = releases.find((each) => each.namespace === namespace && each.name === instance);
  const selection = selectionOfOther(deployment);
  const webhook = all.find((each) => each.metadata.namespace === namespace && isWebhook(each)
    && each.metadata.labels?.['app.kubernetes.io/instance'] === instance);
  return {
    namespace, name, deployment,
    ...(selection && { selection }), ...(webhook && { webhook }), ...(release && { release }),
  };
}

function isWebhook({ spec: { template: { spec: { containers } } } }: Deployment): boolean {
  return containers.some((container) => container.name === 'spark-operator-webhook' || wordsOf(container).join(' ').includes('webhook start'));
}

function wordsOf({ command = [], args = [] }: TemplateContainer): readonly string[] {
  return [...command, ...args];
}

function selectionText(selection: NamespaceSelection | undefined): string {
  if (selection === undefined) return 'namespaces that its command line does not show';
  const { names, selector } = selection;
  if (names === 'all') return 'all namespaces';
  return [...(names.length > 0 ? [names.join(', ')] : []), ...(selector === undefined ? [] : [`namespaces with ${selector}`])].join(', and ');
}

function operatorFinding({ namespace, name, deployment, selection, release }: OtherOperator): Finding {
  const { spec: { replicas = 1 } } = deployment;
  const origin = release === undefined ? 'no Helm release of it was found' : `release ${release.name}, chart ${release.version ?? 'unknown'}`;
  const title = `kubeflow's operator (Deployment ${namespace}/${name}; ${origin}) runs the applications of ${selectionText(selection)}`;
  return replicas === 0 ? findings.ok(`${title}, but is scaled to no replicas`) : findings.ok(title);
}
