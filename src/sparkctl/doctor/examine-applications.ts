import { applicationFindings, isStuck, MAX_STUCK } from './applications';
import type { Examination } from './examination';
import { type Finding, findingsOf } from './finding';
import { isUnreadable, read, unreadable, valueOf, type Reading } from './reading';
import { readFacts } from '../list/facts';
import { knownOf, type ReadNodes } from '../view/known';
import { ApplicationState } from '../../api/states';
import type { ObservedApplication } from '../../explain/explain';
import { giveUpText } from '../../explain/give-up';
import { isUnattended } from '../../explain/unattended';
import { readNodes } from '../../model/nodes';
import { PODS } from '../../model/resources';
import { isBeginning, stateOf, type WholeApplication } from '../../model/spark-application';

/**
 * Finds stuck applications, and when their operators give up on them.
 *
 * @param where such as `in jobs`
 * @param causes findings that can explain why a driver does not start; such applications have no
 * finding of their own
 * @returns also the causes
 */
export async function examineApplications(
  examination: Examination, reading: Reading<readonly WholeApplication[]>, where: string, causes: readonly Finding[] = [],
): Promise<Finding[]> {
  const found = await read(stuckAmong(examination, valueOf(reading) ?? [], causes));
  if (isUnreadable(found)) return [...causes, unreadable(findingsOf('Applications'), `the pods of applications ${where}`, found)];
  const { stuck, count, unattended, explained } = valueOf(found) ?? { stuck: [], count: 0, unattended: [], explained: new Map() };
  const isOnlyExplained = explained.size > 0 && stuck.length === 0 && unattended.length === 0;
  return [
    ...causes.map((cause) => withGiveUp(cause, explained.get(cause), examination.now)),
    ...(isOnlyExplained ? [] : applicationFindings(reading, where, stuck, count, unattended)),
  ];
}

function withGiveUp(cause: Finding, application: WholeApplication | undefined, now: number): Finding {
  const giveUp = application && giveUpText({ application }, now);
  return giveUp === undefined ? cause : { ...cause, message: `${cause.message.replace(/\.$/, '')}; ${giveUp}` };
}

/** Stuck applications. */
interface Stuck {
  /** The first of those that an operator handles. */
  readonly stuck: readonly ObservedApplication[];
  /** Number of all that an operator handles. */
  readonly count: number;
  readonly unattended: readonly ObservedApplication[];
  /** The application of each cause on which its operator gives up first. */
  readonly explained: ReadonlyMap<Finding, WholeApplication>;
}

async function stuckAmong(
  examination: Examination, applications: readonly WholeApplication[], causes: readonly Finding[],
): Promise<Stuck> {
  const { client, now, signal } = examination;
  const all: WholeApplication[] = [];
  const explained = new Map<Finding, WholeApplication>();
  const unattended: ObservedApplication[] = [];
  for (const namespace of new Set(applications.map(({ metadata }) => metadata.namespace))) {
    const own = applications.filter(({ metadata }) => metadata.namespace === namespace);
    const facts = await readFacts(client, own, { namespace, now, signal });
    for (const observed of own.map((application) => facts.observed(application, now)).filter(isStuck)) {
      const cause = causeOf(observed.application, causes);
      if (isUnattended(observed.application, observed.operator, now)) unattended.push(observed);
      else if (!cause) all.push(observed.application);
      else explained.set(cause, firstGivenUp(explained.get(cause), observed.application));
    }
  }
  let reading: ReturnType<ReadNodes> | undefined;
  const nodes: ReadNodes = () => (reading ??= readNodes(client, signal));
  const stuck = await Promise.all(all.slice(0, MAX_STUCK).map((application) => knownOf(client, application, now, signal, nodes)));
  return { stuck, count: all.length, unattended, explained };
}

function firstGivenUp(one: WholeApplication | undefined, other: WholeApplication): WholeApplication {
  const deadline = ({ status }: WholeApplication) => Date.parse(status?.startDeadlineTime ?? '') || Infinity;
  return one === undefined || deadline(other) < deadline(one) ? other : one;
}

/** Returns the error that keeps the driver of an application from starting. */
function causeOf(application: WholeApplication, causes: readonly Finding[]): Finding | undefined {
  const { namespace, name } = application.metadata;
  const isCreated = stateOf(application) === ApplicationState.SUBMITTED;
  if (!isBeginning(application) && !isCreated) return undefined;
  // A pod that exists has had its account, and one that does not exist waits for no image.
  return causes.find(({ level, applications, object }) => (
    level === 'error' && (object?.kind === PODS.kind) === isCreated && applications?.includes(`${namespace}/${name}`)
  ));
}
