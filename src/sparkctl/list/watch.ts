import { NO_FACTS, readFactsOf, withoutPods, type FactsClient, type ListFacts } from './facts';
import { needsAttention, selected, type ListFilter } from './filter';
import { inOrder } from './order';
import { changedLines } from './changed-lines';
import { listLines, type ListTableOptions } from './table';
import type { Context } from '../command';
import { Interrupted } from '../errors';
import { KINDS, type KindName } from '../target';
import { MAX_TIMEOUT, sleep, systemClock, type Clock } from '../../kube/clock';
import { toError } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import type { ListWatcher } from '../../kube/reflector';
import { follow } from '../../model/actions/follow';
import type { WholeApplication } from '../../model/spark-application';
import type { WholeConnect } from '../../model/spark-connect';
import { painter } from '../../text/colours';
import { printable } from '../../text/printable';
import { cut } from '../../text/table';

/**
 * Milliseconds after a change until it is shown, in which further changes are collected: each time,
 * facts are read.
 */
const COALESCE = 1_000;

/** Milliseconds after which facts are read again, and times are shown anew. */
export const REFRESH = 5_000;

/** Scope of a watched list. */
export interface WatchScope {
  readonly kind: KindName;
  /** @default - all namespaces */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly filter: ListFilter;
  /** Whether there is a column with the whole reasons. */
  readonly wide: boolean;
  /** Message for an empty list. */
  readonly none: string;
}

/**
 * Shows a list and its changes until the signal is aborted. A terminal shows the current list;
 * elsewhere each changed row is printed as a line.
 *
 * @throws {Interrupted} when the signal is aborted, or the error of the first list
 */
export async function watchList(
  client: ListWatcher & FactsClient, scope: WatchScope, context: Pick<Context, 'io' | 'terminal' | 'signal'>, clock: Clock = systemClock,
): Promise<never> {
  const { kind, namespace, labelSelector } = scope;
  const ended = new AbortController();
  const signal = AbortSignal.any([context.signal, ended.signal]);
  const objects = new Map<string, KubeObject>();
  let change = new AbortController();
  let trouble: string | undefined;
  let failure: Error | undefined;
  let isSynced = false;
  const onTrouble = (error: Error | undefined) => {
    // Without a first list there is nothing to show: it fails like a list without --watch.
    if (!isSynced) failure ??= error;
    trouble = error?.message;
    change.abort();
  };
  const following = (async () => {
    for await (const event of follow<KubeObject>(client, KINDS[kind], { namespace, labelSelector }, { signal, clock, onTrouble })) {
      if (event.type === 'deleted') objects.delete(keyOf(event.object));
      else if (event.type !== 'synced') objects.set(keyOf(event.object), event.object);
      if (event.type === 'synced') isSynced = true;
      change.abort();
    }
  })().catch((error: unknown) => {
    failure = toError(error);
    change.abort();
  });
  let facts = NO_FACTS;
  const show = context.terminal.isTerminal ? redrawn(scope, context) : printed(scope, context);
  try {
    for (;;) {
      await sleep(clock, isSynced ? REFRESH : MAX_TIMEOUT, AbortSignal.any([change.signal, signal])).catch(() => {});
      if (!context.signal.aborted && !failure) await sleep(clock, COALESCE, signal).catch(() => {});
      if (context.signal.aborted) throw new Interrupted('the applications continue in the cluster');
      if (failure) throw failure;
      change = new AbortController();
      if (!isSynced) continue;
      const all = [...objects.values()];
      const now = clock.now();
      let problem = trouble === undefined ? undefined : troubleText(trouble);
      // Without a connection, the previous facts are shown: the watch reconnects by itself.
      facts = await readFactsOf(client, kind, all, { namespace, now, signal }).catch((error: unknown) => {
        problem ??= troubleText(toError(error).message);
        return facts;
      });
      if (scope.filter.needsAttention && facts.isWithoutPods) problem ??= withoutPods(namespace);
      if (signal.aborted) continue;
      show(inOrder(selected(all, kind, scope.filter, facts, now)), facts, now, problem);
    }
  } finally {
    ended.abort();
    await following;
  }
}

type Show = (objects: readonly KubeObject[], facts: ListFacts, now: number, problem: string | undefined) => void;

function optionsOf({ wide, namespace }: WatchScope, { terminal }: Pick<Context, 'terminal'>, facts: ListFacts, now: number): ListTableOptions {
  const observe = (application: WholeApplication) => facts.observed(application, now);
  const observeConnect = (connect: WholeConnect) => facts.observedConnect(connect, now);
  const isEverywhere = namespace === undefined;
  const { operatorOf } = facts;
  return { now, paint: painter(terminal), wide, observe, observeConnect, operatorOf, isEverywhere, isUnicode: terminal.isUnicode };
}

/** Draws the list over the previous one. It has no more lines than the window. */
function redrawn(scope: WatchScope, context: Pick<Context, 'io' | 'terminal'>): Show {
  const { io, terminal } = context;
  const paint = painter(terminal);
  let drawn = 0;
  return (objects, facts, now, problem) => {
    const notes = problem === undefined ? [] : [paint(problem, 'yellow')];
    // The cursor is in the line below the list, and one line is for the number of hidden rows.
    const most = Math.max((terminal.rows ?? Infinity) - notes.length - 3, 1);
    const shown = mostImportant(objects, most, (object) => needsAttention(object, scope.kind, facts, now));
    const hidden = objects.length - shown.length;
    const options = { ...optionsOf(scope, context, facts, now), isCut: true };
    const lines = [
      ...(objects.length === 0 ? [scope.none] : listLines(scope.kind, shown, options, terminal.columns)),
      ...(hidden > 0 ? [paint(`and ${hidden} more`, 'dim')] : []), ...notes,
    ];
    // A line that wraps could not be redrawn.
    io.stdout(`${drawn > 0 ? `\x1b[${drawn}A\x1b[0J` : ''}${lines.map((line) => `${cut(line, terminal.columns)}\n`).join('')}`);
    drawn = lines.length;
  };
}

/** Selects the objects for which there is room: important ones first, then the newest. */
function mostImportant(objects: readonly KubeObject[], most: number, isImportant: (object: KubeObject) => boolean): readonly KubeObject[] {
  if (objects.length <= most) return objects;
  const important = objects.filter(isImportant);
  const kept = new Set([...objects.filter((object) => !important.includes(object)), ...important].slice(-most));
  return objects.filter((object) => kept.has(object));
}

/** Prints the list, then a line for each row that changes other than by its age. */
function printed(scope: WatchScope, context: Pick<Context, 'io' | 'terminal'>): Show {
  const changed = changedLines(scope.kind);
  let reported: string | undefined;
  return (objects, facts, now, problem) => {
    if (problem !== undefined && problem !== reported) context.io.stderr(`${problem}\n`);
    reported = problem;
    const lines = changed(objects, optionsOf(scope, context, facts, now));
    if (lines.length > 0) context.io.stdout(`${lines.join('\n')}\n`);
  };
}

function troubleText(trouble: string): string {
  return `no connection: ${printable(trouble.split('\n', 1)[0]!)}; retrying`;
}

function keyOf({ metadata: { uid, namespace, name } }: KubeObject): string {
  return uid ?? `${namespace}/${name}`;
}
