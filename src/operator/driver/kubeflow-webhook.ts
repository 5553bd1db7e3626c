/**
 * What to tell users of a Pod that was refused, if the webhook of kubeflow's operator has to do with it: it puts a second owner and the volumes
 * of the application onto our Pods, which have both.
 */
export function webhookHint(serverMessage: string): string | undefined {
  const isItsWebhook = /mutate--v1-pod\.sparkoperator\.k8s\.io/.test(serverMessage);
  const isItsWork = /Only one reference can have Controller set to true/.test(serverMessage);
  return isItsWebhook || isItsWork
    ? 'the webhook of kubeflow\'s operator is still there; keep it from our Pods, or delete it, as docs/moving-from-kubeflow.md tells'
    : undefined;
}
