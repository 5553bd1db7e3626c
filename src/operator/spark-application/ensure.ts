import { belongingOf, inTheWay } from './belonging';
import type { Hindrance } from './decision';
import type { SparkApplication } from './model';
import type { Performer } from './perform';
import { noAnswerToCreate, refusalToCreate } from './refusal';
import { webhookFailure, WEBHOOK_AWAY } from '../admission/webhook-failure';
import { ApiError, isAlreadyExists, NetworkError } from '../kube/errors';
import type { KubeObject } from '../kube/objects';
import type { Resource } from '../kube/resource';
import { PERSISTENT_VOLUME_CLAIMS, PODS } from '../resources';
import { goesThroughWebhook } from '../submission/improvements';

/** What a creation needs from outside. */
type Creator = Pick<Performer, 'client' | 'submission' | 'webhookGate' | 'signal'>;

/** A submission cannot go on, for now or for good: why, and what it means for the application. */
export class Hindered extends Error {
  public readonly hindrance: Hindrance;

  constructor(hindrance: Hindrance) {
    super(hindrance.reason);
    this.hindrance = hindrance;
  }
}

/**
 * Milliseconds that the creation of a pod may take for which the API server asks the webhook, whatever time the configuration gives that (`podTimeout`). A little more than by default, so
 * that the API server can say what went wrong.
 */
const THROUGH_WEBHOOK_TIMEOUT = 9_000;

/** Creates an object, or finds the one that an earlier try of this submission created. */
export async function ensure<T extends KubeObject>(creator: Creator, application: SparkApplication, resource: Resource<T>, object: T): Promise<T> {
  const { client, submission, webhookGate, signal } = creator;
  const isThroughWebhook = resource.kind === PODS.kind && goesThroughWebhook(object);
  try {
    const created = await client.create(resource, object, { signal, ...(isThroughWebhook && { timeout: THROUGH_WEBHOOK_TIMEOUT }) });
    if (isThroughWebhook) webhookGate.worked();
    return created;
  } catch (error) {
    if (isThroughWebhook) {
      const failure = error instanceof ApiError ? webhookFailure(error) : undefined;
      if (failure) webhookGate.failed(failure);
      // All other refusals come after mutating webhooks have been asked, or from one that has answered.
      else if (error instanceof ApiError && (error.status === 403 || error.status === 422)) webhookGate.worked();
      if (error instanceof NetworkError && error.code === 'TIMEOUT') {
        webhookGate.failed(WEBHOOK_AWAY);
        throw new Hindered(noAnswerToCreate(`${resource.kind} ${object.metadata.name}`, THROUGH_WEBHOOK_TIMEOUT, submission));
      }
    }
    if (isAlreadyExists(error)) {
      // Which the API server finds out after it has asked all webhooks.
      if (isThroughWebhook) webhookGate.worked();
      const existing = await client.get(resource, { namespace: object.metadata.namespace, name: object.metadata.name }, { signal });
      const belonging = belongingOf(existing, application);
      // A claim of the user's is used as it is: its data is what matters. It stays somebody else's.
      if (belonging === 'ours' || (resource.kind === PERSISTENT_VOLUME_CLAIMS.kind && belonging === 'foreign')) return existing;
      throw new Hindered({ reason: inTheWay(resource.kind, object.metadata.name, belonging), kind: belonging === 'foreign' ? 'final' : 'lasting' });
    }
    const hindrance = error instanceof ApiError ? refusalToCreate(error, `${resource.kind} ${object.metadata.name}`, submission) : undefined;
    throw hindrance ? new Hindered(hindrance) : error;
  }
}
