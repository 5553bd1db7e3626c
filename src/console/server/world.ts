import { Feed } from './feed';
import { applicationRow, scheduleRow } from './rows';
import type { KubeClient } from '../../kube/client';
import type { Clock } from '../../kube/clock';
import type { Logger } from '../../kube/logger';
import type { KubeObject } from '../../kube/objects';
import { Reflector, type ListWatcher } from '../../kube/reflector';
import type { Resource } from '../../kube/resource';
import { Store } from '../../kube/store';
import { readToTheEnd } from '../../kube/unread-list';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS } from '../../model/resources';
import type { ScheduledSparkApplication, WholeSchedule } from '../../model/scheduled-spark-application';
import type { ApplicationRow } from '../wire';
import { boundedMetadata, shortMetadata } from '../../model/bounded-metadata';
import { isSmall, MAX_FACTS_BYTES } from '../../model/spec-facts';

/** Milliseconds between attempts at most: somebody is looking. */
const MAX_BACKOFF = 10_000;

/** What lasts less, in milliseconds, is no trouble: watches break as a matter of course, and are taken up again. */
const GRACE = 3_000;

/** A row as the store keeps it: of thousands of applications nothing else is. */
interface Kept<Row> extends KubeObject {
  readonly row: Row;
}

/** What is followed. */
export interface ClusterViewOptions {
  readonly client: KubeClient;
  /** @default - all */
  readonly namespaces?: readonly string[];
  readonly logger: Logger;
  readonly clock: Clock;
  /** Tells the feed of this process from others. */
  readonly epoch: string;
}

/** Follows applications and schedules, and keeps their rows. */
export class ClusterView {
  readonly feed: Feed;
  private readonly reflectors: readonly Reflector<any, any>[];
  private hasSynced = false;
  /** What fails, by what is followed. */
  private readonly troubles = new Map<string, { readonly error: Error; readonly since: number }>();
  /** What the specification of a schedule says of its times. */
  private readonly schedules: Store<ScheduledSparkApplication>;

  constructor(private readonly options: ClusterViewOptions) {
    this.feed = new Feed(options.epoch);
    const applications = new Store<Kept<ApplicationRow>>();
    this.schedules = new Store<ScheduledSparkApplication>();
    applications.subscribe(({ type, object }) => {
      if (type === 'deleted') this.feed.drop('applications', object.row);
      else this.feed.put('applications', object.row);
    });
    this.schedules.subscribe(({ type, object }) => {
      if (type === 'deleted') this.feed.drop('schedules', object.metadata);
      else this.feed.put('schedules', scheduleRow(object));
    });
    this.reflectors = [
      ...this.follow(SPARK_APPLICATIONS, applications, (object) => ({ metadata: bare(object), row: applicationRow(object) })),
      // Their times follow from the specification, and runs of a template are not shown.
      ...this.follow(SCHEDULED_SPARK_APPLICATIONS, this.schedules, shown),
    ];
  }

  start(): void {
    this.reflectors.forEach((reflector) => reflector.start());
    void Promise.all(this.reflectors.map((reflector) => reflector.hasSynced)).then(() => {
      this.hasSynced = true;
      this.feed.notify();
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.reflectors.map((reflector) => reflector.stop()));
  }

  /** Whether not all rows have been read yet. */
  get isLoading(): boolean {
    return !this.hasSynced;
  }

  /** Why the rows may be old, or not all there; undefined if all is well. */
  get trouble(): string | undefined {
    const now = this.options.clock.monotonic();
    return [...this.troubles.values()].find(({ since }) => now - since >= GRACE)?.error.message;
  }

  /** The schedule of this key. */
  schedule(key: string): ScheduledSparkApplication | undefined {
    return this.schedules.get(key);
  }

  private follow<T extends KubeObject, P extends KubeObject>(resource: Resource<T>, store: Store<P>, project: (object: T) => P): Reflector<T, P>[] {
    const { client, namespaces, logger, clock } = this.options;
    return (namespaces ?? [undefined]).map((namespace) => {
      const key = `${resource.plural}/${namespace ?? ''}`;
      const isWell = () => {
        if (this.troubles.delete(key)) this.feed.notify();
      };
      const listened: ListWatcher = {
        async openPage(...given) {
          const page = await client.openPage(...given);
          return { ...page, items: readToTheEnd(page.items, isWell) };
        },
        watch: (of, options, onEvent) => client.watch(of, {
          ...options,
          onActivity: () => {
            isWell();
            options.onActivity?.();
          },
        }, onEvent),
      };
      const onError = (error: Error) => {
        const { since } = this.troubles.get(key) ?? { since: clock.monotonic() };
        this.troubles.set(key, { error, since });
        const timer = clock.setTimeout(() => this.feed.notify(), GRACE);
        // It is no reason for a process to stay.
        (timer as Partial<NodeJS.Timeout>).unref?.();
      };
      return new Reflector<T, P>({ client: listened, resource, store, project, namespace, logger, clock, maxBackoff: MAX_BACKOFF, onError });
    });
  }
}

/**
 * Returns a schedule without the template of its runs, which is most of it and is not shown. The
 * rest has the bounds of the operator, so that a user cannot fill the memory.
 */
function shown({ metadata: all, spec: { template: _, ...spec }, ...others }: WholeSchedule): ScheduledSparkApplication {
  const metadata = boundedMetadata(all);
  if (isSmall({ spec, metadata }, MAX_FACTS_BYTES)) return { ...others, metadata, spec };
  const kept = isSmall(spec, MAX_FACTS_BYTES) ? spec : { schedule: '', suspend: spec.suspend };
  return { ...others, metadata: shortMetadata(metadata), spec: kept };
}

function bare({ metadata: { namespace, name, uid, resourceVersion } }: KubeObject): KubeObject['metadata'] {
  return { namespace, name, uid, resourceVersion };
}
