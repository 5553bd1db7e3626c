import { runTemplates, type MigratedObject } from './deviations';
import { examineObjects, type ObjectReport } from './objects';
import { otherOperators, type OtherOperator } from './other-operator';
import { stepsOf, type Steps } from './steps';
import { accountFindings, crdFindings, dashboardFindings } from './environment';
import { otherWebhooks } from './webhooks';
import { documentOf, ownNamespace } from '../document';
import { translate, type Translation } from '../translate';
import { clusterFinding, type VersionInfo } from '../../doctor/cluster';
import { type Finding, findingsOf } from '../../doctor/finding';
import { read } from '../../doctor/reading';
import { quoted } from '../../quote';
import type { CustomResourceDefinition } from '../../setup/objects';
import type { GivenProps } from '../../setup/options';
import type { KubeClient } from '../../../kube/client';

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
  const other = search.operators.find((each) => isChosen(each, check));
  const own = given.namespace ?? ownNamespace(other?.namespace ?? check.releaseNamespace ?? '');
  const translation = other?.release && translate(other.release);
  const props = translation ? documentOf(translation, { ...given, namespace: own }) : {};
  const [ofCrds, objects, webhooks] = await Promise.all([
    crdFindings(client, check.crds, signal),
    examineObjects(client, { ...(given.jobNamespaces && { namespaces: given.jobNamespaces }), props }, signal),
    otherWebhooks(client, own, signal),
  ]);
  const findings = [
    cluster, ...search.findings, ...leaseFindings(other, own), ...valueFindings(translation), ...ofCrds, ...objects.findings,
    ...webhooks.findings,
    ...await accountFindings(client, [...objects.objects.application, ...runTemplates(objects.objects.schedule)], signal),
    ...await dashboardFindings(client, search.operators, signal),
  ];
  if (!other) return { findings };
  return {
    findings,
    steps: stepsOf({
      other, own, toExclude: webhooks.toExclude, namespaces: namespacesOf(other, objects, given),
      ...(translation && { chart: translation.chart }), options: given.image === undefined ? [] : [`--image ${quoted(given.image)}`],
    }),
  };
}

function isChosen({ namespace, deployment, release }: OtherOperator, { release: name, releaseNamespace }: MigrationCheck): boolean {
  const ownName = release?.name ?? deployment.metadata.labels?.['app.kubernetes.io/instance'];
  return (name === undefined || name === ownName) && (releaseNamespace === undefined || releaseNamespace === namespace);
}

/** With one Lease, only one of two operators works, so that namespaces cannot move one by one. */
function leaseFindings(other: OtherOperator | undefined, own: string): Finding[] {
  if (other?.namespace !== own) return [];
  return [findingsOf('Other operator').warning(
    `it runs in ${own}, too: two operators with one Lease work one after the other, and their webhooks share a Service and a Secret`,
    'omit -n, or choose another namespace for this operator',
  )];
}

function valueFindings(translation: Translation | undefined): Finding[] {
  const findings = findingsOf('Helm values');
  if (!translation) return [];
  const losses = translation.values.flatMap(({ value, loss }) => (loss === undefined ? [] : [findings.warning(`${value}: ${loss}`)]));
  return losses.length > 0 ? losses : [findings.ok('all values have a counterpart: `sparkctl migrate` prints them')];
}

/** Returns the namespaces of the options, else those that are named or have objects. */
function namespacesOf({ selection }: OtherOperator, { objects }: ObjectReport, { jobNamespaces }: GivenProps): readonly string[] {
  if (jobNamespaces) return jobNamespaces;
  const used = Object.values(objects).flat().map(({ metadata: { namespace = '' } }: MigratedObject) => namespace);
  const named = selection === undefined || selection.names === 'all' ? [] : selection.names;
  return [...new Set([...named, ...used.sort()])];
}
