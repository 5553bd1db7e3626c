import { runTemplates } from './deviations';
import { namespacesOf } from './namespaces';
import { examineObjects } from './objects';
import { otherOperators, type OperatorSearch, type OtherOperator } from './other-operator';
import { stepsOf, type ClusterOptions, type Steps } from './steps';
import { accountFindings, crdFindings, dashboardFindings } from './environment';
import { otherWebhooks } from './webhooks';
import { documentOf, ownNamespace } from '../document';
import { translate, type Translation } from '../translate';
import { clusterFinding, type VersionInfo } from '../../doctor/cluster';
import { type Finding, findingsOf } from '../../doctor/finding';
import { read } from '../../doctor/reading';
import { quoted } from '../../quote';
import type { CustomResourceDefinition } from '../../setup/objects';
import type { Installation } from '../../setup/installation';
import type { GivenProps } from '../../setup/options';
import type { KubeClient } from '../../../kube/client';
import { OPERATOR_NAME } from '../../../model/installation';

/** Scope and dependencies of a check. */
export interface MigrationCheck {
  readonly client: Pick<KubeClient, 'get' | 'list' | 'request'>;
  /** URL of the API server. */
  readonly server: string;
  /** CRDs of this version. */
  readonly crds: readonly CustomResourceDefinition[];
  /** Props of this operator by options. */
  readonly given: GivenProps;
  /** Name of the Helm release. @default - any */
  readonly release?: string;
  /** Namespace of the Helm release. @default - any */
  readonly releaseNamespace?: string;
  /** Options by which the user has chosen the cluster. */
  readonly cluster: ClusterOptions;
  readonly signal: AbortSignal;
}

/** Result of a check. */
export interface MigrationReport {
  readonly findings: readonly Finding[];
  /** @default - no operator to migrate from was found */
  readonly steps?: Steps;
}

/** Inspects a cluster that runs kubeflow's operator. It changes nothing. */
export async function examineMigration(check: MigrationCheck): Promise<MigrationReport> {
  const { client, given, signal } = check;
  const version = await read(client.request<VersionInfo>({
    method: 'GET', path: '/version', call: { verb: 'get', resource: 'the version of the API server' }, signal,
  }));
  const cluster = clusterFinding(version, check.server);
  if (version.kind === 'failed') return { findings: [cluster] };
  const search = await otherOperators(client, signal);
  const [installed] = search.own;
  if (search.operators.length === 0 && installed) return { findings: [cluster, ...await migratedFindings(client, installed, signal)] };
  const other = search.operators.find((each) => isChosen(each, check));
  const own = given.namespace ?? ownNamespace(other?.namespace ?? check.releaseNamespace ?? '');
  const translation = other?.release && translate(other.release);
  const props = translation ? documentOf(translation, { ...given, namespace: own }) : {};
  const [ofCrds, objects, webhooks] = await Promise.all([
    crdFindings(client, check.crds, signal),
    examineObjects(client, { ...(given.jobNamespaces && { namespaces: given.jobNamespaces }), props }, signal),
    otherWebhooks(client, own, signal),
  ]);
  const { isComplete, objects: { application, schedule } } = objects;
  const namespaces = other && await namespacesOf(client, {
    other, objects, installed: jobNamespacesOf(search, own, translation), ...(given.jobNamespaces && { wanted: given.jobNamespaces }),
  }, signal);
  const findings = [
    cluster, ...search.findings, ...chosenFindings(search.operators, check), ...leaseFindings(other, own), ...valueFindings(translation),
    ...ofCrds, ...objects.findings, ...webhooks.findings,
    ...await accountFindings(client, [...application, ...runTemplates(schedule)], isComplete, signal),
    ...await dashboardFindings(client, search.operators, signal),
    ...(namespaces && 'finding' in namespaces ? [namespaces.finding] : []),
  ];
  if (!other || other.namespace === own || !namespaces || 'finding' in namespaces) return { findings };
  return {
    findings,
    steps: stepsOf({
      other, own, webhooks, ...namespaces.namespaces, cluster: check.cluster,
      ...(translation && { chart: translation.chart }),
      options: given.image === undefined ? [] : [`--image ${quoted(given.image)}`],
      isOnly: search.operators.length === 1,
    }),
  };
}

/** Returns the findings for a cluster with this operator and none of kubeflow's. */
async function migratedFindings(
  client: MigrationCheck['client'], { namespace, name }: Installation, signal: AbortSignal,
): Promise<Finding[]> {
  const { configurations } = await otherWebhooks(client, namespace, signal);
  return [
    findingsOf('Other operator').ok(
      `kubeflow's operator is not installed, and this one is (Deployment ${namespace}/${name}): there is nothing to migrate`,
    ),
    ...configurations.map(({ title }) => (
      findingsOf('Webhooks').warning(`${title} of kubeflow's operator is left without its operator`, `kubectl delete ${title}`)
    )),
  ];
}

/** Returns the namespaces of the operator that the steps have installed so far. */
function jobNamespacesOf({ own: installations }: OperatorSearch, own: string, translation: Translation | undefined): readonly string[] {
  const installed = installations.find(({ namespace, operatorName, deployment: { spec: { replicas } } }) => (
    namespace === own && operatorName === (translation?.chart.ownName ?? OPERATOR_NAME) && replicas !== 0
  ));
  return installed?.jobNamespaces ?? [];
}

function chosenFindings(operators: readonly OtherOperator[], check: MigrationCheck): Finding[] {
  const [first, second] = operators.filter((each) => isChosen(each, check));
  if (!first || !second) return [];
  return [findingsOf('Other operator').warning(
    `there are several; the steps are for ${first.namespace}/${first.name}`, 'choose another one by --release-namespace and --release',
  )];
}

function isChosen({ namespace, deployment, release }: OtherOperator, { release: name, releaseNamespace }: MigrationCheck): boolean {
  const ownName = release?.name ?? deployment.metadata.labels?.['app.kubernetes.io/instance'];
  return (name === undefined || name === ownName) && (releaseNamespace === undefined || releaseNamespace === namespace);
}

/** With one Lease, only one of two operators works, so that namespaces cannot move one by one. */
function leaseFindings(other: OtherOperator | undefined, own: string): Finding[] {
  if (other?.namespace !== own) return [];
  return [findingsOf('Other operator').warning(
    `it runs in ${own}, too: two operators with one Lease work one after the other, and their webhooks share a Service and a Secret; `
      + 'there are no steps',
    'omit -n, or choose another namespace for this operator',
  )];
}

function valueFindings(translation: Translation | undefined): Finding[] {
  const findings = findingsOf('Helm values');
  if (!translation) return [];
  const losses = translation.values.flatMap(({ value, loss }) => (loss === undefined ? [] : [findings.warning(`${value}: ${loss}`)]));
  return losses.length > 0 ? losses : [findings.ok('all values have a counterpart: `sparkctl migrate` prints them')];
}
