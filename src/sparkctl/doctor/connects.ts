import { actionOf, firstLine, MAX_STUCK, withoutOperator } from './applications';
import type { Examination } from './examination';
import { type Finding, findingsOf } from './finding';
import { isUnreadable, read, unreadable, valueOf, type Reading } from './reading';
import { titleOf } from '../output/title';
import { readConnectFacts } from '../list/facts';
import type { ReadNodes } from '../view/known';
import { knownConnect } from '../view/known-connect';
import { SparkConnectState } from '../../api/spark-connect-status';
import { explainConnect } from '../../explain/connect/explain';
import { connectStateTime, isConnectUnattended, type ObservedConnect } from '../../explain/connect/observed';
import { shortConnectReason } from '../../explain/connect/short-reason';
import { readNodes } from '../../model/nodes';
import { SPARK_CONNECTS } from '../../model/resources';
import { stateOf, type WholeConnect } from '../../model/spark-connect';
import { shortDuration } from '../../text/duration';

const findings = findingsOf('Spark Connect');

/** Milliseconds, by state, after which a server without a known reason is stuck. */
const STUCK_AFTER: Partial<Record<SparkConnectState, number>> = {
  [SparkConnectState.NEW]: 60_000,
  [SparkConnectState.PROVISIONING]: 600_000,
  [SparkConnectState.NOT_READY]: 600_000,
};

/**
 * Finds Spark Connect servers that do not start, have failed, or need attention otherwise.
 *
 * @param where such as `in jobs`
 * @param causes findings about pods; servers whose pods they name have no finding of their own
 * @returns nothing if no server is wanted
 */
export async function examineConnects(
  examination: Examination, reading: Reading<readonly WholeConnect[]>, where: string, causes: readonly Finding[] = [],
): Promise<Finding[]> {
  if (reading.kind === 'missing') return []; // the missing CRD has its own finding
  if (isUnreadable(reading)) return [unreadable(findings, `the SparkConnects ${where}`, reading)];
  const wanted = reading.value.filter((connect) => !connect.spec.suspend || stateOf(connect) !== SparkConnectState.SUSPENDED);
  if (wanted.length === 0) return [];
  const found = await read(problemsAmong(examination, wanted));
  if (isUnreadable(found)) return [unreadable(findings, `the pods of SparkConnects ${where}`, found)];
  const problems = valueOf(found) ?? [];
  if (problems.length === 0) return [findings.ok(`none of the ${wanted.length} SparkConnects ${where} needs attention`)];
  const unattended = problems.filter(isConnectUnattended);
  const stuck = problems.filter((observed) => !unattended.includes(observed) && !isNamed(observed, causes));
  const more = stuck.length - MAX_STUCK;
  return [
    ...withoutOperator(findings, SPARK_CONNECTS.kind, 'SparkConnect', where, unattended.map((observed) => ({
      metadata: observed.connect.metadata, operator: observed.operator, sentence: explainConnect(observed).sentence,
    }))),
    ...await detailed(examination, stuck.slice(0, MAX_STUCK)),
    ...(more > 0 ? [findings.warning(`and ${more} more SparkConnects ${where} need attention`, 'sparkctl list connects -A')] : []),
  ];
}

async function problemsAmong({ client, now, signal }: Examination, connects: readonly WholeConnect[]): Promise<ObservedConnect[]> {
  const problems: ObservedConnect[] = [];
  for (const namespace of new Set(connects.map(({ metadata }) => metadata.namespace))) {
    const own = connects.filter(({ metadata }) => metadata.namespace === namespace);
    const facts = await readConnectFacts(client, own, { namespace, now, signal });
    problems.push(...own.map((connect) => facts.observedConnect(connect, now)).filter(isStuck));
  }
  return problems;
}

/** Whether a server needs attention, or has been in a transient state for too long. */
function isStuck(observed: ObservedConnect): boolean {
  const { connect, now } = observed;
  const limit = STUCK_AFTER[stateOf(connect)];
  return shortConnectReason(observed).needsAttention || (limit !== undefined && now - sinceOf(connect) >= limit);
}

function sinceOf(connect: WholeConnect): number {
  return connectStateTime(connect) ?? Date.parse(connect.metadata.creationTimestamp ?? '');
}

/** Whether a finding is about the pod of a server. */
function isNamed({ connect: { metadata: { namespace, name } } }: ObservedConnect, causes: readonly Finding[]): boolean {
  return causes.some(({ level, connects }) => level === 'error' && connects?.includes(`${namespace}/${name}`));
}

/** Returns a finding for each server, with the facts about its pods. */
function detailed({ client, now, signal }: Examination, stuck: readonly ObservedConnect[]): Promise<Finding[]> {
  let reading: ReturnType<ReadNodes> | undefined;
  const nodes: ReadNodes = () => (reading ??= readNodes(client, signal));
  return Promise.all(stuck.map(async ({ connect }) => {
    const { namespace, name } = connect.metadata;
    const { sentence, remedy } = explainConnect(await knownConnect(client, connect, now, signal, nodes));
    const state = stateOf(connect);
    const since = state === SparkConnectState.READY ? '' : ` for ${shortDuration(now - sinceOf(connect))}`;
    return findings.about({ kind: SPARK_CONNECTS.kind, namespace, name }).warning(
      `${titleOf({ kind: SPARK_CONNECTS.kind, metadata: { namespace, name } })} ${state || 'NEW'}${since}: ${firstLine(sentence)}`,
      actionOf(remedy, `sparkctl status connect/${name} -n ${namespace}`),
    );
  }));
}
