import { applicationFindings, isStuck, MAX_STUCK, type StuckApplication } from './applications';
import type { Examination } from './examination';
import { type Finding, findingsOf } from './finding';
import { isUnreadable, read, unreadable, valueOf, type Reading } from './reading';
import { readFacts } from '../list/facts';
import { handles, type Installation } from '../setup/installation';
import { giveUpOf } from '../view/give-up';
import { knownOf, type ReadNodes } from '../view/known';
import { ApplicationState } from '../../api/states';
import type { ObservedApplication } from '../../explain/explain';
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
  examination: Examination, reading: Reading<readonly WholeApplication[]>, installations: readonly Installation[], where: string,
  causes: readonly Finding[] = [],
): Promise<Finding[]> {
  const found = await read(stuckAmong(examination, valueOf(reading) ?? [], installations, causes));
  if (isUnreadable(found)) return [...causes, unreadable(findingsOf('Applications'), `the pods of applications ${where}`, found)];
  const { stuck, count, unattended, explained } = valueOf(found) ?? { stuck: [], count: 0, unattended: [], explained: new Map() };
  const isOnlyExplained = explained.size > 0 && stuck.length === 0 && unattended.length === 0;
  return [
    ...causes.map((cause) => withGiveUp(cause, explained.get(cause)?.giveUp)),
    ...(isOnlyExplained ? [] : applicationFindings(reading, where, stuck, count, unattended)),
  ];
}

function withGiveUp(cause: Finding, giveUp: string | undefined): Finding {
  return giveUp === undefined ? cause : { ...cause, message: `${cause.message.replace(/\.$/, '')}; ${giveUp}` };
}

/** Stuck applications. */
interface Stuck {
  /** The first of those that an operator handles. */
  readonly stuck: readonly StuckApplication[];
  /** Number of all that an operator handles. */
  readonly count: number;
  readonly unattended: readonly ObservedApplication[];
  /** The application of each cause that has waited longest: its operator gives up on it first. */
  readonly explained: ReadonlyMap<Finding, StuckApplication>;
}

async function stuckAmong(
  examination: Examination, applications: readonly WholeApplication[], installations: readonly Installation[], causes: readonly Finding[],
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
      else explained.set(cause, longestWaiting(explained.get(cause), observed.application));
    }
  }
  let reading: ReturnType<ReadNodes> | undefined;
  const nodes: ReadNodes = () => (reading ??= readNodes(client, signal));
  const known = async (application: WholeApplication): Promise<StuckApplication> => {
    const observed = await knownOf(client, application, now, signal, nodes);
    const operator = operatorOf(application.metadata.namespace, installations);
    const giveUp = operator && await giveUpOf(client, observed, operator, signal);
    return { observed, ...(giveUp !== undefined && { giveUp }) };
  };
  const stuck = await Promise.all(all.slice(0, MAX_STUCK).map(known));
  const firsts = await Promise.all([...explained].map(async ([cause, application]) => [cause, await known(application)] as const));
  return { stuck, count: all.length, unattended, explained: new Map(firsts) };
}

function longestWaiting(one: WholeApplication | undefined, other: WholeApplication): WholeApplication {
  const begin = ({ status }: WholeApplication) => Date.parse(status?.lastSubmissionAttemptTime ?? '');
  return one === undefined || begin(other) < begin(one) ? other : one;
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

/** Returns the operator of a namespace: one that names it before one that selects it by labels. */
function operatorOf(namespace: string, installations: readonly Installation[]): Installation | undefined {
  const possible = installations.filter((each) => handles(each, namespace) !== false);
  return possible.find((each) => handles(each, namespace)) ?? possible[0];
}
