import { spawn } from 'node:child_process';
import type { Configuration } from '../../flags/configuration';
import { systemClock } from '../../kube/clock';
import type { Call } from '../../kube/errors';
import { FairSemaphore } from '../../kube/fair-semaphore';
import type { Logger } from '../../kube/logger';
import { SparkSubmitter } from '../spark-application/spark-submitter';
import type { PreparedSubmission } from '../../plan/prepare';
import type { SubmissionReason } from '../../plan/native/reasons-against';
import { masterUrl } from '../../plan/spark-submit/arguments';
import { availableConcurrency, createSparkSubmitRunner } from './defaults';
import { hasHadoopConfiguration } from './environment';

/** Makes the submitter of a term. `onEnd` is told of the key of each application whose run has ended; `guard` is asked before each run, as spark-submit writes with a client of its own. */
export type NewSparkSubmitter = (onEnd: (key: string) => void, guard: (call: Call) => void) => SparkSubmitter;

/** spark-submit, if this image has it; only inside of a cluster, where it knows the API server. */
export async function findSparkSubmit(
  { sparkSubmit: { timeout, concurrency, folders, packages }, sparkUser }: Configuration, logger: Logger,
): Promise<NewSparkSubmitter | undefined> {
  const runner = createSparkSubmitRunner({
    environment: { ...process.env, SPARK_USER: sparkUser },
    timeout,
    spawn,
    logger,
    clock: systemClock,
  });
  const master = masterUrl(process.env);
  const available = master !== undefined && await runner.isAvailable();
  logger.info({ sparkSubmit: available }, available ? 'what cannot be submitted natively is submitted by spark-submit' : 'there is no spark-submit here, all applications are submitted natively');
  if (!available) return undefined;
  const permissions = { folders, packages, hadoop: hasHadoopConfiguration(process.env) };
  // One for all terms of the process.
  const turns = new FairSemaphore({ limit: concurrency ?? availableConcurrency() });
  return (onEnd, guard) => new SparkSubmitter({ runner, turns, master, permissions, onEnd, mayRun: () => guard({ verb: 'run', resource: 'spark-submit' }) });
}

/** Why spark-submit could not submit an application, for those who only want to know; undefined if there is no spark-submit. */
export function againstSparkSubmit(newSubmitter: NewSparkSubmitter | undefined): ((prepared: PreparedSubmission) => SubmissionReason[]) | undefined {
  const submitter = newSubmitter?.(() => {}, () => {});
  return submitter && ((prepared) => submitter.reasonsAgainst(prepared));
}
