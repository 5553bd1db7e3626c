/** Names and labels of the objects of an operator; `<name>` is the prop `name`. */
export enum OperatorNaming {
  /**
   * Names of this package: the Deployment `<name>`, webhook configurations
   * `<name>-<namespace of the operator>`, and the service account `spark` for drivers.
   */
  DEFAULT = 'default',
  /**
   * Names and labels of kubeflow's chart for a release `<name>`, for tools that select by them: the
   * Deployments `<name>-controller` and `<name>-webhook`, webhook configurations `<name>-webhook`,
   * the service account `<name>-spark` for drivers, and the label `app.kubernetes.io/component`.
   */
  KUBEFLOW = 'kubeflow',
}
