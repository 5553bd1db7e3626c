import { ApiObject, Duration, JsonPatch } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import type { Construct } from 'constructs';
import { HEALTH_PORT, METRICS_PORT } from './_operator-flags';
import { IMAGE_REPOSITORY, PACKAGE_VERSION } from './_package';
import { containerResources, OPERATOR_CPU } from './_operator-resources';
import type { OperatorResources } from './operator-pod';
import type { SparkOperatorProps } from './spark-operator-props';
import { ImagePullPolicy } from '../api/spark-application';

/**
 * Settings of the Deployment in addition to the properties.
 *
 * @internal
 */
export interface OperatorDeployment {
  readonly name: string;
  readonly namespace: string;
  readonly selector: { [key: string]: string };
  readonly account: kplus.ServiceAccount;
  readonly args: string[];
  readonly hasMetrics: boolean;
  /** Whether it only serves the webhook. */
  readonly servesOnly?: boolean;
  /** Port of the webhook, and the Secret with its certificate if another program creates it. */
  readonly webhook?: { readonly port: number; readonly mounted?: { readonly secretName: string; readonly folder: string } };
}

/**
 * The image's command, but with a larger young generation of the heap, because reviews are
 * short-lived: a quarter less CPU than with the operator's own setting, for 30 MiB (`npm run
 * bench -- --only webhook`).
 */
const SERVE_COMMAND = ['node', '--max-semi-space-size=16', '/opt/spark-operator/operator.cjs'];

/**
 * Adds the Deployment of the operator.
 *
 * @internal
 */
export function deployOperator(scope: Construct, what: OperatorDeployment, props: SparkOperatorProps): void {
  const { name, namespace, selector, account, args, hasMetrics, webhook } = what;
  const deployment = new kplus.Deployment(scope, what.servesOnly ? 'WebhookDeployment' : 'Deployment', {
    metadata: { name, namespace, labels: { ...selector, 'app.kubernetes.io/version': PACKAGE_VERSION } },
    podMetadata: { labels: { ...props.podLabels, ...selector }, ...(props.podAnnotations && { annotations: props.podAnnotations }) },
    select: false,
    replicas: props.replicas ?? 1,
    // A new replica is a standby until the active one releases the Lease, so an update is an
    // orderly shutdown.
    strategy: kplus.DeploymentStrategy.rollingUpdate({
      maxSurge: kplus.PercentOrAbsolute.absolute(1), maxUnavailable: kplus.PercentOrAbsolute.absolute(0),
    }),
    serviceAccount: account,
    automountServiceAccountToken: true,
    // The image and the platform choose the user (OpenShift assigns one); the kubelet verifies that
    // it is not root.
    securityContext: { ensureNonRoot: true },
    terminationGracePeriod: Duration.seconds(30),
    containers: [{
      name: what.servesOnly ? 'webhook' : 'operator',
      image: props.image ?? `${IMAGE_REPOSITORY}:${PACKAGE_VERSION}`,
      imagePullPolicy: (props.imagePullPolicy ?? ImagePullPolicy.IF_NOT_PRESENT) as string as kplus.ImagePullPolicy,
      ...(what.servesOnly && { command: SERVE_COMMAND }),
      args,
      ports: [...(hasMetrics ? [{ name: 'metrics', number: METRICS_PORT }] : []), {
        name: 'health', number: HEALTH_PORT,
      }, ...(webhook ? [{ name: 'webhook', number: webhook.port }] : [])],
      liveness: kplus.Probe.fromHttpGet('/healthz', {
        port: HEALTH_PORT, periodSeconds: Duration.seconds(15), failureThreshold: 4, timeoutSeconds: Duration.seconds(5),
      }),
      readiness: kplus.Probe.fromHttpGet('/readyz', { port: HEALTH_PORT, periodSeconds: Duration.seconds(5) }),
      securityContext: { ensureNonRoot: true, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, privileged: false },
      envVariables: {
        POD_NAME: kplus.EnvValue.fromFieldRef(kplus.EnvFieldPaths.POD_NAME),
        POD_NAMESPACE: kplus.EnvValue.fromFieldRef(kplus.EnvFieldPaths.POD_NAMESPACE),
      },
    }],
  });
  const [container] = deployment.containers;
  if (webhook?.mounted) {
    // Optional, so that the operator starts before the certificate exists.
    const secret = kplus.Secret.fromSecretName(deployment, 'WebhookCertificate', webhook.mounted.secretName);
    container!.mount(webhook.mounted.folder, kplus.Volume.fromSecret(deployment, 'WebhookCertificateVolume', secret, {
      name: 'webhook-certificate', optional: true,
    }), { readOnly: true });
  }
  // A selector is immutable, so it must not depend on the path of the construct, as the default
  // does.
  deployment.select(kplus.LabelSelector.of({ labels: selector }));
  ApiObject.of(deployment).addJsonPatch(...patches(props, selector), resourcesPatch(props.resources));
}

/**
 * Patches for settings that cdk8s-plus-27 does not support, or supports only for its own objects.
 */
function patches(props: SparkOperatorProps, selector: { [key: string]: string }): JsonPatch[] {
  const {
    imagePullSecrets, priorityClassName, nodeSelector, tolerations, affinity, topologySpreadConstraints = (props.replicas ?? 1) > 1
      ? spread(selector)
      : undefined,
  } = props;
  const pod = {
    priorityClassName,
    nodeSelector,
    tolerations,
    affinity,
    topologySpreadConstraints,
    imagePullSecrets: imagePullSecrets?.map((secret) => ({ name: secret })),
  };
  return [
    // `kubectl apply` would change the Deployment each time if it contained fields that Kubernetes
    // drops.
    ...[
      '/spec/minReadySeconds', '/spec/template/spec/hostNetwork', '/spec/template/spec/setHostnameAsFQDN',
    ].map((path) => JsonPatch.remove(path)),
    JsonPatch.add('/spec/template/spec/securityContext/seccompProfile', { type: 'RuntimeDefault' }),
    JsonPatch.add('/spec/template/spec/containers/0/securityContext/capabilities', { drop: ['ALL'] }),
    ...Object.entries(pod).filter(([, value]) => value !== undefined).map(([field, value]) => JsonPatch.add(
      `/spec/template/spec/${field}`, value,
    )),
    ...(props.env ?? []).map((variable) => JsonPatch.add('/spec/template/spec/containers/0/env/-', variable)),
  ];
}

/**
 * Replaces the default requests and limits of cdk8s-plus. Its own quantities are in millicores and
 * MiB, which Kubernetes stores as larger units, so that `kubectl apply` would change the Deployment
 * each time.
 */
function resourcesPatch(resources: OperatorResources | undefined): JsonPatch {
  // cdk8s-plus reads the value of a quantity after the patches.
  const quantities = (amounts: { [resource: string]: string }) => (
    Object.fromEntries(Object.entries(amounts).map(([resource, value]) => [resource, { value }]))
  );
  const { requests, limits } = containerResources(resources, OPERATOR_CPU);
  const value = { requests: quantities(requests), limits: quantities(limits) };
  return JsonPatch.replace('/spec/template/spec/containers/0/resources', value);
}

/**
 * Spreads replicas over nodes, if the cluster has enough of them, so that the loss of one does not
 * affect all.
 *
 * @internal
 */
export function spread(selector: { [key: string]: string }): object[] {
  return ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => (
    { maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: selector } }
  ));
}
