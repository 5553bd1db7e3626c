import { ownRights, rightsOfOther } from './ask-rights';
import { driverAccounts, driverFinding } from './drivers';
import type { Examination } from './examination';
import { type Finding, findingsOf } from './finding';
import { isUnseen, read, unseen, valueOf, type Reading } from './look';
import { rightsFinding, rightsOf, userOf, type Answered } from './rights';
import { SERVICE_ACCOUNTS } from '../setup/kinds';
import type { WholeApplication } from '../../model/spark-application';

/** Service accounts that are looked at. */
const MAX_ACCOUNTS = 20;

const YOURS = 'Your rights';

/** Whether the user may run applications in a namespace. */
export async function userFinding({ client, signal }: Pick<Examination, 'client' | 'signal'>, namespace: string): Promise<Finding> {
  const { USER_RULES } = await import('../../flags/permissions');
  const answers = await ownRights(client, rightsOf(USER_RULES, namespace), signal);
  if (isUnseen(answers)) return unseen(findingsOf(YOURS), `your own rights in ${namespace}`, answers);
  return rightsFinding({
    check: YOURS, who: 'you', where: `in ${namespace}`, what: 'run applications', severity: 'warning', remedy: `kubectl auth can-i --list -n ${namespace}`,
  }, valueOf(answers) ?? []);
}

/** Which drivers there are. */
export interface Drivers {
  /** Where `SparkOperator` makes a service account. */
  readonly jobNamespaces: readonly string[];
  readonly applications: readonly WholeApplication[];
  /** The command that installs what `SparkOperator` makes. */
  readonly install: string;
}

/** Whether the service accounts of drivers are there, and may what drivers do. */
export async function driverFindings({ client, signal }: Pick<Examination, 'client' | 'signal'>, { jobNamespaces, applications, install }: Drivers): Promise<Finding[]> {
  const { DRIVER_RULES } = await import('../../flags/permissions');
  const accounts = driverAccounts(jobNamespaces, applications).slice(0, MAX_ACCOUNTS);
  return Promise.all(accounts.map(async (account) => {
    const { namespace, name } = account;
    const looked = await read(client.get(SERVICE_ACCOUNTS, { namespace, name }, { signal }));
    const rights: Reading<readonly Answered[]> = isUnseen(looked) ? { kind: 'missing' } : await rightsOfOther(client, userOf(namespace, name), rightsOf(DRIVER_RULES, namespace), signal);
    return driverFinding(account, looked, rights, install);
  }));
}
