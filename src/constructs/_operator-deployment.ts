import { ApiObject, Duration, JsonPatch, Size } from 'cdk8s';
import * as kplus from 'cdk8s-plus-27';
import type { Construct } from 'constructs';
import { HEALTH_PORT, METRICS_PORT } from './_operator-flags';
import { IMAGE_REPOSITORY, PACKAGE_VERSION } from './_package';
import type { CaCertificates, OperatorProxy, OperatorResources } from './operator-pod';
import type { SparkOperatorProps } from './spark-operator-props';
import { ImagePullPolicy } from '../api/spark-application';
import type { EnvVar } from '../k8s';

/**
 * What the Deployment is made of, besides the properties.
 *
 * @internal
 */
export interface OperatorDeployment {
  readonly name: string;
  readonly namespace: string;
  readonly selector: { [key: string]: string };
  readonly account: kplus.ServiceAccount;
  readonly args: string[];
  /** Whether the image has Spark. */
  readonly sparkSubmit: boolean;
  readonly hasMetrics: boolean;
  /** It serves the webhook, and does nothing else. */
  readonly servesOnly?: boolean;
  /** Where the webhook is served, and the Secret with its certificate, if others make it. */
  readonly webhook?: { readonly port: number; readonly mounted?: { readonly secretName: string; readonly folder: string } };
}

/** Where the ConfigMap with certificates is mounted. */
const CERTIFICATES = '/etc/spark-operator/certificates';

/**
 * What the image starts, but with a young heap for many reviews that are soon forgotten: a quarter less CPU than with the operator's
 * own setting, for 30 MiB (`npm run bench -- --only webhook`).
 */
const SERVE_COMMAND = ['node', '--max-semi-space-size=16', '/opt/spark-operator/operator.cjs'];

/**
 * Adds the Deployment of the operator.
 *
 * @internal
 */
export function deployOperator(scope: Construct, what: OperatorDeployment, props: SparkOperatorProps): void {
  const { name, namespace, selector, account, args, sparkSubmit, hasMetrics, webhook } = what;
  // A webhook of its own is the same program, and never runs spark-submit.
  const runsSparkSubmit = sparkSubmit && !what.servesOnly;
  const resources = resourcesOf(props.resources, runsSparkSubmit);
  const deployment = new kplus.Deployment(scope, what.servesOnly ? 'WebhookDeployment' : 'Deployment', {
    metadata: { name, namespace, labels: { ...selector, 'app.kubernetes.io/version': PACKAGE_VERSION } },
    podMetadata: { labels: { ...props.podLabels, ...selector }, ...(props.podAnnotations && { annotations: props.podAnnotations }) },
    select: false,
    replicas: props.replicas ?? 1,
    // A new replica stands by until an old one that works gives it the Lease, so that an update is an orderly end, too.
    strategy: kplus.DeploymentStrategy.rollingUpdate({ maxSurge: kplus.PercentOrAbsolute.absolute(1), maxUnavailable: kplus.PercentOrAbsolute.absolute(0) }),
    serviceAccount: account,
    automountServiceAccountToken: true,
    // The user is left to the image and the platform (OpenShift picks one); that it is not root is checked by the kubelet.
    securityContext: { ensureNonRoot: true },
    terminationGracePeriod: Duration.seconds(30),
    containers: [{
      name: what.servesOnly ? 'webhook' : 'operator',
      image: props.image ?? `${IMAGE_REPOSITORY}:${PACKAGE_VERSION}${sparkSubmit ? '-spark-submit' : ''}`,
      imagePullPolicy: (props.imagePullPolicy ?? ImagePullPolicy.IF_NOT_PRESENT) as string as kplus.ImagePullPolicy,
      ...(what.servesOnly && { command: SERVE_COMMAND }),
      args,
      ports: [...(hasMetrics ? [{ name: 'metrics', number: METRICS_PORT }] : []), { name: 'health', number: HEALTH_PORT }, ...(webhook ? [{ name: 'webhook', number: webhook.port }] : [])],
      liveness: kplus.Probe.fromHttpGet('/healthz', { port: HEALTH_PORT, periodSeconds: Duration.seconds(15), failureThreshold: 4, timeoutSeconds: Duration.seconds(5) }),
      readiness: kplus.Probe.fromHttpGet('/readyz', { port: HEALTH_PORT, periodSeconds: Duration.seconds(5) }),
      resources,
      securityContext: { ensureNonRoot: true, readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, privileged: false },
      envVariables: {
        POD_NAME: kplus.EnvValue.fromFieldRef(kplus.EnvFieldPaths.POD_NAME),
        POD_NAMESPACE: kplus.EnvValue.fromFieldRef(kplus.EnvFieldPaths.POD_NAMESPACE),
      },
    }],
  });
  const [container] = deployment.containers;
  if (runsSparkSubmit) {
    // The root file system is read-only; pod templates and the JVM's own files are temporary.
    container!.mount('/tmp', kplus.Volume.fromEmptyDir(deployment, 'Temporary', 'tmp', { sizeLimit: Size.gibibytes(1) }));
  }
  if (props.caCertificates) {
    const configMap = kplus.ConfigMap.fromConfigMapName(deployment, 'Certificates', props.caCertificates.configMapName);
    container!.mount(CERTIFICATES, kplus.Volume.fromConfigMap(deployment, 'CertificatesVolume', configMap, { name: 'certificates' }), { readOnly: true });
  }
  if (webhook?.mounted) {
    // Optional, so that the operator runs before there is a certificate.
    const secret = kplus.Secret.fromSecretName(deployment, 'WebhookCertificate', webhook.mounted.secretName);
    container!.mount(webhook.mounted.folder, kplus.Volume.fromSecret(deployment, 'WebhookCertificateVolume', secret, { name: 'webhook-certificate', optional: true }), { readOnly: true });
  }
  // A selector cannot be changed later, so that it must not depend on where in the app the construct stands, as the default does.
  deployment.select(kplus.LabelSelector.of({ labels: selector }));
  ApiObject.of(deployment).addJsonPatch(...patches(props, selector), ...canonical(runsSparkSubmit, props.resources, resources));
}

/** What cdk8s-plus-27 has no words for, or words that depend on its own objects. */
function patches(props: SparkOperatorProps, selector: { [key: string]: string }): JsonPatch[] {
  const { imagePullSecrets, priorityClassName, nodeSelector, tolerations, affinity, topologySpreadConstraints = (props.replicas ?? 1) > 1 ? spread(selector) : undefined } = props;
  const pod = {
    priorityClassName,
    nodeSelector,
    tolerations,
    affinity,
    topologySpreadConstraints,
    imagePullSecrets: imagePullSecrets?.map((secret) => ({ name: secret })),
  };
  const environment = [...certificateVariables(props.caCertificates), ...proxyVariables(props.proxy), ...props.env ?? []];
  return [
    // What Kubernetes does not store would make each `kubectl apply` write the Deployment again.
    ...['/spec/minReadySeconds', '/spec/template/spec/hostNetwork', '/spec/template/spec/setHostnameAsFQDN'].map((path) => JsonPatch.remove(path)),
    JsonPatch.add('/spec/template/spec/securityContext/seccompProfile', { type: 'RuntimeDefault' }),
    JsonPatch.add('/spec/template/spec/containers/0/securityContext/capabilities', { drop: ['ALL'] }),
    ...Object.entries(pod).filter(([, value]) => value !== undefined).map(([field, value]) => JsonPatch.add(`/spec/template/spec/${field}`, value)),
    ...environment.map((variable) => JsonPatch.add('/spec/template/spec/containers/0/env/-', variable)),
  ];
}

/** Quantities as Kubernetes stores them, in the largest unit: others would make each `kubectl apply` write the Deployment again, too. */
function canonical(sparkSubmit: boolean, { cpuRequestMillis = 100, cpuLimitMillis }: OperatorResources = {}, { memory }: kplus.ContainerResources): JsonPatch[] {
  const inMebibytes = (size: Size) => (size.toMebibytes() % 1024 === 0 ? `${size.toMebibytes() / 1024}Gi` : `${size.toMebibytes()}Mi`);
  const inCores = (millis: number) => (millis % 1000 === 0 ? `${millis / 1000}` : `${millis}m`);
  const replaced: [string, string][] = [
    ['containers/0/resources/requests/cpu', inCores(cpuRequestMillis)],
    ['containers/0/resources/requests/memory', inMebibytes(memory!.request!)],
    ['containers/0/resources/limits/memory', inMebibytes(memory!.limit!)],
    ...(cpuLimitMillis === undefined ? [] : [['containers/0/resources/limits/cpu', inCores(cpuLimitMillis)] as [string, string]]),
    ...(sparkSubmit ? [['volumes/0/emptyDir/sizeLimit', '1Gi'] as [string, string]] : []),
  ];
  // cdk8s-plus takes the text out of an object after the patches.
  return replaced.map(([path, value]) => JsonPatch.replace(`/spec/template/spec/${path}`, { value }));
}

/**
 * Lets no loss of a node hit all replicas at once, if the cluster has the nodes for it.
 *
 * @internal
 */
export function spread(selector: { [key: string]: string }): object[] {
  return ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => (
    { maxSkew: 1, topologyKey, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: selector } }
  ));
}

function resourcesOf({ cpuRequestMillis = 100, cpuLimitMillis, memoryRequest, memoryLimit }: OperatorResources = {}, sparkSubmit: boolean): kplus.ContainerResources {
  // A run of spark-submit takes some 250 MiB, and the operator runs as many at a time as fit.
  const [request, limit] = sparkSubmit ? [512, 1024] : [128, 512];
  const most = memoryLimit ?? Size.mebibytes(Math.max(limit!, memoryRequest?.toMebibytes() ?? 0));
  const reserved = memoryRequest ?? Size.mebibytes(Math.min(request!, most.toMebibytes()));
  const isTooMuch = (least: number, atMost: number | undefined) => atMost !== undefined && least > atMost;
  if (isTooMuch(reserved.toMebibytes(), most.toMebibytes()) || isTooMuch(cpuRequestMillis, cpuLimitMillis)) {
    throw new Error('SparkOperator: resources reserves more than there may be; a limit has to be as large as its request');
  }
  return {
    cpu: { request: kplus.Cpu.millis(cpuRequestMillis), ...(cpuLimitMillis !== undefined && { limit: kplus.Cpu.millis(cpuLimitMillis) }) },
    memory: { request: reserved, limit: most },
  };
}

/** The operator makes of them what the JVM of spark-submit trusts. */
function certificateVariables(certificates: CaCertificates | undefined): EnvVar[] {
  return certificates ? [{ name: 'NODE_EXTRA_CA_CERTS', value: `${CERTIFICATES}/${certificates.key ?? 'ca.crt'}` }] : [];
}

/** spark-submit's client of the Kubernetes API reads these, too. The address of the API server is a variable that each pod has. */
function proxyVariables(proxy: OperatorProxy | undefined): EnvVar[] {
  if (!proxy) return [];
  return [
    ...(proxy.httpProxy === undefined ? [] : [{ name: 'HTTP_PROXY', value: proxy.httpProxy }]),
    ...(proxy.httpsProxy === undefined ? [] : [{ name: 'HTTPS_PROXY', value: proxy.httpsProxy }]),
    { name: 'NO_PROXY', value: ['$(KUBERNETES_SERVICE_HOST)', ...proxy.noProxy ?? []].join(',') },
  ];
}
