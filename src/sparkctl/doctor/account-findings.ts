import { ownPermissions, permissionsOfUser } from './access-reviews';
import { driverAccounts, driverFinding } from './drivers';
import type { Examination } from './examination';
import { type Finding, findingsOf } from './finding';
import { isUnreadable, read, unreadable, valueOf, type Reading } from './reading';
import { permissionsFinding, permissionsOf, userOf, type CheckedPermission } from './permissions';
import { ROLE_BINDINGS, ROLES, SERVICE_ACCOUNTS } from '../setup/kinds';
import type { WholeApplication } from '../../model/spark-application';

/** Maximum number of service accounts that are checked. */
const MAX_ACCOUNTS = 20;

const YOURS = 'Your permissions';

/** Checks whether the user can run applications in a namespace. */
export async function userFinding({ client, signal }: Pick<Examination, 'client' | 'signal'>, namespace: string): Promise<Finding> {
  const { USER_RULES } = await import('../../flags/permissions');
  const answers = await ownPermissions(client, permissionsOf(USER_RULES, namespace), signal);
  if (isUnreadable(answers)) return unreadable(findingsOf(YOURS), `your own permissions in ${namespace}`, answers);
  return permissionsFinding({
    check: YOURS, who: 'you', where: `in ${namespace}`, what: 'run applications', severity: 'warning',
    remedy: `kubectl auth can-i --list -n ${namespace}`,
  }, valueOf(answers) ?? []);
}

/** Service accounts of drivers to check, and their remedy. */
export interface Drivers {
  /** Service accounts that `SparkOperator` creates, by namespace. */
  readonly own: ReadonlyMap<string, string>;
  /** Returns the ClusterRole of `SparkOperator` for drivers in a namespace. */
  readonly clusterRoleOf: (namespace: string) => string | undefined;
  readonly applications: readonly WholeApplication[];
  /** Command that installs the objects of `SparkOperator`. */
  readonly install: string;
}

/** Checks whether the service accounts of drivers exist and have the permissions of drivers. */
export async function driverFindings(
  { client, signal }: Pick<Examination, 'client' | 'signal'>, { own, clusterRoleOf, applications, install }: Drivers,
): Promise<Finding[]> {
  const { DRIVER_RULES } = await import('../../flags/permissions');
  const accounts = driverAccounts(own, applications, clusterRoleOf).slice(0, MAX_ACCOUNTS);
  return Promise.all(accounts.map(async (account) => {
    const { namespace, name } = account;
    const reading = await read(client.get(SERVICE_ACCOUNTS, { namespace, name }, { signal }));
    const needed = permissionsOf(DRIVER_RULES, namespace);
    const permissions: Reading<readonly CheckedPermission[]> = isUnreadable(reading)
      ? { kind: 'missing' }
      : await permissionsOfUser(client, userOf(namespace, name), needed, signal);
    const finding = driverFinding(account, reading, needed, permissions, install);
    if (finding.level !== 'error') return finding;
    const [role, binding] = await Promise.all([ROLES, ROLE_BINDINGS].map(async (resource) => (
      (await read(client.get(resource, { namespace, name: `${name}-driver` }, { signal }))).kind === 'found'
    )));
    return driverFinding(account, reading, needed, permissions, install, { role, binding });
  }));
}
