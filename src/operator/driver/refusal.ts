import type { SubmissionFailure } from './submission-failure';
import { webhookHint } from './kubeflow-webhook';
import { isTooLargeForWebhook, SMALLER, webhookFailure, WEBHOOK_AWAY, WEBHOOK_RETRY } from '../admission/webhook-failure';
import type { ApiError } from '../../kube/errors';
import { withoutSecrets } from '../../text/redaction';
import type { SubmissionSettings } from '../../plan/settings';

/**
 * Returns the failure of an application if the API server rejects an object that it needs;
 * undefined for temporary rejections, such as an overload.
 *
 * @param object kind and name, for users
 */
export function refusalToCreate(error: ApiError, object: string, settings: SubmissionSettings): SubmissionFailure | undefined {
  const { serverMessage } = error;
  if (isTooLargeForWebhook(error)) {
    return {
      reason: `the API server does not create ${object}: it is too large for the operator's webhook for pods, through which it has to `
        + `go; ${SMALLER}`,
      kind: 'final',
      isRefusal: true,
    };
  }
  const failure = webhookFailure(error);
  if (failure) return ownWebhookAway(`the API server does not create ${object}: ${failure}`, settings);
  const kind = kindOf(error);
  const hint = webhookHint(serverMessage) ?? accountHint(serverMessage);
  if (!kind) return undefined;
  const reason = `the API server does not create ${object}: ${withoutSecrets(serverMessage)}${hint ? ` (${hint})` : ''}`;
  return { reason, kind, isRefusal: true };
}

/** Returns the remedy for a service account that does not exist. */
function accountHint(serverMessage: string): string | undefined {
  return /serviceaccount "[^"]*" not found/.test(serverMessage)
    ? 'create it with the permissions of a driver, or name another account'
    : undefined;
}

/**
 * Hint about the operator's webhook for pods, if the creation of a pod that it reviews takes long.
 */
export const WEBHOOK_SLOW = `${WEBHOOK_AWAY}. It can also be another webhook, such as one that adds a sidecar: kubectl get `
  + 'mutatingwebhookconfigurations';

/**
 * Returns the failure if the API server has not finished the creation of a pod, most likely because
 * the operator's webhook does not answer.
 */
export function noAnswerToCreate(object: string, settings: SubmissionSettings): SubmissionFailure {
  return ownWebhookAway(`the API server did not finish the creation of ${object} in time, most likely because ${WEBHOOK_SLOW}`, settings);
}

const DELETE_IT = 'Find it with kubectl get mutatingwebhookconfigurations -l app.kubernetes.io/part-of=spark-operator, and delete it with '
  + 'kubectl delete mutatingwebhookconfigurations NAME';

/**
 * Returns the failure if the operator's own webhook is unreachable. This is temporary; retries are
 * frequent, so that applications start soon after it.
 */
export function ownWebhookAway(reason: string, { podWebhook }: SubmissionSettings): SubmissionFailure {
  const hint = podWebhook
    ? ''
    : '; this operator runs without a webhook (--webhook=off): its configuration is an orphan, and also prevents the creation of '
      + `executors of running drivers. ${DELETE_IT}`;
  return { reason: `${reason}${hint}`, kind: 'passing', retryWithin: WEBHOOK_RETRY };
}

function kindOf({ status, serverMessage }: ApiError): SubmissionFailure['kind'] | undefined {
  switch (status) {
    case 400: case 413: case 422: return 'final'; // the object is invalid
    case 403: return /exceeded quota/.test(serverMessage) ? 'passing' : 'lasting'; // permissions, service accounts and admission can change
    case 404: return 'lasting'; // the namespace is being deleted
    case 500: return 'lasting'; // another admission webhook is unreachable
    default: return undefined;
  }
}
