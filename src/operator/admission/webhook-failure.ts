import { withoutSecrets } from '../redaction';

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
  // Spark's client says 0 if it cannot read the status.
  // It has answered, if not what it was asked: the object is too large for it.
  if (!match || (status !== 0 && status < 500) || /status code 413/.test(match[2]!)) {
    return undefined;
  }
  const [, webhook, text] = match as unknown as [string, string, string];
  const [call, service, namespace] = CALL.exec(text) ?? [''];
  const cause = withoutSecrets(text.slice(call.length).replace(/\s+/g, ' ').trim()) || 'it does not answer';
  return `the operator's webhook ${webhook}, through which it has to go, cannot be called: ${cause}. ${whereToLook(cause, service, namespace)}; it is tried again every few seconds`;
}

function whereToLook(cause: string, service: string | undefined, namespace: string | undefined): string {
  const inNamespace = namespace ? ` -n ${namespace}` : ' -n <the operator\'s namespace>';
  return CERTIFICATE.test(cause)
    ? `Look at its certificate and at the caBundle of its configuration: kubectl${inNamespace} get secrets; kubectl get mutatingwebhookconfigurations -o yaml`
    : `Look at its Deployment, Service and endpoints: kubectl${inNamespace} get deployments,services,endpointslices${service ? `; kubectl${inNamespace} describe service ${service}` : ''}`;
}
