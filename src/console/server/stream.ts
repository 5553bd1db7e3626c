import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RowKind, Sees } from './feed';
import { SECURITY_HEADERS, write } from './http';
import { LIST_APPLICATIONS, LIST_SCHEDULES, type Right, type Viewer } from './viewer';
import { RECHECK, whileAllowed } from './while-allowed';
import type { ClusterView } from './world';
import type { Update } from '../wire';
import { sleep, type Clock } from '../../kube/clock';

/** Changes within this time, in milliseconds, are one message. */
export const GATHER = 200;

/** Milliseconds between signs of life. */
const HEARTBEAT = 15_000;

/** The event stream of one viewer: all rows that they may see, then what changes, until they go away or may not see it any more. */
export async function streamRows(world: ClusterView, viewer: Viewer, request: IncomingMessage, response: ServerResponse, clock: Clock, signal: AbortSignal): Promise<void> {
  const { feed } = world;
  response.writeHead(200, {
    ...SECURITY_HEADERS, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store',
    // Proxies that gather answers would keep them back for ever.
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  void whileAllowed(viewer, undefined, clock, signal, () => response.destroy());
  const sight = new Sight(viewer, clock);
  // What a reviewed viewer might see before the connection was lost is not known any more.
  let sequence = viewer.session.readOnly ? undefined : feed.resume(request.headers['last-event-id'] as string | undefined);
  let last: Pick<Update, 'trouble' | 'loading'> = {};
  while (!signal.aborted) {
    // Taken at one moment: a namespace that is not among these has no rows up to there, and if nothing was missing then, nothing is in what is sent.
    const [upTo, loading] = [feed.sequence, world.isLoading];
    const { sees, hasChanged } = await sight.look(feed.namespaces());
    if (hasChanged) sequence = undefined;
    const update = sequence === undefined ? undefined : feed.between(sequence, upTo, sees);
    const state = { trouble: troubleFor(viewer, world), loading };
    const told = { ...state.trouble !== last.trouble && { trouble: state.trouble }, ...state.loading !== last.loading && { loading: state.loading } };
    last = state;
    for (const message of update ? [update] : feed.snapshot(sees)) {
      const complete: Update = message.more ? message : { ...message, ...told };
      // What others may see is not even told to have changed.
      if (Object.keys(complete).length === 0) continue;
      const text = JSON.stringify(complete);
      // A place to resume at has only what is complete.
      if (!await write(response, message.more ? `data: ${text}\n\n` : `id: ${feed.placeOf(upTo)}\ndata: ${text}\n\n`)) return;
    }
    sequence = upTo;
    if (await changeWithin(world, upTo, clock, signal)) continue;
    if (!await write(response, ': still here\n\n')) return;
  }
}

/** The error of the API server names what the console asked for, which is not for those who may not ask for it. */
function troubleFor({ session }: Viewer, { trouble = '' }: ClusterView): string {
  return trouble !== '' && session.readOnly ? 'the API server does not answer the console as it should; its log has more' : trouble;
}

/** Namespaces by the kind of rows that may be seen of them. */
type Allowed = Readonly<Record<RowKind, ReadonlySet<string>>>;

/** Questions about rights that one stream asks at a time: those of others have their turn, too. */
const QUESTIONS_AT_ONCE = 8;

/**
 * What a viewer may see, as it changes. For a viewer who may not see all namespaces there is a question for each of them: they are asked every `RECHECK`, not with each change of a row, and in between
 * for namespaces that are new.
 */
class Sight {
  private allowed?: Allowed;
  private considered: ReadonlySet<string> = new Set();
  private recheckAt = -Infinity;

  constructor(private readonly viewer: Viewer, private readonly clock: Clock) {}

  /** Says which rows of these namespaces may be seen, and whether that has changed for one that was looked at before. */
  async look(namespaces: ReadonlySet<string>): Promise<{ readonly sees: Sees; readonly hasChanged: boolean }> {
    // Whoever works with their own rights sees what could be read with them.
    if (!this.viewer.session.readOnly) return { sees: () => true, hasChanged: false };
    const { allowed: before, considered } = this;
    const isDue = this.clock.monotonic() >= this.recheckAt;
    const known = isDue ? undefined : before;
    if (isDue) this.recheckAt = this.clock.monotonic() + RECHECK;
    const allowed: Allowed = known && [...namespaces].every((namespace) => considered.has(namespace)) ? known : {
      applications: await this.allowedOf(LIST_APPLICATIONS, namespaces, known?.applications),
      schedules: await this.allowedOf(LIST_SCHEDULES, namespaces, known?.schedules),
    };
    this.allowed = allowed;
    this.considered = namespaces;
    const kinds = Object.keys(allowed) as RowKind[];
    const hasChanged = before !== undefined && kinds.some((kind) => [...considered].some((namespace) => before[kind].has(namespace) !== allowed[kind].has(namespace)));
    return { sees: (kind, namespace) => allowed[kind].has(namespace), hasChanged };
  }

  /** @param known those that may be seen of the namespaces that were considered before */
  private async allowedOf(right: Right, namespaces: ReadonlySet<string>, known?: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    if (await this.viewer.may(right)) return namespaces;
    const waiting = [...namespaces].filter((namespace) => known === undefined || !this.considered.has(namespace));
    const allowed = new Set(known);
    const ask = async () => {
      for (let namespace = waiting.pop(); namespace !== undefined; namespace = waiting.pop()) {
        if (await this.viewer.may({ ...right, namespace })) allowed.add(namespace);
      }
    };
    await Promise.all(Array.from({ length: QUESTIONS_AT_ONCE }, ask));
    return allowed;
  }
}

/** Resolves to `true` a moment after something has changed since, to `false` when nothing has for a while. */
async function changeWithin({ feed }: ClusterView, seen: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const changed = new AbortController();
  const unsubscribe = feed.onChange(() => changed.abort());
  if (feed.sequence > seen) changed.abort();
  await sleep(clock, HEARTBEAT, AbortSignal.any([changed.signal, signal])).catch(() => {});
  unsubscribe();
  if (!changed.signal.aborted) return false;
  await sleep(clock, GATHER, signal).catch(() => {});
  return true;
}
