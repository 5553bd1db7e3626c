import { belongingOf, inTheWay } from './belonging';
import type { SparkApplication } from '../../../model/spark-application';
import type { Performer } from './performer';
import type { Admittance } from './circuit-breaker';
import { isOwnReason, isTooLargeForWebhook, webhookFailure } from '../../admission/webhook-failure';
import { ensure as ensureObject } from '../../driver/ensure';
import { SubmissionFailedError } from '../../driver/submission-failure';
import { noAnswerToCreate, ownWebhookAway, WEBHOOK_SLOW } from '../../driver/refusal';
import { ApiError, NetworkError } from '../../../kube/errors';
import type { KubeObject } from '../../../kube/objects';
import type { Resource } from '../../../kube/resource';
import { PODS } from '../../../model/resources';
import type { PlannedSubmission } from '../../../plan/plan-application';
import { goesThroughWebhook } from '../../../plan/properties/improvements';

/** Dependencies of a creation. */
export type Creator = Pick<Performer, 'client' | 'submission' | 'circuitBreaker' | 'signal'>;

/**
 * Error for a submission that cannot continue now, because too many submissions wait for the
 * webhook. The application is requeued after that many milliseconds.
 */
export class Throttled extends Error {
  constructor(public readonly after: number) {
    super('too many wait for the operator\'s webhook');
  }
}

/**
 * Timeout for the creation of a pod that goes through the operator's webhook, in milliseconds. The
 * API server also calls other webhooks, such as one that adds a sidecar, and gives each up to 30 s.
 * It ends a creation after 34 s at the latest (`requestTimeoutUpperBound` of k8s.io/apiserver), and
 * reports that to a client that waits.
 */
const THROUGH_WEBHOOK_TIMEOUT = 36_000;

/** Creates an object, or finds the one that an earlier try of this submission created. */
export async function ensure<T extends KubeObject>(
  creator: Creator, application: SparkApplication, resource: Resource<T>, object: T,
): Promise<T> {
  return ensureObject(creator, resource, object, {
    belongingOf: (existing) => belongingOf(existing, application),
    inTheWay: (belonging) => ({
      reason: inTheWay(resource.kind, object.metadata.name, belonging), kind: belonging === 'foreign' ? 'final' : 'lasting',
    }),
  }, resource.kind === PODS.kind && goesThroughWebhook(object) ? () => createThroughWebhook(creator, resource, object) : undefined);
}

/**
 * Creates a pod that goes through the operator's webhook, and reports to the circuit breaker
 * whether the webhook answered.
 *
 * @throws SubmissionFailedError if the webhook is away, or the API server does not finish;
 * Throttled if too many wait already; errors of the call
 */
async function createThroughWebhook<T extends KubeObject>(
  { client, submission, circuitBreaker, signal }: Creator, resource: Resource<T>, object: T,
): Promise<T> {
  const created = await circuitBreaker.during(async () => {
    try {
      const pod = await client.create(resource, object, { signal, timeout: THROUGH_WEBHOOK_TIMEOUT });
      circuitBreaker.worked();
      return { pod };
    } catch (error) {
      if (error instanceof ApiError) {
        const failure = webhookFailure(error);
        if (hasAnswered(error)) circuitBreaker.worked();
        else if (failure) circuitBreaker.failed(failure);
      }
      if (!isWithoutAnswer(error)) throw error;
      circuitBreaker.failed(WEBHOOK_SLOW);
      throw new SubmissionFailedError(noAnswerToCreate(`${resource.kind} ${object.metadata.name}`, submission));
    }
  }, WEBHOOK_SLOW);
  if ('pod' in created) return created.pod;
  throw notAdmitted(created, submission);
}

/**
 * Whether the webhook has answered, even with a refusal. The API server returns these refusals
 * after it has called mutating webhooks, or one of the webhooks returns them.
 */
function hasAnswered(error: ApiError): boolean {
  return [403, 409, 422].includes(error.status) || isTooLargeForWebhook(error) || isOwnReason(error);
}

/** Whether the API server has not answered, or has answered that it did not finish. */
function isWithoutAnswer(error: unknown): boolean {
  return (error instanceof NetworkError && error.code === 'TIMEOUT') || (error instanceof ApiError && error.status === 504);
}

/**
 * Confirms that the operator can submit an application now, before it creates objects that it would
 * have to delete again.
 *
 * @throws SubmissionFailedError if the driver needs the operator's webhook, which is known to be
 * away; Throttled if too many wait for it
 */
export function confirmSubmittable({ circuitBreaker, submission: settings }: Creator, submission: PlannedSubmission): void {
  const driver = submission.kind === 'native' ? submission.objects.driver : submission.objects.driverTemplate;
  const admittance = goesThroughWebhook(driver) ? circuitBreaker.admittance() : undefined;
  if (admittance && admittance.kind !== 'go') throw notAdmitted(admittance, settings);
}

/** Returns the reason why the operator creates nothing that has to go through its webhook. */
function notAdmitted(
  admittance: Exclude<Admittance, { kind: 'go' }>, submission: Creator['submission'],
): SubmissionFailedError | Throttled {
  return admittance.kind === 'later'
    ? new Throttled(admittance.after)
    : new SubmissionFailedError(ownWebhookAway(`the driver is not created: ${admittance.failure}`, submission));
}
