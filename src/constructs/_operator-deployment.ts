import { ApiObject, Lazy } from 'cdk8s';
import type { Construct } from 'constructs';
import { withCommonPodProps } from './_common-pod-props';
import { HEALTH_PORT } from './_operator-flags';
import type { Labels, ProgramNames } from './_operator-names';
import { PACKAGE_VERSION } from './_package';
import { containerResources, OPERATOR_CPU } from './_operator-resources';
import type { OperatorPodProps } from './operator-pod';
import { IMAGE_REPOSITORY } from '../api/operator-image';
import { ImagePullPolicy } from '../api/spark-application';
import type { Container, PodSpec } from '../k8s';
import type { PodTemplate } from '../plan/pods/pod-template';
import type { CommonPodProps } from '../props/common-pod-props';
import { containerArgs } from '../rules/container-args';

/**
 * Props of the pods of the operator, or of a webhook with its own.
 * @internal
 */
export interface ProgramPodProps extends OperatorPodProps {
  readonly replicas?: number;
}

/**
 * A process of the operator: the complete operator, or its webhook alone.
 * @internal
 */
export interface OperatorProcess {
  readonly names: ProgramNames;
  readonly namespace: string;
  /** Name of its service account. */
  readonly account: string;
  /** Returns its command line, which can change until synthesis. */
  readonly args: () => readonly string[];
  /** Port of its metrics. @default - none */
  readonly metricsPort?: number;
  /** Whether it only serves the webhook. */
  readonly servesOnly?: boolean;
  /** Port of the webhook, and the Secret with its certificate if another program creates it. */
  readonly webhook?: { readonly port: number; readonly mounted?: { readonly secretName: string; readonly folder: string } };
  /** Annotations of the Deployment, in addition to those of the user. @default - none */
  readonly annotations?: Labels;
}

/**
 * The image's command, but with a larger young generation of the heap, because reviews are
 * short-lived: a quarter less CPU than with the operator's own setting, for 30 MiB (`npm run
 * bench -- --only webhook`).
 */
const SERVE_COMMAND = ['node', '--max-semi-space-size=16', '/opt/spark-operator/operator.cjs'];

const CERTIFICATE = 'webhook-certificate';

/**
 * Adds the Deployment of a process of the operator.
 * @internal
 */
export function deployOperator(scope: Construct, process: OperatorProcess, props: ProgramPodProps): void {
  const { names: { name, selector, labels }, namespace, annotations, servesOnly } = process;
  const all = { ...annotations, ...props.deploymentAnnotations };
  new ApiObject(scope, servesOnly ? 'WebhookDeployment' : 'Deployment', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name, namespace, labels: { ...labels, 'app.kubernetes.io/version': PACKAGE_VERSION },
      ...(Object.keys(all).length > 0 && { annotations: all }),
    },
    spec: {
      replicas: props.replicas ?? 1,
      ...(props.revisionHistoryLimit !== undefined && { revisionHistoryLimit: props.revisionHistoryLimit }),
      // A new replica is a standby until the active one releases the Lease, so an update is an
      // orderly shutdown.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      // It is immutable, so it does not depend on the path of the construct.
      selector: { matchLabels: selector },
      template: withCommonPodProps(ownTemplate(process, props), containerOf(process), customized(props)),
    },
  });
}

/**
 * Returns the name of the container of a process.
 * @internal
 */
export function containerOf({ servesOnly }: Pick<OperatorProcess, 'servesOnly'>): string {
  return servesOnly ? 'webhook' : 'operator';
}

/**
 * Returns the props that workloads and the history server have, too.
 * @internal
 */
export function customized({ env, ...props }: OperatorPodProps): CommonPodProps & Pick<OperatorPodProps, 'volumes'> {
  return { ...props, extraEnv: env };
}

/**
 * Returns the pods without the user's variables, volumes, containers and placement.
 * @internal
 */
export function ownTemplate(process: OperatorProcess, props: ProgramPodProps): PodTemplate {
  const { names: { selector }, account, webhook } = process;
  const { replicas = 1, podLabels, podAnnotations, hostUsers, imagePullSecrets } = props;
  const { topologySpreadConstraints = replicas > 1 ? spread(selector) : undefined } = props;
  const spec: PodSpec = {
    serviceAccountName: account,
    automountServiceAccountToken: props.automountServiceAccountToken ?? true,
    // The image and the platform choose the user (OpenShift assigns one); the kubelet verifies that
    // it is not root.
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    terminationGracePeriodSeconds: 30,
    ...(hostUsers !== undefined && { hostUsers }),
    ...(topologySpreadConstraints && { topologySpreadConstraints }),
    ...(imagePullSecrets && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    containers: [container(process, props)],
    // Optional, so that the operator starts before the certificate exists.
    ...(webhook?.mounted && { volumes: [{ name: CERTIFICATE, secret: { secretName: webhook.mounted.secretName, optional: true } }] }),
  };
  return { metadata: { labels: { ...podLabels, ...selector }, ...(podAnnotations && { annotations: podAnnotations }) }, spec };
}

function container(process: OperatorProcess, { image, imagePullPolicy, resources }: ProgramPodProps): Container {
  const { args, metricsPort, servesOnly, webhook } = process;
  const fieldPath = (path: string) => ({ fieldRef: { fieldPath: path } });
  return {
    name: containerOf(process),
    image: image ?? `${IMAGE_REPOSITORY}:${PACKAGE_VERSION}`,
    imagePullPolicy: imagePullPolicy ?? ImagePullPolicy.IF_NOT_PRESENT,
    ...(servesOnly && { command: SERVE_COMMAND }),
    args: Lazy.any({ produce: () => containerArgs(args()) }),
    ports: [
      ...(metricsPort === undefined ? [] : [{ name: 'metrics', containerPort: metricsPort }]),
      { name: 'health', containerPort: HEALTH_PORT },
      ...(webhook ? [{ name: 'webhook', containerPort: webhook.port }] : []),
    ],
    livenessProbe: { httpGet: { path: '/healthz', port: 'health' }, periodSeconds: 15, failureThreshold: 4, timeoutSeconds: 5 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'health' }, periodSeconds: 5 },
    resources: containerResources(resources, OPERATOR_CPU),
    securityContext: {
      allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, privileged: false, readOnlyRootFilesystem: true, runAsNonRoot: true,
    },
    env: [{ name: 'POD_NAME', valueFrom: fieldPath('metadata.name') }, { name: 'POD_NAMESPACE', valueFrom: fieldPath('metadata.namespace') }],
    ...(webhook?.mounted && { volumeMounts: [{ name: CERTIFICATE, mountPath: webhook.mounted.folder, readOnly: true }] }),
  };
}

/**
 * Spreads replicas over nodes, if the cluster has enough of them, so that the loss of one does not
 * affect all.
 *
 * @internal
 */
export function spread(selector: Labels): { maxSkew: number; topologyKey: string; whenUnsatisfiable: string; labelSelector: object }[] {
  return ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => (
    { maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: { ...selector } } }
  ));
}

/**
 * Adds the PodDisruptionBudget of a program: it prevents node drains from evicting all replicas at
 * the same time.
 *
 * @internal
 */
export function addDisruptionBudget(
  scope: Construct, id: string, { name, selector }: ProgramNames, namespace: string,
  { replicas = 1, disruptionBudget = {} }: Pick<ProgramPodProps, 'replicas' | 'disruptionBudget'>,
): void {
  const { minAvailable, enabled = replicas > 1 || minAvailable !== undefined } = disruptionBudget;
  if (!enabled) return;
  new ApiObject(scope, id, {
    apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name, namespace, labels: selector },
    spec: { ...(minAvailable === undefined ? { maxUnavailable: 1 } : { minAvailable }), selector: { matchLabels: selector } },
  });
}
