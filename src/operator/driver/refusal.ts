import type { SubmissionFailure } from './hindrance';
import { webhookHint } from './kubeflow-webhook';
import { isTooLargeForWebhook, SMALLER, webhookFailure, WEBHOOK_AWAY, WEBHOOK_RETRY } from '../admission/webhook-failure';
import type { ApiError } from '../../kube/errors';
import { withoutSecrets } from '../../text/redaction';
import type { SubmissionSettings } from '../../plan/settings';

/**
 * What it means for an application that the API server does not create an object which it needs; undefined for refusals of a moment, such as an overload.
 *
 * @param object kind and name, for users
 */
export function refusalToCreate(error: ApiError, object: string, settings: SubmissionSettings): SubmissionFailure | undefined {
  const { serverMessage } = error;
  if (isTooLargeForWebhook(error)) return { reason: `the API server does not create ${object}: it is too large for the operator's webhook for pods, through which it has to go; ${SMALLER}`, kind: 'final' };
  const failure = webhookFailure(error);
  if (failure) return ownWebhookAway(`the API server does not create ${object}: ${failure}`, settings);
  const kind = kindOf(error);
  const hint = webhookHint(serverMessage);
  return kind && { reason: `the API server does not create ${object}: ${withoutSecrets(serverMessage)}${hint ? ` (${hint})` : ''}`, kind };
}

/** What users are told of the operator's webhook for pods, if a pod takes long to be created that goes through it. */
export const WEBHOOK_SLOW = `${WEBHOOK_AWAY}. It can also be another webhook, such as one that adds a sidecar: kubectl get mutatingwebhookconfigurations`;

/** The API server has not come to an end with the creation of a pod for which it asks the operator's webhook, most likely because that does not answer. */
export function noAnswerToCreate(object: string, settings: SubmissionSettings): SubmissionFailure {
  return ownWebhookAway(`the API server has not come to an end in its time with the creation of ${object}, most likely because ${WEBHOOK_SLOW}`, settings);
}

const DELETE_IT = 'Find it with kubectl get mutatingwebhookconfigurations, where it is called spark-operator-<namespace of the operator> unless a flag says otherwise, and delete it with kubectl delete mutatingwebhookconfigurations NAME';

/** The operator's own webhook cannot be called. That passes, and is looked at often, so that applications begin soon after. */
export function ownWebhookAway(reason: string, { podWebhook }: SubmissionSettings): SubmissionFailure {
  const hint = podWebhook ? '' : `; this operator runs without a webhook (--webhook=off): its configuration is left over, and keeps executors of drivers that run from being created, too. ${DELETE_IT}`;
  return { reason: `${reason}${hint}`, kind: 'passing', retryWithin: WEBHOOK_RETRY };
}

function kindOf({ status, serverMessage }: ApiError): SubmissionFailure['kind'] | undefined {
  switch (status) {
    case 400: case 413: case 422: return 'final'; // the object is wrong, and will be
    case 403: return /exceeded quota/.test(serverMessage) ? 'passing' : 'lasting'; // rights, service accounts, admission: they may come
    case 404: return 'lasting'; // the namespace is going
    case 500: return 'lasting'; // somebody else's admission webhook that is out of reach
    default: return undefined;
  }
}
