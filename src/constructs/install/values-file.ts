import { LineCounter, parseDocument } from 'yaml';
import { OPERATOR_PROP_TYPES } from '../_construct-prop-types';
import * as propTypes from '../../props/_prop-types';
import type { PropType } from '../../props/_prop-types';
import { any, choice, duration, fields, list, factory, number, size, text, texts, truth, type Reader } from './readers';
import { FileError } from '../../text/file-error';
import { UsageError } from '../../text/usage-error';
import { NetworkPeer, type PodPeerProps } from '../network-peer';
import { PrometheusMonitor, type PrometheusMonitorProps } from '../operator-metrics';
import type { OperatorNaming } from '../operator-naming';
import type { SparkOperatorProps } from '../spark-operator-props';
import { WebUI, type GatewayReference, type GatewayWebUIProps, type IngressWebUIProps } from '../web-ui';
import { CertificateIssuerKind, WebhookCertificates, type CertManagerCertificatesProps, type SelfManagedCertificatesProps } from '../webhook-certificates';
import { KUBECTL_YAML } from '../../text/kubectl-yaml';

const monitorProps = fields<PrometheusMonitorProps>({ interval: duration, scrapeTimeout: duration, labels: texts, jobLabel: text, namespace: text });

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

const peer = factory<NetworkPeer>({
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
});

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

const monitor = factory<PrometheusMonitor>({
  podMonitor: (value, path) => PrometheusMonitor.podMonitor(monitorProps(value ?? {}, path)),
  serviceMonitor: (value, path) => PrometheusMonitor.serviceMonitor(monitorProps(value ?? {}, path)),
});

/** Readers of values that a program makes with static methods, by class. */
const OBJECTS: { readonly [type: string]: Reader } = {
  NetworkPeer: peer, PrometheusMonitor: monitor, WebhookCertificates: certificates, WebUI: webUI,
};

/** Readers of simple values. */
const VALUES = new Map<PropType, Reader>([
  [propTypes.text, text], [propTypes.number, number], [propTypes.truth, truth], [propTypes.size, size],
  [propTypes.duration, duration], [propTypes.texts, texts],
]);

/** Returns the reader of what a construct accepts. The API server checks objects of Kubernetes. */
function readerOf(type: PropType): Reader {
  const value = VALUES.get(type);
  if (value || type instanceof propTypes.MapOf) return value ?? any;
  if (Array.isArray(type)) return list(readerOf(type[0]));
  if (propTypes.isCheck(type)) return type.words ? choice(type.words) : type.type ? OBJECTS[type.type]! : any;
  return fields(Object.fromEntries(Object.entries(type).map(([name, each]) => [name, readerOf(each)])));
}

const props: Reader<SparkOperatorProps> = readerOf(OPERATOR_PROP_TYPES);

/** Props from options, in addition to the file. `webhook` and `console` only turn these on. */
export interface GivenProps extends Pick<SparkOperatorProps, 'namespace' | 'name' | 'allNamespaces' | 'createJobNamespaces' | 'replicas' | 'image'> {
  readonly naming?: `${OperatorNaming}`;
  readonly jobNamespaces?: readonly string[];
  readonly webhook?: true;
  readonly console?: true;
}

/**
 * Merges the props of a values file and of options; options take precedence.
 *
 * @param file name and content of the file @default - no file
 * @throws {FileError} for unknown props and wrong values of the file
 */
export function propsOf(given: GivenProps, file?: { readonly name: string; readonly content: string }): SparkOperatorProps {
  const ofFile = file ? propsIn(file) : {};
  const { webhook, console, jobNamespaces, naming, ...others } = given;
  return {
    ...ofFile, ...others,
    ...(naming && { naming: naming as OperatorNaming }),
    ...(jobNamespaces && { jobNamespaces: [...jobNamespaces] }),
    ...(webhook && { webhook: ofFile.webhook ?? {} }),
    ...(console && { console: ofFile.console ?? {} }),
  };
}

function propsIn({ name, content }: { readonly name: string; readonly content: string }): SparkOperatorProps {
  const lines = new LineCounter();
  const document = parseDocument(content, { ...KUBECTL_YAML, lineCounter: lines });
  const [problem] = document.errors;
  if (problem) {
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new FileError(`${name}:${line}:${col}: invalid YAML: ${problem.message}`);
  }
  try {
    return props(document.toJS() ?? {}, '');
  } catch (error) {
    throw error instanceof UsageError ? new FileError(`${name}: ${error.message}`) : error;
  }
}
