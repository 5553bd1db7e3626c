import { withoutSecrets } from '../../text/redaction';

/**
 * Maximum milliseconds until a retry after a failure of the operator's own webhook. Applications
 * then start within seconds once it is back, and the retries are rare enough for a JVM.
 */
export const WEBHOOK_RETRY = 10_000;

/**
 * Message about the operator's pod webhook for users, if the only known fact is that it does not
 * answer.
 */
export const WEBHOOK_AWAY = "the operator's webhook for pods, through which it has to go, does not answer. "
  + 'Check its Deployment, Service and endpoints: '
  + "kubectl -n <the operator's namespace> get deployments,services,endpointslices; it is tried again every few seconds";

/**
 * Names of the operator's own webhooks. Those for namespaces selected by label contain `-labelled`.
 * kubeflow's operator, installed by its chart, uses other names.
 */
const OWN = '(?:mutate|validate)-(?:pod|sparkapplication|scheduledsparkapplication|sparkconnect)(?:-labelled)?\\.sparkoperator\\.k8s\\.io';

/**
 * The API server's report of a webhook that it could not call, or whose answer it could not use
 * (k8s.io/apiserver, `webhookerrors.ErrCallingWebhook`).
 */
const FAILED = new RegExp(`failed calling webhook \\\\?"(${OWN})\\\\?": ?(?:failed to call webhook: )?(.*)`, 's');

/** The call, as Go's HTTP client reports it before the error. */
const CALL = /^Post \\?"https:\/\/([a-z0-9-]{1,63})\.([a-z0-9-]{1,63})\.svc(?::\d+)?\/[^"]*\\?": /;

/**
 * The webhook's answer to a review that is too large: the status that the API server reports, or
 * the text of the webhook.
 */
const TOO_LARGE = /status code 413|(?:bytes|values) is not read/;

/** Remedy for a review that is too large. */
export const SMALLER = 'move long values into a ConfigMap or Secret and mount it, or give what only the webhook can do up';

/** Mismatched certificates: the server's, or the CA in the webhook configuration. */
const CERTIFICATE = /x509|\btls\b|certificate/i;

/**
 * Returns the message for users if one of the operator's own webhooks could not be called, so that
 * an object was not created. It contains the cause and the objects to check. The problem ends once
 * the webhook is back.
 *
 * @returns undefined for all other errors, including refusals by a webhook
 */
export function webhookFailure({ status, serverMessage }: { readonly status: number; readonly serverMessage: string }): string | undefined {
  const match = FAILED.exec(serverMessage);
  if (!match || !isOfServer(status) || TOO_LARGE.test(match[2]!)) {
    return undefined;
  }
  const [, webhook, text] = match as unknown as [string, string, string];
  const [call, service, namespace] = CALL.exec(text) ?? [''];
  const cause = withoutSecrets(text.slice(call.length).replace(/\s+/g, ' ').trim()) || 'it does not answer';
  return `the operator's webhook ${webhook}, through which it has to go, cannot be called: ${cause}. `
    + `${whereToLook(cause, service, namespace)}; it is tried again every few seconds`;
}

/**
 * Whether one of the operator's own webhooks answered that an object is too large. A retry would
 * get the same answer.
 */
export function isTooLargeForWebhook({ status, serverMessage }: { readonly status: number; readonly serverMessage: string }): boolean {
  const match = FAILED.exec(serverMessage);
  return match !== null && isOfServer(status) && TOO_LARGE.test(match[2]!);
}

/**
 * Whether the operator's webhook was called, and reported itself why it cannot answer (a 500, whose
 * text the API server passes on). Examples are a missing permission or unusable defaults in one
 * namespace. Other pods are not affected.
 */
export function isOwnReason({ status, serverMessage }: { readonly status: number; readonly serverMessage: string }): boolean {
  const match = FAILED.exec(serverMessage);
  return match !== null && isOfServer(status) && /an error on the server \(/.test(match[2]!);
}

/** Whether the server is at fault. Spark's client reports 0 if it cannot read the status. */
function isOfServer(status: number): boolean {
  return status === 0 || status >= 500;
}

function whereToLook(cause: string, service: string | undefined, namespace: string | undefined): string {
  const inNamespace = namespace ? ` -n ${namespace}` : ' -n <the operator\'s namespace>';
  if (CERTIFICATE.test(cause)) {
    return 'Check its certificate and the caBundle of its configuration: '
      + `kubectl${inNamespace} get secrets; kubectl get mutatingwebhookconfigurations -o yaml`;
  }
  const describe = service ? `; kubectl${inNamespace} describe service ${service}` : '';
  return `Check its Deployment, Service and endpoints: kubectl${inNamespace} get deployments,services,endpointslices${describe}`;
}
