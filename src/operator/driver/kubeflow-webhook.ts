/**
 * Returns a hint for a rejected Pod if the webhook of kubeflow's operator is the cause. It adds a
 * second owner and the application's volumes to Pods of this operator, which already have both.
 */
export function webhookHint(serverMessage: string): string | undefined {
  const isItsWebhook = /mutate--v1-pod\.sparkoperator\.k8s\.io/.test(serverMessage);
  const isItsWork = /Only one reference can have Controller set to true/.test(serverMessage);
  return isItsWebhook || isItsWork
    ? 'the webhook of kubeflow\'s operator is still there; exclude the Pods of this operator from it, or delete it, see '
      + 'docs/migrate/from-kubeflow.md'
    : undefined;
}
