/**
 * Service account and permissions of one of the operator's programs. Those of the webhook and the
 * console are independent of those of the operator.
 */
export interface OperatorAccountProps {
  /**
   * Name of the service account.
   *
   * @default - the name of the program's Deployment: `spark-operator`, `spark-operator-webhook` or
   * `spark-operator-console`
   */
  readonly serviceAccountName?: string;

  /**
   * Annotations of the service account, for example for an identity in the cloud
   * (`eks.amazonaws.com/role-arn`).
   *
   * @default - none
   */
  readonly serviceAccountAnnotations?: { [key: string]: string };

  /**
   * Whether the service account is created. Otherwise it must exist, and `serviceAccountName` is
   * required.
   *
   * @default true
   */
  readonly createServiceAccount?: boolean;

  /**
   * Whether the Roles and ClusterRoles of the program are created, with their bindings. Otherwise
   * the service account must have the permissions already. The section about permissions in the
   * documentation of `SparkOperator` lists them, and `sparkctl doctor` reports missing ones.
   *
   * @default true
   */
  readonly createRoles?: boolean;

  /**
   * Annotations of these Roles, ClusterRoles and bindings.
   *
   * @default - none
   */
  readonly roleAnnotations?: { [key: string]: string };
}

/** Service account of drivers in the job namespaces of an operator. */
export interface DriverServiceAccount {
  /**
   * Name of the service account.
   *
   * @default - `spark`; with `OperatorNaming.KUBEFLOW` `<name of the operator>-spark`
   */
  readonly name?: string;

  /**
   * Annotations of the service account, for example for an identity in the cloud.
   *
   * @default - none
   */
  readonly annotations?: { [key: string]: string };

  /**
   * Whether the service account is created in each namespace of `jobNamespaces`. Otherwise it must
   * exist there, and `name` is required.
   *
   * @default true
   */
  readonly create?: boolean;

  /**
   * Whether its Role is created in each namespace of `jobNamespaces`, with its binding; with
   * `namespaceSelector` and `allNamespaces` also the ClusterRole to bind.
   *
   * @default true
   */
  readonly createRoles?: boolean;

  /**
   * Annotations of these Roles and bindings.
   *
   * @default - none
   */
  readonly roleAnnotations?: { [key: string]: string };
}
