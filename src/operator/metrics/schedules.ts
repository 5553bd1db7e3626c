import type { Registry } from 'prom-client';
import { Distribution } from './distribution';
import { addFamily } from './family';
import { namespaceLabel } from './namespaces';
import type { Count, SkipReason } from '../kinds/scheduled-spark-application/decision';
import type { Trigger } from '../../model/scheduled-spark-application';

const STARTED = 'spark_operator_scheduled_runs_started_total';
const SKIPPED = 'spark_operator_scheduled_runs_skipped_total';
const NOT_STARTED = 'spark_operator_scheduled_runs_not_started_total';
const LATENESS = 'spark_operator_scheduled_run_lateness_seconds';

const TRIGGERS: readonly Trigger[] = ['schedule', 'catch-up', 'run-now'];
const REASONS: readonly SkipReason[] = ['forbidden', 'deadline', 'missed', 'superseded', 'name-taken'];

/** Metrics of runs of ScheduledSparkApplications. */
export class ScheduleMetrics {
  private readonly started = new Counts(TRIGGERS);
  private readonly skipped = new Counts(REASONS);
  private readonly notStarted = new Counts(TRIGGERS);
  private readonly lateness = new Distribution([0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600, 21600, 86400]);

  /** Adds the families to a registry. */
  addTo(registry: Registry): void {
    addFamily(registry, {
      name: STARTED, type: 'counter', help: 'Runs of ScheduledSparkApplications that were started, by what for',
      labelNames: ['namespace', 'trigger'],
    },
    () => this.started.samples('trigger'));
    addFamily(registry, {
      name: SKIPPED, type: 'counter', help: 'Runs of ScheduledSparkApplications that were skipped, by the reason',
      labelNames: ['namespace', 'reason'],
    },
    () => this.skipped.samples('reason'));
    addFamily(registry, {
      name: NOT_STARTED, type: 'counter',
      help: 'Tries to create a run of a ScheduledSparkApplication that were refused, by what for',
      labelNames: ['namespace', 'trigger'],
    },
    () => this.notStarted.samples('trigger'));
    addFamily(registry, {
      name: LATENESS, type: 'histogram', help: 'Seconds after its time at which a run of a ScheduledSparkApplication was created',
    }, () => this.lateness.histogram(LATENESS));
  }

  /** Counts the outcomes of runs of a namespace. */
  onCount(namespace: string, count: Count): void {
    // Creates all series at the first run, so that the first skipped run is an increase.
    this.started.add(namespace, 'schedule', 0);
    this.skipped.add(namespace, 'missed', 0);
    this.notStarted.add(namespace, 'schedule', 0);
    if (count.kind === 'not-started') {
      this.notStarted.add(namespace, count.trigger, 1);
      return;
    }
    if (count.kind === 'skipped') {
      this.skipped.add(namespace, count.reason, count.runs);
      return;
    }
    this.started.add(namespace, count.trigger, 1);
    if (count.lateness !== undefined) this.lateness.observe(count.lateness);
  }
}

/** Counts by namespace and another label with known values. */
class Counts {
  private readonly byNamespace = new Map<string, Map<string, number>>();

  constructor(private readonly values: readonly string[]) {}

  add(namespace: string, value: string, more: number): void {
    const name = namespaceLabel(this.byNamespace, namespace);
    let counts = this.byNamespace.get(name);
    if (!counts) this.byNamespace.set(name, counts = new Map(this.values.map((each) => [each, 0])));
    counts.set(value, counts.get(value)! + more);
  }

  samples(label: string) {
    return [...this.byNamespace].flatMap(([namespace, counts]) => [...counts].map(([value, number]) => ({
      labels: { namespace, [label]: value }, value: number,
    })));
  }
}
