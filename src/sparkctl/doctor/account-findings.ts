import { ownRights, rightsOfOther } from './ask-rights';
import { driverAccounts, driverFinding } from './drivers';
import type { Examination } from './examine';
import { type Finding, findingsOf } from './finding';
import { isUnseen, read, unseen, valueOf, type Reading } from './look';
import { rightsFinding, rightsOf, userOf, type Answered } from './rights';
import { SERVICE_ACCOUNTS } from '../setup/kinds';
import type { WholeApplication } from '../../operator/spark-application/model';

/** Maximum number of service accounts that are checked. */
const MAX_ACCOUNTS = 20;

const YOURS = 'Your rights';

/** Checks whether the user can run applications in a namespace. */
export async function userFinding({ client, signal }: Pick<Examination, 'client' | 'signal'>, namespace: string): Promise<Finding> {
  const { USER_RULES } = await import('../setup/rules');
  const answers = await ownRights(client, rightsOf(USER_RULES, namespace), signal);
  if (isUnseen(answers)) return unseen(findingsOf(YOURS), `your own rights in ${namespace}`, answers);
  return rightsFinding({
    check: YOURS, who: 'you', where: `in ${namespace}`, what: 'run applications', severity: 'warning', remedy: `kubectl auth can-i --list -n ${namespace}`,
  }, valueOf(answers) ?? []);
}

/** Service accounts of drivers to check, and their remedy. */
export interface Drivers {
  /** Namespaces in which `SparkOperator` creates a service account. */
  readonly jobNamespaces: readonly string[];
  readonly applications: readonly WholeApplication[];
  /** Command that installs the objects of `SparkOperator`. */
  readonly install: string;
}

/** Checks whether the service accounts of drivers exist and have the permissions of drivers. */
export async function driverFindings({ client, signal }: Pick<Examination, 'client' | 'signal'>, { jobNamespaces, applications, install }: Drivers): Promise<Finding[]> {
  const { DRIVER_RULES } = await import('../setup/rules');
  const accounts = driverAccounts(jobNamespaces, applications).slice(0, MAX_ACCOUNTS);
  return Promise.all(accounts.map(async (account) => {
    const { namespace, name } = account;
    const looked = await read(client.get(SERVICE_ACCOUNTS, { namespace, name }, { signal }));
    const rights: Reading<readonly Answered[]> = isUnseen(looked) ? { kind: 'missing' } : await rightsOfOther(client, userOf(namespace, name), rightsOf(DRIVER_RULES, namespace), signal);
    return driverFinding(account, looked, rights, install);
  }));
}
