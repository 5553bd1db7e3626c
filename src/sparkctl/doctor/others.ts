import { type Finding, findingsOf } from './finding';
import { isUnreadable, unreadable, type Reading } from './reading';
import { isOtherOperator, selectionOfOther, type Installation } from '../setup/installation';
import type { Deployment } from '../setup/objects';
import { overlapOf } from '../setup/scope';
import { shortDuration } from '../../text/duration';
import type { SparkApplication } from '../../model/spark-application';
import { statusWriters } from '../../model/status-writers';

const findings = findingsOf('Other operators');

/** Reference to the migration guide. */
const GUIDE = 'see docs/migrate/from-kubeflow.md';

const DISJOINT = 'give each operator namespaces of its own (jobNamespaces, or namespaceSelector with different values of one label): see '
  + 'docs/operate/scaling.md';

/**
 * Checks whether kubeflow's operator acts on the same applications.
 *
 * @param own operators of this package
 */
export function otherOperatorFindings(reading: Reading<readonly Deployment[]>, own: readonly Installation[]): Finding[] {
  if (isUnreadable(reading)) {
    return [unreadable(findings, 'the Deployments of all namespaces, which can include another operator', reading)];
  }
  const others = reading.kind === 'found' ? reading.value.filter(isOtherOperator) : [];
  if (others.length === 0) return [findings.ok("no other operator of these kinds, such as kubeflow's, is installed")];
  return others.map((other) => coexistenceFinding(other, own));
}

function coexistenceFinding(other: Deployment, own: readonly Installation[]): Finding {
  const { metadata: { namespace, name }, spec: { replicas = 1 }, status: { readyReplicas = 0 } = {} } = other;
  const title = `kubeflow's operator (Deployment ${namespace}/${name})`;
  if (replicas === 0) return findings.ok(`${title} is installed, but scaled to no replicas`);
  if (own.length === 0) return findings.warning(`${title} is running, and this one is not installed`, GUIDE);
  const theirs = selectionOfOther(other);
  const overlaps = own.map(({ selection }) => (theirs === undefined ? undefined : overlapOf(selection, theirs)));
  if (overlaps.every((overlap) => overlap?.kind === 'none')) return findings.ok(`${title} runs at the same time, in other namespaces`);
  const stop = `kubectl scale deployment -n ${namespace} ${name} --replicas=0   # ${GUIDE}`;
  if (readyReplicas === 0) return findings.warning(`${title} is installed, and none of its replicas is ready: it starts when one is`, stop);
  const sure = overlaps.find((overlap) => overlap?.kind === 'sure');
  if (sure) return findings.error(`${title} runs at the same time: both act on the applications of ${sure.where}`, stop);
  const why = theirs === undefined
    ? 'its command line does not show which ones it watches'
    : 'labels of namespaces decide which ones they watch';
  return findings.warning(
    `${title} runs at the same time; if they watch the same namespaces, both act on the same applications: ${why}`, stop,
  );
}

/** Reports pairs of operators of this package that act on the same applications. */
export function overlapFindings(own: readonly Installation[]): Finding[] {
  const pairs = own.flatMap((one, index) => own.slice(index + 1).map((other) => [one, other] as const));
  const overlaps = pairs.flatMap(([one, other]) => overlapFinding(one, other) ?? []);
  if (pairs.length === 0 || overlaps.length > 0) return overlaps;
  return [findings.ok(`the ${own.length} operators of this package act on different namespaces`)];
}

function overlapFinding(one: Installation, other: Installation): Finding | undefined {
  const overlap = overlapOf(one.selection, other.selection);
  const titles = [one, other].map(({ namespace, name }) => `${namespace}/${name}`).join(' and ');
  if (overlap.kind === 'sure') return findings.error(`the operators ${titles} both act on the applications of ${overlap.where}`, DISJOINT);
  if (overlap.kind === 'none') return undefined;
  return findings.warning(`the operators ${titles} both act on the applications of a namespace that both select: labels of namespaces `
    + 'decide whether there is one', DISJOINT);
}

/** Field manager of kubeflow's operator. */
const OTHER_FIELD_MANAGER = 'spark-operator';

/** Milliseconds; earlier writes can be from an operator that has been replaced. */
const RECENT = 600_000;

/**
 * Checks whether kubeflow's operator writes to applications, wherever it runs.
 *
 * @param now milliseconds since 1970
 */
export function otherWriterFindings(applications: readonly SparkApplication[], now: number): Finding[] {
  const written = applications.flatMap(({ metadata }) => statusWriters(metadata)
    .filter(({ manager, time }) => manager === OTHER_FIELD_MANAGER && now - time <= RECENT)
    .map(({ time }) => ({ name: `${metadata.namespace}/${metadata.name}`, time })));
  const [last, ...others] = written.sort((a, b) => b.time - a.time);
  if (!last) return [];
  const more = new Set(others.map(({ name }) => name).filter((name) => name !== last.name)).size;
  return [findings.warning(
    `kubeflow's operator has written the status of SparkApplication ${last.name} ${shortDuration(now - last.time)} ago, `
      + `and of ${more} more applications in the last 10 minutes`,
    GUIDE,
  )];
}
