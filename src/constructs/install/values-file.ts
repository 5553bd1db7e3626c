import { parseDocument } from 'yaml';
import { any, choice, duration, fields, list, factory, number, size, text, texts, truth, type Reader } from './readers';
import { UsageError } from '../../text/usage-error';
import { ImagePullPolicy } from '../../api/spark-application';
import { NetworkPeer, type PodPeerProps } from '../network-peer';
import type { OperatorBatchScheduling } from '../operator-batch-scheduling';
import type { OperatorConsole } from '../operator-console';
import { PrometheusMonitor, type OperatorMetrics, type PrometheusMonitorProps } from '../operator-metrics';
import type { OperatorNetworkPolicy } from '../operator-network-policy';
import type { OperatorResources } from '../operator-pod';
import { WebhookFailurePolicy, type OperatorWebhook, type WebhookDeployment } from '../operator-webhook';
import type { ServiceIngress, ServiceRoute } from '../service-exposure';
import { LogLevel, SubmissionMode, type LeaderElection, type SparkOperatorProps } from '../spark-operator-props';
import { WebUI, type GatewayReference, type GatewayWebUIProps, type IngressWebUIProps } from '../web-ui';
import { CertificateIssuerKind, WebhookCertificates, type CertManagerCertificatesProps, type SelfManagedCertificatesProps } from '../webhook-certificates';
import { KUBECTL_YAML } from '../../text/kubectl-yaml';

const resources = fields<OperatorResources>({ cpuRequest: number, cpuLimit: number, memoryRequest: size, memoryLimit: size });

const monitorProps = fields<PrometheusMonitorProps>({ interval: duration, scrapeTimeout: duration, labels: texts, namespace: text });

/** Arguments of `NetworkPeer.addresses`. */
interface AddressRange {
  readonly cidr: string;
  readonly except?: string[];
}

/** Arguments of `WebhookCertificates.fromSecret`. */
interface SecretWithCertificate {
  readonly secretName: string;
  readonly caBundle: string;
}

const peers = list(factory<NetworkPeer>({
  anywhere: () => NetworkPeer.anywhere(),
  allPods: () => NetworkPeer.allPods(),
  namespace: (value, path) => NetworkPeer.namespace(text(value, path)),
  pods: (value, path) => NetworkPeer.pods(fields<PodPeerProps>({ labels: texts, namespaceLabels: texts })(value ?? {}, path)),
  addresses: (value, path) => {
    const { cidr, except } = fields<AddressRange>({ cidr: text, except: list(text) }, ['cidr'])(
      typeof value === 'string' ? { cidr: value } : value, path,
    );
    return NetworkPeer.addresses(cidr, except);
  },
}));

const certificates = factory<WebhookCertificates>({
  selfManaged: (value, path) => WebhookCertificates.selfManaged(fields<SelfManagedCertificatesProps>({
    lifetime: duration, secretName: text,
  })(value ?? {}, path)),
  certManager: (value, path) => WebhookCertificates.certManager(fields<CertManagerCertificatesProps>({
    issuerName: text, issuerKind: choice(Object.values(CertificateIssuerKind)), issuerGroup: text, lifetime: duration,
    renewBefore: duration, secretName: text,
  })(value ?? {}, path)),
  fromSecret: (value, path) => {
    const { secretName, caBundle } = fields<SecretWithCertificate>(
      { secretName: text, caBundle: text }, ['secretName', 'caBundle'],
    )(value, path);
    return WebhookCertificates.fromSecret(secretName, caBundle);
  },
});

const gateway = fields<GatewayReference>({ namespace: text, name: text, sectionName: text }, ['namespace', 'name']);

const webUI = factory<WebUI>({
  byService: () => WebUI.byService(),
  none: () => WebUI.none(),
  byIngress: (value, path) => WebUI.byIngress(fields<IngressWebUIProps>(
    { urlFormat: text, annotations: texts, ingressClassName: text, tls: any }, ['urlFormat'],
  )(value, path)),
  byGateway: (value, path) => WebUI.byGateway(fields<GatewayWebUIProps>(
    { urlFormat: text, annotations: texts, gateways: list(gateway) }, ['urlFormat', 'gateways'],
  )(value, path)),
});

/** Readers of all props; a prop without a reader would be rejected as unknown. */
const props = fields<SparkOperatorProps>({
  namespace: text,
  createNamespace: truth,
  installCrds: truth,
  jobNamespaces: list(text),
  namespaceSelector: texts,
  allNamespaces: truth,
  createJobNamespaces: truth,
  replicas: number,
  leaderElection: fields<LeaderElection>({ leaseName: text, leaseDuration: duration, renewDeadline: duration, retryPeriod: duration }),
  defaultsConfigMap: text,
  webUI,
  driverIngress: truth,
  driverDisruptionBudgets: truth,
  removeOrphans: truth,
  timeToLive: duration,
  maxTrackedExecutors: number,
  minScheduleInterval: duration,
  workers: number,
  kubeApiQps: number,
  kubeApiBurst: number,
  driverStartTimeout: duration,
  sparkUser: text,
  submissionMode: choice(Object.values(SubmissionMode)),
  submissionModeAnnotation: truth,
  sparkSubmitTimeout: duration,
  batchScheduling: fields<OperatorBatchScheduling>({ kubeSchedulers: list(text), defaultScheduler: text }),
  metrics: fields<OperatorMetrics>({
    enabled: truth,
    prefix: text,
    applicationLabels: list(text),
    monitor: factory<PrometheusMonitor>({
      podMonitor: (value, path) => PrometheusMonitor.podMonitor(monitorProps(value ?? {}, path)),
      serviceMonitor: (value, path) => PrometheusMonitor.serviceMonitor(monitorProps(value ?? {}, path)),
    }),
  }),
  networkPolicy: fields<OperatorNetworkPolicy>({
    metricsFrom: peers, healthFrom: peers, webhookFrom: peers, consoleFrom: peers, apiServer: peers, apiServerPorts: list(number),
    dns: peers,
  }),
  admissionPolicy: truth,
  webhook: fields<OperatorWebhook>({
    certificates,
    deployment: fields<WebhookDeployment>({ replicas: number, resources, serviceAccountName: text }),
    defaulting: truth,
    resourceQuotas: truth,
    failurePolicy: choice(Object.values(WebhookFailurePolicy)),
    podFailurePolicy: choice(Object.values(WebhookFailurePolicy)),
    timeout: duration,
    podTimeout: duration,
    port: number,
  }),
  console: fields<OperatorConsole>({
    clusterName: text,
    hosts: list(text),
    tlsSecretName: text,
    ingress: fields<ServiceIngress>({ host: text, ingressClassName: text, tlsSecretName: text, annotations: texts }, ['host']),
    httpRoute: fields<ServiceRoute>({ gateways: list(gateway), hosts: list(text), annotations: texts }, ['gateways']),
    replicas: number, resources, serviceAccountName: text,
  }),
  logLevel: choice(Object.values(LogLevel)),
  flags: list(text),
  image: text,
  imagePullPolicy: choice(Object.values(ImagePullPolicy)),
  imagePullSecrets: list(text),
  resources,
  priorityClassName: text,
  nodeSelector: texts,
  tolerations: any,
  affinity: any,
  topologySpreadConstraints: any,
  podLabels: texts,
  podAnnotations: texts,
  env: any,
  serviceAccountName: text,
  serviceAccountAnnotations: texts,
} satisfies Record<keyof SparkOperatorProps, Reader>);

/** Props from options, in addition to the file. `webhook` and `console` only turn these on. */
export interface GivenProps extends Pick<SparkOperatorProps, 'namespace' | 'allNamespaces' | 'createJobNamespaces' | 'replicas' | 'image'> {
  readonly jobNamespaces?: readonly string[];
  readonly webhook?: true;
  readonly console?: true;
}

/**
 * Merges the props of a values file and of options; options take precedence.
 *
 * @param file name and content of the file @default - no file
 * @throws {UsageError} for unknown props and wrong values
 */
export function propsOf(given: GivenProps, file?: { readonly name: string; readonly content: string }): SparkOperatorProps {
  const ofFile = file ? propsIn(file) : {};
  const { webhook, console, jobNamespaces, ...others } = given;
  return {
    ...ofFile, ...others,
    ...(jobNamespaces && { jobNamespaces: [...jobNamespaces] }),
    ...(webhook && { webhook: ofFile.webhook ?? {} }),
    ...(console && { console: ofFile.console ?? {} }),
  };
}

function propsIn({ name, content }: { readonly name: string; readonly content: string }): SparkOperatorProps {
  const document = parseDocument(content, KUBECTL_YAML);
  const [problem] = document.errors;
  if (problem) throw new UsageError(`${name}: invalid YAML: ${problem.message}`);
  try {
    return props(document.toJS() ?? {}, '');
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${name}: ${error.message}`) : error;
  }
}
