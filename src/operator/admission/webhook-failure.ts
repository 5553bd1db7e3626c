import { withoutSecrets } from '../../text/redaction';

/**
 * When what failed because of the operator's own webhook is tried again at the latest, in milliseconds: soon enough that applications start within
 * seconds once it is back, and seldom enough for a JVM.
 */
export const WEBHOOK_RETRY = 10_000;

/** What users are told of the operator's webhook for pods, if all that is known is that it does not answer. */
export const WEBHOOK_AWAY = "the operator's webhook for pods, through which it has to go, does not answer. Look at its Deployment, Service and endpoints: "
  + "kubectl -n <the operator's namespace> get deployments,services,endpointslices; it is tried again every few seconds";

/**
 * The operator's own webhooks. That for namespaces selected by label has `-labelled` in its name. kubeflow's operator, installed by its chart, has other names.
 */
const OWN = '(?:mutate|validate)-(?:pod|sparkapplication|scheduledsparkapplication|sparkconnect)(?:-labelled)?\\.sparkoperator\\.k8s\\.io';

/** How the API server reports a webhook that it could not call, or whose answer it could not use (k8s.io/apiserver, `webhookerrors.ErrCallingWebhook`). */
const FAILED = new RegExp(`failed calling webhook \\\\?"(${OWN})\\\\?": ?(?:failed to call webhook: )?(.*)`, 's');

/** The call, as Go's HTTP client reports it, before what went wrong with it. */
const CALL = /^Post \\?"https:\/\/([a-z0-9-]{1,63})\.([a-z0-9-]{1,63})\.svc(?::\d+)?\/[^"]*\\?": /;

/** The webhook's answer to what is too large: the status as the API server tells it, or the webhook's own words. */
const TOO_LARGE = /status code 413|(?:bytes|values) is not (?:looked at|read)/;

/** What to do about that. */
export const SMALLER = 'move long values into a ConfigMap or Secret and mount it, or give what only the webhook can do up';

/** Certificates that do not fit: the server's, or the CA in the webhook configuration. */
const CERTIFICATE = /x509|\btls\b|certificate/i;

/**
 * What to tell users of an object that was not created because one of the operator's own webhooks could not be called: what went wrong and where to look.
 * It passes by itself once the webhook is back.
 *
 * @returns undefined for all other errors, also for what a webhook has refused
 */
export function webhookFailure({ status, serverMessage }: { readonly status: number; readonly serverMessage: string }): string | undefined {
  const match = FAILED.exec(serverMessage);
  if (!match || !isOfServer(status) || TOO_LARGE.test(match[2]!)) {
    return undefined;
  }
  const [, webhook, text] = match as unknown as [string, string, string];
  const [call, service, namespace] = CALL.exec(text) ?? [''];
  const cause = withoutSecrets(text.slice(call.length).replace(/\s+/g, ' ').trim()) || 'it does not answer';
  return `the operator's webhook ${webhook}, through which it has to go, cannot be called: ${cause}. ${whereToLook(cause, service, namespace)}; it is tried again every few seconds`;
}

/** Whether one of the operator's own webhooks has answered that an object is too large for it: it would say the same again. */
export function isTooLargeForWebhook({ status, serverMessage }: { readonly status: number; readonly serverMessage: string }): boolean {
  const match = FAILED.exec(serverMessage);
  return match !== null && isOfServer(status) && TOO_LARGE.test(match[2]!);
}

/**
 * Whether the operator's webhook could be called, and has said itself why it does not answer (a 500, whose text the API server passes on): such as rights, or defaults of the cluster, that it lacks for
 * one namespace. It tells nothing of other pods.
 */
export function isOwnReason({ status, serverMessage }: { readonly status: number; readonly serverMessage: string }): boolean {
  const match = FAILED.exec(serverMessage);
  return match !== null && isOfServer(status) && /an error on the server \(/.test(match[2]!);
}

/** Spark's client says 0 if it cannot read the status. */
function isOfServer(status: number): boolean {
  return status === 0 || status >= 500;
}

function whereToLook(cause: string, service: string | undefined, namespace: string | undefined): string {
  const inNamespace = namespace ? ` -n ${namespace}` : ' -n <the operator\'s namespace>';
  return CERTIFICATE.test(cause)
    ? `Look at its certificate and at the caBundle of its configuration: kubectl${inNamespace} get secrets; kubectl get mutatingwebhookconfigurations -o yaml`
    : `Look at its Deployment, Service and endpoints: kubectl${inNamespace} get deployments,services,endpointslices${service ? `; kubectl${inNamespace} describe service ${service}` : ''}`;
}
