import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import { permissionsFinding, type CheckedPermission, type Permission } from './permissions';
import type { KubeObject } from '../../kube/objects';
import { titleOf } from '../output/title';
import { hasEnded } from '../../model/actions/current';
import { SPARK_APPLICATIONS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';

const CHECK = 'Service accounts';
const findings = findingsOf(CHECK);

/** Role with the permissions of drivers. */
export interface DriverRole {
  readonly kind: 'role' | 'clusterrole';
  readonly name: string;
}

/** Service account of drivers. */
export interface DriverAccount {
  readonly namespace: string;
  readonly name: string;
  /** Whether `SparkOperator` creates it. */
  readonly isOwn: boolean;
  /** Role of `SparkOperator` with the permissions of drivers in the namespace. @default - none */
  readonly role?: DriverRole;
  /** Names of the applications that name it. @default - none */
  readonly applications?: readonly string[];
}

/**
 * Returns the service accounts of drivers: in each job namespace that of `SparkOperator`, and those
 * that applications name which have not ended.
 *
 * @param own names of the service accounts of `SparkOperator`, by namespace
 * @param clusterRoleOf returns the name of its ClusterRole for drivers in another namespace
 */
export function driverAccounts(
  own: ReadonlyMap<string, string>, applications: readonly WholeApplication[],
  clusterRoleOf: (namespace: string) => string | undefined = () => undefined,
): DriverAccount[] {
  const accounts = new Map<string, DriverAccount>();
  const role = (namespace: string): { role?: DriverRole } => {
    if (own.has(namespace)) return { role: { kind: 'role', name: `${own.get(namespace)}-driver` } };
    const name = clusterRoleOf(namespace);
    return name === undefined ? {} : { role: { kind: 'clusterrole', name } };
  };
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

/** Existence of a Role and a RoleBinding `NAME-driver`: those of another cannot be replaced. */
export interface UsedNames {
  /** @default false */
  readonly role?: boolean;
  /** @default false */
  readonly binding?: boolean;
}

/**
 * Checks whether a service account of drivers exists and has the permissions of drivers.
 *
 * @param needed permissions of drivers in its namespace
 * @param permissions those of its name, which RoleBindings can name before it exists
 * @param used names that the remedy must not use
 * @param install command that restores the permissions of an account that `SparkOperator` creates
 */
export function driverFinding(
  { namespace, name, isOwn, role, applications }: DriverAccount, reading: Reading<KubeObject>, needed: readonly Permission[],
  permissions: Reading<readonly CheckedPermission[]>, install: string, used: UsedNames = {},
): Finding {
  const title = `ServiceAccount ${namespace}/${name}`;
  // A role of the account alone: one that exists can be another's.
  const { kind, name: roleName } = role ?? { kind: 'role', name: `${name}-driver${used.role ? '-2' : ''}` };
  const create = role ? '' : `kubectl create role ${roleName} -n ${namespace} ${kubectlOptions(needed)} && `;
  const bind = `${create}kubectl create rolebinding ${name}-driver${used.binding ? '-2' : ''} -n ${namespace} --${kind}=${roleName} --serviceaccount=${namespace}:${name}`;
  if (reading.kind === 'missing') {
    // A RoleBinding outlives its account, and creating it again would fail.
    const isBound = isOwn || (permissions.kind === 'found' && permissions.value.every(({ isAllowed }) => isAllowed));
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
  }, permissions.kind === 'found' ? permissions.value : []);
}

/** Returns permissions as options of kubectl, which have all verbs for all resources. */
function kubectlOptions(permissions: readonly Permission[]): string {
  const listed = (key: 'verb' | 'resource') => [...new Set(permissions.map((each) => each[key]))].join(',');
  return `--verb=${listed('verb')} --resource=${listed('resource')}`;
}

function usersText(namespace: string, [first, ...others]: readonly string[] = []): string {
  if (first === undefined) return 'drivers run';
  const title = titleOf({ kind: SPARK_APPLICATIONS.kind, metadata: { namespace, name: first } });
  return others.length === 0 ? `the driver of ${title} runs` : `the drivers of ${title} and ${others.length} more run`;
}
