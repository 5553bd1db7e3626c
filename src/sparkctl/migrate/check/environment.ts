import type { MigratedObject } from './deviations';
import { grouped } from './grouped';
import type { OtherOperator } from './other-operator';
import { crdFinding } from '../../doctor/crds';
import { type Finding, findingsOf } from '../../doctor/finding';
import { listed } from '../../doctor/listed';
import { isUnreadable, read, unreadable, valueOf } from '../../doctor/reading';
import { quoted } from '../../quote';
import { CUSTOM_RESOURCE_DEFINITIONS, SERVICE_ACCOUNTS } from '../../setup/kinds';
import type { CustomResourceDefinition } from '../../setup/objects';
import { KINDS } from '../../../api/kinds';
import { isTerminal } from '../../../api/states';
import type { KubeClient } from '../../../kube/client';
import type { KubeObject } from '../../../kube/objects';
import { defineResource } from '../../../kube/resource';

/* Environment of the objects: CRDs, service accounts of drivers, monitors. */

const CRD_REMEDY = '`sparkctl migrate --install --force-conflicts` replaces it: it has all fields of kubeflow\'s, and more';

/** Checks the CRDs of the cluster. @param crds CRDs of this version */
export async function crdFindings(
  client: Pick<KubeClient, 'get'>, crds: readonly CustomResourceDefinition[], signal: AbortSignal,
): Promise<Finding[]> {
  return Promise.all(KINDS.map(async (kind) => {
    const name = `${kind.plural}.${kind.group}`;
    const reading = await read(client.get(CUSTOM_RESOURCE_DEFINITIONS, { name }, { signal }));
    if (reading.kind === 'missing') return findingsOf('CRDs').ok(`there is no CRD ${name} yet; the installation creates it`);
    return crdFinding(kind, reading, crds.find(({ metadata }) => metadata.name === name)!, CRD_REMEDY);
  }));
}

const accounts = findingsOf('RBAC');

/** Maximum number of service accounts that are checked. */
const MAX_ACCOUNTS = 50;

/**
 * Checks the service accounts that applications name: those of the chart go with its release, while
 * drivers need them.
 *
 * @param isComplete whether these are all applications
 */
export async function accountFindings(
  client: Pick<KubeClient, 'get'>, applications: readonly MigratedObject[], isComplete: boolean, signal: AbortSignal,
): Promise<Finding[]> {
  const users = grouped(applications.filter(({ status }) => !isTerminal(status?.applicationState?.state ?? '')), accountOf);
  const each = await Promise.all([...users].slice(0, MAX_ACCOUNTS).map(async ([key, own]) => {
    const [namespace = '', ...names] = key.split('/');
    // The name is the user's, and might be none that the API server accepts.
    const name = names.join('/');
    const reading = await read(client.get(SERVICE_ACCOUNTS, { namespace, name }, { signal }));
    const title = `ServiceAccount ${key}, as which the drivers of ${own.length} ${own.length === 1 ? 'application' : 'applications'} run,`;
    if (isUnreadable(reading)) return unreadable(accounts, `the ServiceAccount ${key}`, reading);
    if (reading.kind === 'missing') {
      return accounts.error(`${title} does not exist`, `kubectl create serviceaccount ${quoted(name)} -n ${quoted(namespace)}`);
    }
    const release = reading.value.metadata.annotations?.['meta.helm.sh/release-name'];
    if (release === undefined || reading.value.metadata.annotations?.[KEEP] === 'keep') return accounts.ok(`${title} stays`);
    return accounts.warning(
      `${title} belongs to the Helm release ${release}, with its Role: they would be deleted with it, and under running drivers`,
      'the first step below keeps them',
    );
  }));
  return each.length > 0 || !isComplete ? each : [accounts.ok('no application that has not ended names a service account')];
}

/** Annotation by which Helm keeps an object that its release no longer contains. */
export const KEEP = 'helm.sh/resource-policy';

function accountOf({ metadata: { namespace = '' }, spec }: MigratedObject): string {
  return `${namespace}/${spec?.driver?.serviceAccount || 'default'}`;
}

const dashboards = findingsOf('Dashboards');

/** Monitor of the Prometheus operator; only the fields that are read. */
interface Monitor extends KubeObject {
  readonly spec?: { readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> } };
}

const MONITORS = (['PodMonitor', 'ServiceMonitor'] as const).map((kind) => defineResource<Monitor>({
  group: 'monitoring.coreos.com', version: 'v1', kind, plural: `${kind.toLowerCase()}s`, namespaced: true,
}));

/** Reports which monitors scrape kubeflow's pods, and what happens to names of metrics. */
export async function dashboardFindings(
  client: Pick<KubeClient, 'list'>, operators: readonly OtherOperator[], signal: AbortSignal,
): Promise<Finding[]> {
  const labels = operators.map(({ deployment }) => deployment.spec.selector.matchLabels ?? {});
  const each = await Promise.all(MONITORS.map(async (resource) => {
    const monitors = valueOf(await read(listed<Monitor>(client, resource, {}, signal))) ?? [];
    return monitors.filter(({ spec }) => labels.some((own) => isSelected(own, spec?.selector?.matchLabels ?? {}))).map(({ metadata }) => (
      dashboards.warning(
        `${resource.kind} ${metadata.namespace}/${metadata.name} scrapes the pods of kubeflow's operator, and not those of this one`,
        'set metrics.monitor in the props of SparkOperator; the value prometheus.podMonitor becomes it',
      )
    ));
  }));
  return [
    dashboards.ok('metrics of applications and executors keep their names and labels; see docs/reference/metrics.md for all others'),
    ...each.flat(),
  ];
}

/** Returns whether a selector matches labels. An empty selector is of another program. */
function isSelected(labels: Readonly<Record<string, string>>, selector: Readonly<Record<string, string>>): boolean {
  const entries = Object.entries(selector);
  return entries.length > 0 && entries.every(([key, value]) => labels[key] === value);
}
