import type { Registry } from 'prom-client';
import { counter, histogram } from './counted';
import type { Count, SkipReason } from '../kinds/scheduled-spark-application/decision';
import type { Trigger } from '../../model/scheduled-spark-application';

const TRIGGERS: readonly Trigger[] = ['schedule', 'catch-up', 'run-now'];
const REASONS: readonly SkipReason[] = ['forbidden', 'deadline', 'missed', 'superseded', 'name-taken'];

/**
 * Adds the metrics of runs of ScheduledSparkApplications to a registry. Returns a function that
 * counts the outcomes of runs of a namespace.
 */
export function countRuns(registry: Registry): (namespace: string, count: Count) => void {
  const byTrigger = { labelNames: ['namespace', 'trigger'], initial: TRIGGERS.map((trigger) => ({ trigger })) };
  const started = counter(registry, {
    name: 'spark_operator_scheduled_runs_started_total',
    help: 'Started runs of ScheduledSparkApplications, by trigger',
    ...byTrigger,
  });
  const skipped = counter(registry, {
    name: 'spark_operator_scheduled_runs_skipped_total',
    help: 'Skipped runs of ScheduledSparkApplications, by reason',
    labelNames: ['namespace', 'reason'],
    initial: REASONS.map((reason) => ({ reason })),
  });
  const notStarted = counter(registry, {
    name: 'spark_operator_scheduled_runs_not_started_total',
    help: 'Failed attempts to create a run of a ScheduledSparkApplication, by trigger',
    ...byTrigger,
  });
  const lateness = histogram(registry, [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600, 21600, 86400], {
    name: 'spark_operator_scheduled_run_lateness_seconds',
    help: 'Seconds after its time at which a run of a ScheduledSparkApplication was created',
  });
  return (namespace, count) => {
    // Creates all series at the first run, so that the first skipped run is an increase.
    started.add({ namespace, trigger: 'schedule' }, 0);
    skipped.add({ namespace, reason: 'missed' }, 0);
    notStarted.add({ namespace, trigger: 'schedule' }, 0);
    if (count.kind === 'not-started') {
      notStarted.add({ namespace, trigger: count.trigger });
      return;
    }
    if (count.kind === 'skipped') {
      skipped.add({ namespace, reason: count.reason }, count.runs);
      return;
    }
    started.add({ namespace, trigger: count.trigger });
    if (count.lateness !== undefined) lateness.observe({}, count.lateness);
  };
}
