import type { ServerResponse } from 'node:http';
import { namespaceOf, type IsVisible, type RowId, type RowKind } from './feed';
import { SECURITY_HEADERS, write } from './http';
import { LIST_APPLICATIONS, LIST_SCHEDULES, type Right, type Viewer } from './viewer';
import { RECHECK, whileAllowed } from './while-allowed';
import type { ClusterView } from './cluster-view';
import type { Unlisted, Update } from '../wire';
import { sleep, type Clock } from '../../kube/clock';

/** Milliseconds for which changes are coalesced into one message. */
export const COALESCE = 200;

/** Milliseconds between heartbeats. */
const HEARTBEAT = 15_000;

/**
 * Changed rows that are kept while a slow client reads; after more changes it receives all rows
 * again.
 */
const MAX_CHANGES = 5_000;

/**
 * Streams to one viewer all rows that they can see, then the changes, until they disconnect or lose
 * their permission. Each message is a line of JSON; an empty line is a heartbeat.
 */
export async function streamRows(
  view: ClusterView, viewer: Viewer, response: ServerResponse, clock: Clock, signal: AbortSignal,
): Promise<void> {
  const { feed } = view;
  response.writeHead(200, {
    ...SECURITY_HEADERS, 'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store',
    // Buffering proxies would delay the messages.
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  void whileAllowed(viewer, undefined, clock, signal, () => response.destroy());
  const sight = new VisibleNamespaces(viewer, view, clock);
  // Undefined if the next message has all rows.
  let changed: Set<RowId> | undefined;
  let change = new AbortController();
  const unsubscribe = feed.onChange((id) => {
    if (id !== undefined && changed && changed.add(id).size > MAX_CHANGES) changed = undefined;
    change.abort();
  });
  try {
    // A page keeps what an earlier stream sent, so that the first message has all of it.
    let last: Pick<Update, 'trouble' | 'loading' | 'noOperator' | 'unlisted'> = {};
    while (!signal.aborted) {
      // Both are read at one moment, before the permissions. A namespace that is missing in the
      // check below has no rows up to this moment. If nothing was loading then, the message is
      // complete.
      const [ids, loading] = [changed, view.isLoading || (viewer.session.readOnly && view.isRefused)];
      changed = new Set();
      change = new AbortController();
      const { sees, hasChanged } = await sight.refresh(ids);
      const state = { trouble: troubleFor(viewer, view), loading, noOperator: view.noOperator, unlisted: sight.unlisted };
      const changedState = {
        ...state.trouble !== last.trouble && { trouble: state.trouble },
        ...state.loading !== last.loading && { loading: state.loading },
        ...state.noOperator !== last.noOperator && { noOperator: state.noOperator },
        ...JSON.stringify(state.unlisted) !== JSON.stringify(last.unlisted) && { unlisted: state.unlisted },
      };
      last = state;
      for (const message of ids && !hasChanged ? [feed.changesOf(ids, sees)] : feed.snapshot(sees)) {
        const complete: Update = message.more ? message : { ...message, ...changedState };
        // Changes that the viewer cannot see are not even reported as an empty message.
        if (Object.keys(complete).length === 0) continue;
        if (!await write(response, `${JSON.stringify(complete)}\n`)) return;
      }
      await sleep(clock, HEARTBEAT, AbortSignal.any([change.signal, signal])).catch(() => {});
      if (change.signal.aborted) await sleep(clock, COALESCE, signal).catch(() => {});
      else if (!await write(response, '\n')) return;
    }
  } finally {
    unsubscribe();
  }
}

/**
 * Returns the problem of the connection to the cluster. The API server's error contains the
 * console's own call, so reviewed viewers get a general text.
 */
function troubleFor({ session }: Viewer, view: ClusterView): string {
  const trouble = view.troubleOf(!session.readOnly) ?? '';
  return trouble !== '' && session.readOnly ? 'the console cannot read from the API server; its log has details' : trouble;
}

/** Namespaces that were checked, and the visible ones of them by the kind of rows. */
type Visible = Readonly<Record<RowKind | 'checked', ReadonlySet<string>>>;

const NONE: ReadonlySet<string> = new Set();

/** Maximum number of concurrent permission reviews of one stream, which leaves room for others. */
const MAX_CONCURRENT_REVIEWS = 8;

/**
 * Namespaces that a viewer can see, kept current. A viewer without permission for all namespaces
 * needs one review for each. They are repeated every `RECHECK`. A namespace that appears in between
 * is reviewed alone.
 */
class VisibleNamespaces {
  private visible: Visible = { checked: NONE, applications: NONE, schedules: NONE };
  private recheckAt = -Infinity;
  private readonly everywhere = { applications: false, schedules: false };

  constructor(private readonly viewer: Viewer, private readonly view: ClusterView, private readonly clock: Clock) {}

  /** Where the viewer cannot list rows, by the last refresh. It has only configured namespaces. */
  get unlisted(): Unlisted {
    const { viewer, view, visible, everywhere } = this;
    if (!viewer.session.readOnly) return { applications: view.refusedIn('applications'), schedules: view.refusedIn('schedules') };
    const missing = (kind: RowKind) => (
      view.namespaces?.filter((namespace) => !visible[kind].has(namespace)) ?? (everywhere[kind] ? [] : ['*'])
    );
    return { applications: missing('applications'), schedules: missing('schedules') };
  }

  /**
   * Returns which rows the viewer can see, and whether that has changed for a namespace that was
   * checked before.
   *
   * @param changed rows whose namespaces must be checked; undefined for all rows
   */
  async refresh(changed?: ReadonlySet<RowId>): Promise<{ readonly sees: IsVisible; readonly hasChanged: boolean }> {
    // A viewer with their own kubeconfig can see everything that it could read.
    if (!this.viewer.session.readOnly) return { sees: () => true, hasChanged: false };
    const before = this.visible;
    const { feed, namespaces = [] } = this.view;
    const wanted = changed ? new Set([...changed].map(namespaceOf)) : feed.namespaces();
    if (this.clock.monotonic() >= this.recheckAt) {
      this.recheckAt = this.clock.monotonic() + RECHECK;
      // The namespace of a deleted row might have no other rows.
      this.visible = await this.review(new Set([...feed.namespaces(), ...wanted, ...namespaces]));
    } else {
      const added = new Set([...wanted].filter((namespace) => !before.checked.has(namespace)));
      if (added.size > 0) this.visible = union(before, await this.review(added));
    }
    const { visible } = this;
    const hasChanged = (['applications', 'schedules'] as const).some((kind) => [...visible.checked].some(
      (namespace) => before.checked.has(namespace) && before[kind].has(namespace) !== visible[kind].has(namespace),
    ));
    return { sees: (kind, namespace) => visible[kind].has(namespace), hasChanged };
  }

  private async review(checked: ReadonlySet<string>): Promise<Visible> {
    const [applications, schedules] = [
      await this.allowedOf('applications', LIST_APPLICATIONS, checked), await this.allowedOf('schedules', LIST_SCHEDULES, checked),
    ];
    return { checked, applications, schedules };
  }

  private async allowedOf(kind: RowKind, right: Right, namespaces: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    this.everywhere[kind] = await this.viewer.may(right);
    if (this.everywhere[kind]) return namespaces;
    const waiting = [...namespaces];
    const allowed = new Set<string>();
    const ask = async () => {
      for (let namespace = waiting.pop(); namespace !== undefined; namespace = waiting.pop()) {
        if (await this.viewer.may({ ...right, namespace })) allowed.add(namespace);
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_REVIEWS }, ask));
    return allowed;
  }
}

function union(a: Visible, b: Visible): Visible {
  return {
    checked: new Set([...a.checked, ...b.checked]),
    applications: new Set([...a.applications, ...b.applications]),
    schedules: new Set([...a.schedules, ...b.schedules]),
  };
}
