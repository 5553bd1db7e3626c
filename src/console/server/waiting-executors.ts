import { truncate } from './truncate';
import { LABEL_APP_NAME, LABEL_SPARK_ROLE } from '../../api/labels';
import { ApplicationState } from '../../api/states';
import { executorsReason } from '../../explain/short-reason';
import type { KubeClient } from '../../kube/client';
import { sleep, type Clock } from '../../kube/clock';
import { toError } from '../../kube/errors';
import type { Logger } from '../../kube/logger';
import { isOwnPod } from '../../model/own-pod';
import { viewOf, type PodView } from '../../model/pod-view';
import { PODS } from '../../model/resources';
import type { ApplicationRow } from '../wire';

/** Milliseconds between two lists of pending pods. */
export const LIST_PERIOD = 10_000;

/** Maximum length of a reason, in characters. */
const MAX_TEXT = 300;

/** Options of `WaitingExecutors`. */
export interface WaitingExecutorsOptions {
  readonly client: Pick<KubeClient, 'list'>;
  /** @default - all */
  readonly namespaces?: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns the current rows. */
  readonly rows: () => readonly ApplicationRow[];
  /** Called for an application whose reason changes. */
  readonly onChange: (row: ApplicationRow) => void;
}

/**
 * Reasons why executors do not start, by their pods: the status has no reason. It lists pending
 * pods regularly, as long as an application has pending executors.
 */
export class WaitingExecutors {
  /** Reasons by the uid of the application. */
  private reasons: ReadonlyMap<string, string> = new Map();
  private readonly ended = new AbortController();

  constructor(private readonly options: WaitingExecutorsOptions) {}

  /** Lists pending pods until `stop`. */
  async run(): Promise<void> {
    const { clock, logger } = this.options;
    const { signal } = this.ended;
    while (!signal.aborted) {
      await this.check().catch((error: unknown) => {
        if (!signal.aborted) logger.debug({ err: toError(error) }, 'the console cannot list pending pods');
      });
      await sleep(clock, LIST_PERIOD, signal).catch(() => {});
    }
  }

  stop(): void {
    this.ended.abort();
  }

  /** Returns a row with the reason why its executors do not start, if there is one. */
  withReason(row: ApplicationRow): ApplicationRow {
    const reason = hasPending(row) ? this.reasons.get(row.uid) : undefined;
    if (reason === undefined) return row;
    // It has no need to become slow any more.
    const { slow: _, ...others } = row;
    return { ...others, shortReason: reason, attention: true };
  }

  private async check(): Promise<void> {
    const { clock, rows, onChange } = this.options;
    const pods = rows().some(hasPending) ? await this.pendingPods() : new Map<string, readonly PodView[]>();
    const before = this.reasons;
    const reasons = new Map<string, string>();
    const changed: ApplicationRow[] = [];
    for (const row of rows()) {
      const own = (pods.get(`${row.namespace}/${row.name}`) ?? []).filter((pod) => isOwnPod(pod, { metadata: row }));
      const text = executorsReason(own, undefined, 0, false, clock.now())?.text;
      if (text !== undefined) reasons.set(row.uid, truncate(text, MAX_TEXT));
      if (reasons.get(row.uid) !== before.get(row.uid)) changed.push(row);
    }
    this.reasons = reasons;
    changed.forEach(onChange);
  }

  /** Lists pending executors by the key of their application. */
  private async pendingPods(): Promise<ReadonlyMap<string, readonly PodView[]>> {
    const { client, namespaces = [undefined] } = this.options;
    const found = new Map<string, PodView[]>();
    const selection = { labelSelector: `${LABEL_SPARK_ROLE}=executor`, fieldSelector: 'status.phase=Pending', signal: this.ended.signal };
    for (const namespace of namespaces) {
      for await (const pod of client.list(PODS, { ...selection, namespace })) {
        const key = `${pod.metadata.namespace}/${pod.metadata.labels?.[LABEL_APP_NAME]}`;
        const own = found.get(key);
        if (own) own.push(viewOf(pod));
        else found.set(key, [viewOf(pod)]);
      }
    }
    return found;
  }
}

function hasPending({ state, executors }: ApplicationRow): boolean {
  return state === ApplicationState.RUNNING && executors !== undefined && executors.pending > 0;
}
