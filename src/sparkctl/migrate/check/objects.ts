import { DEVIATIONS, type MigratedObject } from './deviations';
import { grouped } from './grouped';
import { type Finding, findingsOf, type FoundObject } from '../../doctor/finding';
import { listed } from '../../doctor/listed';
import { isUnreadable, read, unreadable } from '../../doctor/reading';
import { findingsOf as problemsOf } from '../../manifests/findings';
import { definitionOf } from '../../manifests/kinds';
import type { KindName } from '../../target';
import type { PropsPart } from '../values/translation';
import { apiVersionOf } from '../../../api/kind';
import { ApplicationState, isTerminal } from '../../../api/states';
import type { KubeClient } from '../../../kube/client';
import type { KubeObject } from '../../../kube/objects';

/** Object as the API server returns it. */
type ListedObject = MigratedObject & KubeObject;

const KIND_NAMES: readonly KindName[] = ['application', 'schedule', 'connect'];

/** Objects of a cluster by kind, and what was found about them. */
export interface ObjectReport {
  readonly objects: Readonly<Record<KindName, readonly MigratedObject[]>>;
  readonly findings: readonly Finding[];
  /** Whether all of them could be listed. */
  readonly isComplete: boolean;
}

/** Scope of a check of objects. */
export interface ObjectScope {
  /** Namespaces to check. @default - all */
  readonly namespaces?: readonly string[];
  /** Props of the new operator. */
  readonly props: PropsPart;
}

/** Checks all objects of our kinds: which ones would be rejected, and which ones would change. */
export async function examineObjects(
  client: Pick<KubeClient, 'list'>, { namespaces, props }: ObjectScope, signal: AbortSignal,
): Promise<ObjectReport> {
  const objects: Record<KindName, MigratedObject[]> = { application: [], schedule: [], connect: [] };
  const findings: Finding[] = [];
  let isComplete = true;
  for (const name of KIND_NAMES) {
    const { kind, plural } = definitionOf(name);
    const check = findingsOf(`${kind}s`);
    let isKnown = true;
    for (const namespace of namespaces ?? [undefined]) {
      const reading = await read(listed<ListedObject>(client, { ...definitionOf(name), namespaced: true }, { namespace }, signal));
      const where = namespace === undefined ? 'of all namespaces' : `in ${namespace}`;
      if (isUnreadable(reading)) {
        isKnown = false;
        findings.push(unreadable(check, `the ${plural} ${where}`, reading));
      }
      if (reading.kind === 'found') objects[name].push(...reading.value.filter(({ metadata }) => metadata.deletionTimestamp === undefined));
    }
    const own = objects[name].flatMap((object) => findingsAbout(object, name, props));
    findings.push(...own, ...summaryOf(objects[name], name, own));
    isComplete &&= isKnown;
    if (isKnown && objects[name].length === 0) findings.push(check.ok('there are none'));
  }
  return { objects, findings, isComplete };
}

/** Reports what would be rejected or change about an object. */
export function findingsAbout(object: MigratedObject, name: KindName, props: PropsPart): Finding[] {
  const definition = definitionOf(name);
  const { kind } = definition;
  const about: FoundObject = { kind, namespace: object.metadata.namespace ?? '', name: object.metadata.name };
  const findings = findingsOf(`${kind}s`).about(about);
  const title = `${about.namespace}/${about.name}`;
  const hasEnded = name === 'application' && isTerminal(stateOf(object));
  const problems = problemsOf({ ...object, apiVersion: apiVersionOf(definition), kind }, name);
  return [
    ...problems.map(({ severity, message }) => (severity === 'warning'
      ? findings.warning(`${title}: ${message}`)
      : hasEnded
        ? findings.warning(`${title} has ended and stays, but would be rejected if it was applied again: ${message}`)
        : findings.error(`${title} would be rejected: ${message}`, `sparkctl edit ${about.name} -n ${about.namespace}`))),
    // An object that is over does not change any more.
    ...DEVIATIONS
      .filter((each) => !hasEnded && each.kind === name && each.concerns(object) && props[each.prop ?? ''] === undefined)
      .map(({ message, remedy }) => findings.warning(`${title} ${message}`, remedy)),
  ];
}

/** Counts the objects that stay as they are, by state. */
function summaryOf(objects: readonly MigratedObject[], name: KindName, findings: readonly Finding[]): Finding[] {
  const { kind } = definitionOf(name);
  const check = findingsOf(`${kind}s`);
  const rejected = new Set(findings.filter(({ level, object }) => level === 'error' && object?.kind === kind).map(({ object }) => keyOf(object!)));
  const states = grouped(objects.filter(({ metadata }) => !rejected.has(keyOf(metadata))), (object) => effectOn(object, name));
  return [...states].map(([effect, each]) => check.ok(`${each.length} of ${objects.length}: ${effect}`));
}

function keyOf({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

function stateOf({ status }: MigratedObject): ApplicationState {
  return status?.applicationState?.state || ApplicationState.NEW;
}

/** Describes what happens to an object at the change, as docs/migrate/details.md has it. */
function effectOn(object: MigratedObject, name: KindName): string {
  if (name === 'schedule') return 'the next runs begin as planned; names of runs end in seconds in place of nanoseconds';
  if (name === 'connect') return 'the server keeps running, until its specification changes';
  switch (stateOf(object)) {
    case ApplicationState.NEW: return 'new: is submitted once this operator handles its namespace';
    case ApplicationState.COMPLETED:
    case ApplicationState.FAILED: return 'has ended: stays, and its time to live continues';
    case ApplicationState.SUSPENDED: return 'suspended: stays suspended';
    case ApplicationState.SUBMITTED:
    case ApplicationState.RUNNING:
    case ApplicationState.UNKNOWN: return 'runs: driver and executors are not touched, and are followed to their end';
    case ApplicationState.INVALIDATING:
    case ApplicationState.SUSPENDING: return 'is being stopped: its driver is deleted';
    default: return 'between attempts: continues by its restart policy, with the attempts counted so far';
  }
}
