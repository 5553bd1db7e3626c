import { applicationFindings, isStuck, MAX_STUCK, type StuckApplication } from './applications';
import type { Examination } from './examination';
import { type Finding, findingsOf } from './finding';
import { isUnreadable, read, unreadable, valueOf, type Reading } from './reading';
import { readFacts } from '../list/facts';
import { handles, startTimeoutOf, type Installation } from '../setup/installation';
import { knownOf, type ReadNodes } from '../view/known';
import { giveUpText } from '../../explain/give-up';
import type { ObservedApplication } from '../../explain/explain';
import { isUnattended } from '../../explain/unattended';
import { LEASES } from '../../kube/lease';
import { readNodes } from '../../model/nodes';
import type { WholeApplication } from '../../model/spark-application';

/**
 * Finds stuck applications, and when their operators give up on them.
 *
 * @param where such as `in jobs`
 */
export async function examineApplications(
  examination: Examination, reading: Reading<readonly WholeApplication[]>, installations: readonly Installation[], where: string,
): Promise<Finding[]> {
  const found = await read(stuckAmong(examination, valueOf(reading) ?? [], installations));
  if (isUnreadable(found)) return [unreadable(findingsOf('Applications'), `the pods of applications ${where}`, found)];
  const { stuck, count, unattended } = valueOf(found) ?? { stuck: [], count: 0, unattended: [] };
  return applicationFindings(reading, where, stuck, count, unattended);
}

/** Stuck applications. */
interface Stuck {
  /** The first of those that an operator handles. */
  readonly stuck: readonly StuckApplication[];
  /** Number of all that an operator handles. */
  readonly count: number;
  readonly unattended: readonly ObservedApplication[];
}

async function stuckAmong(
  examination: Examination, applications: readonly WholeApplication[], installations: readonly Installation[],
): Promise<Stuck> {
  const { client, now, signal } = examination;
  const all: WholeApplication[] = [];
  const unattended: ObservedApplication[] = [];
  for (const namespace of new Set(applications.map(({ metadata }) => metadata.namespace))) {
    const own = applications.filter(({ metadata }) => metadata.namespace === namespace);
    const facts = await readFacts(client, own, { namespace, now, signal });
    for (const observed of own.map((application) => facts.observed(application, now)).filter(isStuck)) {
      if (isUnattended(observed.application, observed.operator, now)) unattended.push(observed);
      else all.push(observed.application);
    }
  }
  let reading: ReturnType<ReadNodes> | undefined;
  const nodes: ReadNodes = () => (reading ??= readNodes(client, signal));
  const stuck = await Promise.all(all.slice(0, MAX_STUCK).map(async (application): Promise<StuckApplication> => {
    const observed = await knownOf(client, application, now, signal, nodes);
    const giveUp = await giveUpOf(examination, observed, installations);
    return { observed, ...(giveUp !== undefined && { giveUp }) };
  }));
  return { stuck, count: all.length, unattended };
}

async function giveUpOf(
  { client, now, signal }: Examination, { application, driver, operator }: ObservedApplication, installations: readonly Installation[],
): Promise<string | undefined> {
  const { namespace } = application.metadata;
  const possible = installations.filter((each) => handles(each, namespace) !== false);
  const installation = possible.find((each) => handles(each, namespace)) ?? possible[0];
  if (!installation || operator?.isActive === false) return undefined;
  const { lease: name } = installation;
  const lease = name === undefined ? undefined : await read(client.get(LEASES, { namespace: installation.namespace, name }, { signal }));
  const operatorSince = Date.parse((lease && valueOf(lease)?.spec?.acquireTime) ?? '');
  return giveUpText({
    application, driver, now, startTimeout: startTimeoutOf(installation), ...(operatorSince <= now && { operatorSince }),
  });
}
