import type { Registry } from 'prom-client';
import { addFamily, type FamilyDescription, type Sample } from './family';
import type { LabelSets } from './label-sets';
import type { Series } from './series';
import type { MetricsSettings } from './settings';
import type { Snapshot } from './snapshot';

/**
 * A metric about applications or executors, with the name of kubeflow/spark-operator v2, so
 * dashboards and alerts work unchanged.
 */
interface Definition extends Pick<FamilyDescription, 'type' | 'help'> {
  readonly name: string;
  /** Returns the lines of a series; `name` has the prefix. */
  readonly samples: (series: Series, snapshot: Snapshot, name: string) => Iterable<Sample>;
}

const DEFINITIONS: readonly Definition[] = [
  counter('spark_application_count', 'New applications', (series) => series.created),
  counter('spark_application_submit_count', 'Attempts whose driver was created', (series) => series.submitted),
  counter(
    'spark_application_failed_submission_count', 'Attempts whose driver could not be created, those that are tried again as well',
    (series) => series.failedSubmissions,
  ),
  counter('spark_application_success_count', 'Applications that have completed', (series) => series.succeeded),
  counter('spark_application_failure_count', 'Applications that have failed for good', (series) => series.failed),
  gauge('spark_application_running_count', 'Applications in state RUNNING', (series, { running }) => running.get(series)),
  summary(
    'spark_application_success_execution_time_seconds',
    'Seconds from the start of the last attempt to the end of an application that has completed', (series) => series.successTime,
  ),
  summary(
    'spark_application_failure_execution_time_seconds',
    'Seconds from the start of the last attempt to the end of an application that has failed, if it was submitted',
    (series) => series.failureTime,
  ),
  summary(
    'spark_application_submit_latency_seconds', 'Seconds from the creation of an application to the creation of its first driver',
    (series) => series.submitLatency,
  ),
  histogram(
    'spark_application_submit_latency_seconds_histogram',
    'Seconds from the creation of an application to the creation of its first driver', (series) => series.submitLatency,
  ),
  summary(
    'spark_application_start_latency_seconds', 'Seconds from the creation of an application until its first driver runs',
    (series) => series.startLatency,
  ),
  histogram(
    'spark_application_start_latency_seconds_histogram', 'Seconds from the creation of an application until its first driver runs',
    (series) => series.startLatency,
  ),
  gauge('spark_executor_running_count', 'Executors whose pod is running', (series, { executors }) => executors.get(series)),
  counter(
    'spark_executor_success_count', 'Executors that have completed, those whose pods were deleted as well',
    (series) => series.executorsSucceeded,
  ),
  counter(
    'spark_executor_failure_count', 'Executors that have failed, those whose pods were deleted as well',
    (series) => series.executorsFailed,
  ),
];

/** Adds the metrics about applications and executors to a registry. */
export function addApplicationFamilies(
  registry: Registry, { prefix }: MetricsSettings, sets: LabelSets<Series>, snapshot: () => Snapshot,
): void {
  for (const definition of DEFINITIONS) {
    const name = `${prefix}${definition.name}`.replace(/-/g, '_');
    addFamily(registry, { ...definition, name, labelNames: sets.names }, () => {
      // First, as it creates series of namespaces and applications that have none.
      const now = snapshot();
      return sets.all().flatMap((series) => [...definition.samples(series, now, name)]);
    });
  }
}

type ValueOf = (series: Series, snapshot: Snapshot) => number | undefined;

function counter(name: string, help: string, valueOf: ValueOf): Definition {
  return { name, type: 'counter', help, samples: one(valueOf) };
}

function gauge(name: string, help: string, valueOf: ValueOf): Definition {
  return { name, type: 'gauge', help, samples: one(valueOf) };
}

function one(valueOf: ValueOf): Definition['samples'] {
  return (series, snapshot) => [{ sharedLabels: series.labels, value: valueOf(series, snapshot) ?? 0 }];
}

function summary(name: string, help: string, of: (series: Series) => Series['successTime']): Definition {
  return { name, type: 'summary', help, samples: (series, _, full) => of(series).summary(full, series.labels) };
}

function histogram(name: string, help: string, of: (series: Series) => Series['successTime']): Definition {
  return { name, type: 'histogram', help, samples: (series, _, full) => of(series).histogram(full, series.labels) };
}
