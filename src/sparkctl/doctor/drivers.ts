import { type Finding, findingsOf } from './finding';
import { isUnseen, unseen, type Reading } from './look';
import { rightsFinding, type Answered } from './rights';
import { DRIVER_SERVICE_ACCOUNT } from '../../api/labels';
import type { KubeObject } from '../../kube/objects';
import type { WholeApplication } from '../../model/spark-application';

const CHECK = 'Service accounts';
const findings = findingsOf(CHECK);

/** A service account of drivers. */
export interface DriverAccount {
  readonly namespace: string;
  readonly name: string;
  /** Whether `SparkOperator` makes it. */
  readonly isOwn: boolean;
}

/** The accounts that drivers have: in each job namespace that of `SparkOperator`, and those that applications name. */
export function driverAccounts(jobNamespaces: readonly string[], applications: readonly WholeApplication[]): DriverAccount[] {
  const accounts = [
    ...jobNamespaces.map((namespace) => ({ namespace, name: DRIVER_SERVICE_ACCOUNT, isOwn: true })),
    ...applications.map(({ metadata: { namespace }, spec }) => ({ namespace, name: spec.driver?.serviceAccount || 'default', isOwn: false })),
  ];
  const known = new Set<string>();
  return accounts.filter(({ namespace, name }) => !known.has(`${namespace}/${name}`) && known.add(`${namespace}/${name}`));
}

/**
 * Whether a service account of drivers is there, and may what drivers do.
 *
 * @param rights the rights of its name, which can be bound without it
 * @param install the command that repairs the rights of an account that `SparkOperator` makes
 */
export function driverFinding({ namespace, name, isOwn }: DriverAccount, looked: Reading<KubeObject>, rights: Reading<readonly Answered[]>, install: string): Finding {
  const title = `ServiceAccount ${namespace}/${name}`;
  const bind = `kubectl create rolebinding ${name}-driver -n ${namespace} --role=spark-driver --serviceaccount=${namespace}:${name}`;
  if (looked.kind === 'missing') {
    // A binding outlives the account that it names, and a second one of that name would be refused.
    const isBound = isOwn || (rights.kind === 'found' && rights.value.every(({ isAllowed }) => isAllowed));
    return findings.error(`there is no ${title}, which drivers run as`, `kubectl create serviceaccount ${name} -n ${namespace}${isBound ? '' : ` && ${bind}`}`);
  }
  if (isUnseen(looked)) return unseen(findings, `the ${title}`, looked);
  if (isUnseen(rights)) return unseen(findings, `what ${title} may`, rights);
  return rightsFinding({
    check: CHECK, who: title, where: `in ${namespace}`, what: 'do all that a driver does', severity: 'error', remedy: isOwn ? install : bind,
  }, rights.kind === 'found' ? rights.value : []);
}
