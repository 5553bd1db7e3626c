import { isDeepStrictEqual } from 'node:util';
import { LineCounter, parseDocument } from 'yaml';
import { OPERATOR_PROP_TYPES } from '../_construct-prop-types';
import * as propTypes from '../../props/_prop-types';
import type { PropType } from '../../props/_prop-types';
import { any, choice, duration, fields, list, factory, number, size, text, texts, truth, type Reader } from './readers';
import { ImagePullPolicy } from '../../api/spark-application';
import { FileError } from '../../text/file-error';
import { UsageError } from '../../text/usage-error';
import { NetworkPeer, type PodPeerProps } from '../network-peer';
import { PrometheusMonitor, type PrometheusMonitorProps } from '../operator-metrics';
import { LogEncoder, LogLevel } from '../operator-log';
import { OperatorNaming } from '../operator-naming';
import { WebhookFailurePolicy } from '../operator-webhook';
import { SubmissionMode, type SparkOperatorProps } from '../spark-operator-props';
import { WebUI, type GatewayReference, type GatewayWebUIProps, type IngressWebUIProps } from '../web-ui';
import { CertificateIssuerKind, WebhookCertificates, type CertManagerCertificatesProps, type SelfManagedCertificatesProps } from '../webhook-certificates';
import { KUBECTL_YAML } from '../../text/kubectl-yaml';

const monitorProps = fields<PrometheusMonitorProps>({
  interval: duration, scrapeTimeout: duration, labels: texts, jobLabel: text, namespace: text,
});

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

const addressRange: Reader<AddressRange> = (value, path) => fields<AddressRange>({ cidr: text, except: list(text) }, ['cidr'])(
  typeof value === 'string' ? { cidr: value } : value, path,
);

const peer = factory<NetworkPeer>('NetworkPeer', {
  anywhere: { make: () => NetworkPeer.anywhere() },
  allPods: { make: () => NetworkPeer.allPods() },
  namespace: { make: (name: string) => NetworkPeer.namespace(name), argument: text },
  pods: {
    make: (props: PodPeerProps) => NetworkPeer.pods(props),
    argument: fields<PodPeerProps>({ labels: texts, namespaceLabels: texts }),
  },
  addresses: {
    make: ({ cidr, except }: AddressRange) => NetworkPeer.addresses(cidr, except),
    argument: addressRange, positional: ['cidr', 'except'],
  },
});

const certificates = factory<WebhookCertificates>('WebhookCertificates', {
  selfManaged: {
    make: (props: SelfManagedCertificatesProps) => WebhookCertificates.selfManaged(props),
    argument: fields<SelfManagedCertificatesProps>({ lifetime: duration, secretName: text }),
  },
  certManager: {
    make: (props: CertManagerCertificatesProps) => WebhookCertificates.certManager(props),
    argument: fields<CertManagerCertificatesProps>({
      issuerName: text, issuerKind: choice(Object.values(CertificateIssuerKind), ['CertificateIssuerKind', CertificateIssuerKind]),
      issuerGroup: text, lifetime: duration, renewBefore: duration, secretName: text,
    }),
  },
  fromSecret: {
    make: ({ secretName, caBundle }: SecretWithCertificate) => WebhookCertificates.fromSecret(secretName, caBundle),
    argument: fields<SecretWithCertificate>({ secretName: text, caBundle: text }, ['secretName', 'caBundle']),
    positional: ['secretName', 'caBundle'],
  },
});

const gateway = fields<GatewayReference>({ namespace: text, name: text, sectionName: text }, ['namespace', 'name']);

const webUI = factory<WebUI>('WebUI', {
  byService: { make: () => WebUI.byService() },
  none: { make: () => WebUI.none() },
  byIngress: {
    make: (props: IngressWebUIProps) => WebUI.byIngress(props),
    argument: fields<IngressWebUIProps>({ urlFormat: text, annotations: texts, ingressClassName: text, tls: any }, ['urlFormat']),
  },
  byGateway: {
    make: (props: GatewayWebUIProps) => WebUI.byGateway(props),
    argument: fields<GatewayWebUIProps>({ urlFormat: text, annotations: texts, gateways: list(gateway) }, ['urlFormat', 'gateways']),
  },
});

const monitor = factory<PrometheusMonitor>('PrometheusMonitor', {
  podMonitor: { make: (props: PrometheusMonitorProps) => PrometheusMonitor.podMonitor(props), argument: monitorProps },
  serviceMonitor: { make: (props: PrometheusMonitorProps) => PrometheusMonitor.serviceMonitor(props), argument: monitorProps },
});

/** Enums of props, by which programs write their words. */
const ENUMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ImagePullPolicy, LogEncoder, LogLevel, OperatorNaming, SubmissionMode, WebhookFailurePolicy,
};

function choiceOf(words: readonly string[]): Reader {
  return choice(words, Object.entries(ENUMS).find(([, values]) => isDeepStrictEqual(Object.values(values), words)));
}

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
  if (propTypes.isCheck(type)) return type.words ? choiceOf(type.words) : type.type ? OBJECTS[type.type]! : any;
  return fields(Object.fromEntries(Object.entries(type).map(([name, each]) => [name, readerOf(each)])));
}

/** Reader of the props of `SparkOperator`. */
export const props: Reader<SparkOperatorProps> = readerOf(OPERATOR_PROP_TYPES);

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

function propsIn(file: { readonly name: string; readonly content: string }): SparkOperatorProps {
  const document = documentIn(file);
  try {
    return props(document, '');
  } catch (error) {
    throw error instanceof UsageError ? new FileError(`${file.name}: ${error.message}`) : error;
  }
}

/**
 * Parses a values file.
 *
 * @throws {FileError} if it is no YAML
 */
export function documentIn({ name, content }: { readonly name: string; readonly content: string }): unknown {
  const lines = new LineCounter();
  const document = parseDocument(content, { ...KUBECTL_YAML, lineCounter: lines });
  const [problem] = document.errors;
  if (problem) {
    const { line, col } = lines.linePos(problem.pos[0]);
    throw new FileError(`${name}:${line}:${col}: invalid YAML: ${problem.message}`);
  }
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw new FileError(`${name}: invalid YAML: ${(error as Error).message}`);
  }
}
