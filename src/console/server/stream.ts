import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RowKind, IsVisible } from './feed';
import { SECURITY_HEADERS, write } from './http';
import { LIST_APPLICATIONS, LIST_SCHEDULES, type Right, type Viewer } from './viewer';
import { RECHECK, whileAllowed } from './while-allowed';
import type { ClusterView } from './cluster-view';
import type { Update } from '../wire';
import { sleep, type Clock } from '../../kube/clock';

/** Milliseconds for which changes are coalesced into one message. */
export const COALESCE = 200;

/** Milliseconds between heartbeats. */
const HEARTBEAT = 15_000;

/**
 * Streams to one viewer all rows that they can see, then the changes, until they disconnect or lose
 * their permission.
 */
export async function streamRows(
  view: ClusterView, viewer: Viewer, request: IncomingMessage, response: ServerResponse, clock: Clock, signal: AbortSignal,
): Promise<void> {
  const { feed } = view;
  response.writeHead(200, {
    ...SECURITY_HEADERS, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store',
    // Buffering proxies would delay the messages.
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  void whileAllowed(viewer, undefined, clock, signal, () => response.destroy());
  const sight = new VisibleNamespaces(viewer, clock);
  // The server does not remember what a reviewed viewer could see before.
  let sequence = viewer.session.readOnly ? undefined : feed.resume(request.headers['last-event-id'] as string | undefined);
  let last: Pick<Update, 'trouble' | 'loading'> = {};
  while (!signal.aborted) {
    // Both are read at one moment, before the permissions. A namespace that is missing in the check
    // below has no rows up to this change. If nothing was loading then, the message is complete.
    const [upTo, loading] = [feed.sequence, view.isLoading];
    const { sees, hasChanged } = await sight.refresh(feed.namespaces());
    if (hasChanged) sequence = undefined;
    const update = sequence === undefined ? undefined : feed.between(sequence, upTo, sees);
    const state = { trouble: troubleFor(viewer, view), loading };
    const changed = {
      ...state.trouble !== last.trouble && { trouble: state.trouble },
      ...state.loading !== last.loading && { loading: state.loading },
    };
    last = state;
    for (const message of update ? [update] : feed.snapshot(sees)) {
      const complete: Update = message.more ? message : { ...message, ...changed };
      // Changes that the viewer cannot see are not even reported as an empty message.
      if (Object.keys(complete).length === 0) continue;
      const text = JSON.stringify(complete);
      // Only a complete message has an id, from which clients can resume.
      if (!await write(response, message.more ? `data: ${text}\n\n` : `id: ${feed.eventIdOf(upTo)}\ndata: ${text}\n\n`)) return;
    }
    sequence = upTo;
    if (await changeWithin(view, upTo, clock, signal)) continue;
    if (!await write(response, ': still here\n\n')) return;
  }
}

/**
 * Returns the problem of the connection to the cluster. The API server's error contains the
 * console's own call, so reviewed viewers get a general text.
 */
function troubleFor({ session }: Viewer, { trouble = '' }: ClusterView): string {
  return trouble !== '' && session.readOnly ? 'the console cannot read from the API server; its log has details' : trouble;
}

/** Visible namespaces by the kind of rows. */
type Visible = Readonly<Record<RowKind, ReadonlySet<string>>>;

/** Maximum number of concurrent permission reviews of one stream, which leaves room for others. */
const MAX_CONCURRENT_REVIEWS = 8;

/**
 * Namespaces that a viewer can see, kept current. A viewer without permission for all namespaces
 * needs one review for each. They are repeated every `RECHECK`, and in between only for new
 * namespaces.
 */
class VisibleNamespaces {
  private allowed?: Visible;
  private considered: ReadonlySet<string> = new Set();
  private recheckAt = -Infinity;

  constructor(private readonly viewer: Viewer, private readonly clock: Clock) {}

  /**
   * Returns which rows of these namespaces the viewer can see, and whether that has changed for a
   * namespace that was checked before.
   */
  async refresh(namespaces: ReadonlySet<string>): Promise<{ readonly sees: IsVisible; readonly hasChanged: boolean }> {
    // A viewer with their own kubeconfig can see everything that it could read.
    if (!this.viewer.session.readOnly) return { sees: () => true, hasChanged: false };
    const { allowed: before, considered } = this;
    const isDue = this.clock.monotonic() >= this.recheckAt;
    const known = isDue ? undefined : before;
    if (isDue) this.recheckAt = this.clock.monotonic() + RECHECK;
    const allowed: Visible = known && [...namespaces].every((namespace) => considered.has(namespace)) ? known : {
      applications: await this.allowedOf(LIST_APPLICATIONS, namespaces, known?.applications),
      schedules: await this.allowedOf(LIST_SCHEDULES, namespaces, known?.schedules),
    };
    this.allowed = allowed;
    this.considered = namespaces;
    const kinds = Object.keys(allowed) as RowKind[];
    const hasChanged = before !== undefined
      && kinds.some((kind) => [...considered].some((namespace) => before[kind].has(namespace) !== allowed[kind].has(namespace)));
    return { sees: (kind, namespace) => allowed[kind].has(namespace), hasChanged };
  }

  /** @param known visible ones of the namespaces that were checked before */
  private async allowedOf(right: Right, namespaces: ReadonlySet<string>, known?: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    if (await this.viewer.may(right)) return namespaces;
    const waiting = [...namespaces].filter((namespace) => known === undefined || !this.considered.has(namespace));
    const allowed = new Set(known);
    const ask = async () => {
      for (let namespace = waiting.pop(); namespace !== undefined; namespace = waiting.pop()) {
        if (await this.viewer.may({ ...right, namespace })) allowed.add(namespace);
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_REVIEWS }, ask));
    return allowed;
  }
}

/**
 * Resolves to `true` shortly after the next change, to `false` when nothing changes for a
 * heartbeat.
 */
async function changeWithin({ feed }: ClusterView, seen: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  const changed = new AbortController();
  const unsubscribe = feed.onChange(() => changed.abort());
  if (feed.sequence > seen) changed.abort();
  await sleep(clock, HEARTBEAT, AbortSignal.any([changed.signal, signal])).catch(() => {});
  unsubscribe();
  if (!changed.signal.aborted) return false;
  await sleep(clock, COALESCE, signal).catch(() => {});
  return true;
}
