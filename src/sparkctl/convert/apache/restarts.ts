import { isObject } from '../../../model/is-object';
import type { OnNote } from '../specification';

/** Object of a manifest that nothing has checked. */
type Unchecked = Readonly<Record<string, unknown>>;

/** Fields that follow from `applicationTolerations`. */
export interface ConvertedTolerations {
  readonly restartPolicy?: Unchecked;
  readonly timeToLiveSeconds?: number;
  readonly isRestarted: boolean;
  /** Whether Pods of executors stay after the application's end. */
  readonly keepsExecutors: boolean;
}

const PATH = 'spec.applicationTolerations';
const RESTART = `${PATH}.restartConfig`;

/** Defaults of Apache's operator (RestartConfig). */
const DEFAULT_RESTARTS = 3;
const DEFAULT_BACKOFF = 30_000;
/** A limit that no application reaches, as Apache's examples write the largest integer. */
const UNLIMITED = 1_000_000;
const MAX_RETRIES = 2 ** 31 - 1;

/** Fields of `restartConfig` without a meaning unless the application is restarted. */
const OF_RESTARTS = [
  'maxRestartAttempts', 'restartBackoffMillis', 'maxRestartOnFailure', 'restartBackoffMillisForFailure', 'maxRestartOnSchedulingFailure',
  'restartBackoffMillisForSchedulingFailure',
];

/** Converts restarts and the end of an application. The table of fields has notes on the others. */
export function convertTolerations(tolerations: unknown, addNote: OnNote): ConvertedTolerations {
  const fields = isObject(tolerations) ? tolerations : {};
  const restartConfig = isObject(fields.restartConfig) ? fields.restartConfig : {};
  const restartPolicy = convertRestarts(restartConfig, addNote);
  const policy = fields.resourceRetainPolicy;
  if (policy === 'Never' || policy === 'OnFailure') {
    addNote(
      'note', `${PATH}.resourceRetainPolicy`,
      'is dropped: the driver\'s Pod and its log stay until the application is deleted; timeToLiveSeconds deletes both',
    );
  }
  const timeToLive = numberIn(fields, 'ttlAfterStopMillis', PATH, addNote);
  return {
    ...(restartPolicy && { restartPolicy }),
    ...(timeToLive !== undefined && timeToLive >= 0 && { timeToLiveSeconds: Math.ceil(timeToLive / 1000) }),
    isRestarted: restartPolicy !== undefined && restartPolicy.type !== 'Never',
    keepsExecutors: policy === 'Always',
  };
}

function convertRestarts(config: Unchecked, addNote: OnNote): Unchecked | undefined {
  const type = config.restartPolicy ?? 'Never';
  if (type === 'Never') {
    for (const field of OF_RESTARTS.filter((each) => config[each] !== undefined && config[each] !== null)) {
      addNote('note', `${RESTART}.${field}`, 'is dropped: it has no effect without restarts');
    }
    return config.restartPolicy === undefined ? undefined : { type };
  }
  const read = (field: string) => numberIn(config, field, RESTART, addNote);
  const most = read('maxRestartAttempts') ?? DEFAULT_RESTARTS;
  const [ofFailures, ofSubmissions] = [read('maxRestartOnFailure'), read('maxRestartOnSchedulingFailure')];
  const backoff = read('restartBackoffMillis') ?? DEFAULT_BACKOFF;
  const afterFailure = read('restartBackoffMillisForFailure') ?? backoff;
  const afterSubmission = read('restartBackoffMillisForSchedulingFailure') ?? afterFailure;
  const [interval, submissionInterval] = [seconds(afterFailure), seconds(afterSubmission)];
  const waits = {
    onFailureRetryInterval: interval, onSubmissionFailureRetryInterval: submissionInterval,
    // The delay starts at the end of an attempt and does not grow, as there.
    backoff: { type: 'Exponential', maxInterval: Math.max(interval, submissionInterval) },
  };
  if (interval !== submissionInterval) {
    const [first, last] = [Math.min(interval, submissionInterval), Math.max(interval, submissionInterval)];
    addNote(
      'warning', `${RESTART}.restartBackoffMillisForSchedulingFailure`,
      `differs from the other delay, but backoff.maxInterval applies to both: the delay of ${first} s doubles up to ${last} s`,
    );
  }
  const retries = retriesOf(most, ofFailures);
  const submissionRetries = retriesOf(most, ofSubmissions ?? ofFailures);
  switch (type) {
    case 'Always':
      if (Math.min(most, ofFailures ?? most) < UNLIMITED) {
        addNote(
          'warning', `${RESTART}.restartPolicy`,
          `is Always, which has no limit here, where Apache's operator stops after ${retries} restarts; write type: OnFailure to limit them`,
        );
      }
      if (backoff > 0) {
        addNote('warning', `${RESTART}.restartPolicy`, 'is Always, which restarts at once after a success; the delay is for failures');
      }
      return { type, ...waits };
    case 'OnFailure':
      return { type, onFailureRetries: retries, onSubmissionFailureRetries: submissionRetries, ...waits };
    case 'OnInfrastructureFailure':
      addNote(
        'warning', `${RESTART}.restartPolicy`,
        'becomes OnFailure for failed submissions, which include drivers that do not start; executors that do not start are no failure here',
      );
      return { type: 'OnFailure', onFailureRetries: 0, onSubmissionFailureRetries: submissionRetries, ...waits };
    default:
      addNote('error', `${RESTART}.restartPolicy`, 'is no policy of Apache\'s operator; write Never, Always, OnFailure or OnInfrastructureFailure');
      return undefined;
  }
}

function retriesOf(most: number, special: number | undefined): number {
  return Math.min(Math.max(Math.min(most, special ?? most), 0), MAX_RETRIES);
}

/** Returns milliseconds as whole seconds: at least one, as shorter delays are no delays. */
function seconds(milliseconds: number): number {
  return Math.max(Math.ceil(milliseconds / 1000), 1);
}

function numberIn(fields: Unchecked, name: string, path: string, addNote: OnNote): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  addNote('error', `${path}.${name}`, 'is not a whole number, so Apache\'s API server rejects it; write one');
  return undefined;
}
