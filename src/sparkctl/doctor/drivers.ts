import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import { permissionsFinding, type CheckedPermission } from './permissions';
import { DRIVER_SERVICE_ACCOUNT } from '../../api/labels';
import type { KubeObject } from '../../kube/objects';
import { titleOf } from '../output/title';
import { hasEnded } from '../../model/actions/current';
import { SPARK_APPLICATIONS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';

const CHECK = 'Service accounts';
const findings = findingsOf(CHECK);

/** Role for drivers in a namespace without one of `SparkOperator`. */
const DRIVER_ROLE = `${DRIVER_SERVICE_ACCOUNT}-driver`;

/** Service account of drivers. */
export interface DriverAccount {
  readonly namespace: string;
  readonly name: string;
  /** Whether `SparkOperator` creates it. */
  readonly isOwn: boolean;
  /** Role of `SparkOperator` with the permissions of drivers in the namespace. @default - none */
  readonly role?: string;
  /** Names of the applications that name it. @default - none */
  readonly applications?: readonly string[];
}

/**
 * Returns the service accounts of drivers: in each job namespace that of `SparkOperator`, and those
 * that applications name which have not ended.
 *
 * @param own names of the service accounts of `SparkOperator`, by namespace
 */
export function driverAccounts(own: ReadonlyMap<string, string>, applications: readonly WholeApplication[]): DriverAccount[] {
  const accounts = new Map<string, DriverAccount>();
  const role = (namespace: string) => ({ ...(own.has(namespace) && { role: `${own.get(namespace)}-driver` }) });
  for (const [namespace, name] of own) accounts.set(`${namespace}/${name}`, { namespace, name, isOwn: true, ...role(namespace) });
  for (const application of applications) {
    if (hasEnded(application)) continue;
    const { metadata: { namespace }, spec } = application;
    const name = spec.driver?.serviceAccount || 'default';
    const known = accounts.get(`${namespace}/${name}`) ?? { namespace, name, isOwn: false, ...role(namespace) };
    accounts.set(`${namespace}/${name}`, { ...known, applications: [...known.applications ?? [], application.metadata.name] });
  }
  return [...accounts.values()];
}

/**
 * Checks whether a service account of drivers exists and has the permissions of drivers.
 *
 * @param permissions permissions of its name, which RoleBindings can name before it exists
 * @param install command that restores the permissions of an account that `SparkOperator` creates
 */
export function driverFinding(
  { namespace, name, isOwn, role, applications }: DriverAccount, reading: Reading<KubeObject>,
  permissions: Reading<readonly CheckedPermission[]>,
  install: string,
): Finding {
  const title = `ServiceAccount ${namespace}/${name}`;
  const needed = permissions.kind === 'found' ? permissions.value : [];
  // Several accounts of a namespace share the role, so it can exist already.
  const create = role === undefined && needed.length > 0
    ? `kubectl create role ${DRIVER_ROLE} -n ${namespace} ${kubectlOptions(needed)} --dry-run=client -o yaml | kubectl apply -f - && ` : '';
  const bind = `${create}kubectl create rolebinding ${name}-driver -n ${namespace} --role=${role ?? DRIVER_ROLE} --serviceaccount=${namespace}:${name}`;
  if (reading.kind === 'missing') {
    // A RoleBinding outlives its account, and creating it again would fail.
    const isBound = isOwn || (permissions.kind === 'found' && needed.every(({ isAllowed }) => isAllowed));
    return {
      ...findings.error(
        `there is no ${title}, which ${usersText(namespace, isOwn ? [] : applications)} as`,
        `kubectl create serviceaccount ${name} -n ${namespace}${isBound ? '' : ` && ${bind}`}`,
      ),
      ...(applications && { applications: applications.map((each) => `${namespace}/${each}`) }),
    };
  }
  if (isUnreadable(reading)) return unreadable(findings, `the ${title}`, reading);
  if (isUnreadable(permissions)) return unreadable(findings, `the permissions of ${title}`, permissions);
  return permissionsFinding({
    check: CHECK, who: title, where: `in ${namespace}`, what: 'do everything that a driver does', severity: 'error',
    remedy: isOwn ? install : bind,
  }, needed);
}

/** Returns permissions as options of kubectl, which have all verbs for all resources. */
function kubectlOptions(permissions: readonly CheckedPermission[]): string {
  const listed = (key: 'verb' | 'resource') => [...new Set(permissions.map(({ permission }) => permission[key]))].join(',');
  return `--verb=${listed('verb')} --resource=${listed('resource')}`;
}

function usersText(namespace: string, [first, ...others]: readonly string[] = []): string {
  if (first === undefined) return 'drivers run';
  const title = titleOf({ kind: SPARK_APPLICATIONS.kind, metadata: { namespace, name: first } });
  return others.length === 0 ? `the driver of ${title} runs` : `the drivers of ${title} and ${others.length} more run`;
}
