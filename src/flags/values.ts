import { isIP } from 'node:net';
import { LOG_LEVELS } from './table';
import { isDnsLabel, isSubdomain } from '../rules/names';

/* What the texts of flags mean. Each function returns undefined for a text that means nothing. */

/** An address to listen on; without a host on all interfaces. */
export interface Address {
  readonly host?: string;
  readonly port: number;
}

export type LogLevel = typeof LOG_LEVELS[number];

/** The entries of a list. Quotes around it are those that Helm charts write into arguments. */
export function listIn(text: string): string[] {
  return [...new Set(text.split(',').map((entry) => entry.trim().replace(/^"(.*)"$/, '$1').trim()))];
}

/** Names of namespaces; all, if one of them is empty. */
export function namespacesIn(text: string): readonly string[] | 'all' | undefined {
  const names = listIn(text);
  if (names.includes('')) return names.every((name) => name === '' || isDnsLabel(name)) ? 'all' : undefined;
  return names.every(isDnsLabel) ? names : undefined;
}

/** The name of most other objects (DNS-1123 subdomain). */
export function objectNameIn(text: string): string | undefined {
  return isSubdomain(text) ? text : undefined;
}

/** The name of a file, without folders. */
export function fileNameIn(text: string): string | undefined {
  return /^[\w.-]{1,253}$/.test(text) && text !== '.' && text !== '..' ? text : undefined;
}

/** A port; 0 for any that is free. */
export function portIn(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  return port <= 65_535 ? port : undefined;
}

/** A version of TLS, as Node.js calls it. */
export type TlsVersion = 'TLSv1.2' | 'TLSv1.3';

/** A version of TLS by the name that Kubernetes' components take; only what is safe. */
export function tlsVersionIn(text: string): TlsVersion | undefined {
  const [, minor] = /^VersionTLS1([23])$/.exec(text) ?? [];
  return minor === undefined ? undefined : `TLSv1.${minor as '2' | '3'}`;
}

/** Absolute paths. */
export function foldersIn(text: string): string[] | undefined {
  const folders = listIn(text).filter(Boolean);
  return folders.every((path) => /^(\/[\w.@+=-]+)+\/?$/.test(path) && !path.split('/').includes('..')) ? folders : undefined;
}

/** As Go's strconv.ParseBool. */
export function truthIn(text: string): boolean | undefined {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
  return /^(0|f|F|false|FALSE|False)$/.test(text) ? false : undefined;
}

/** A whole number of at least so much. */
export function wholeNumber(text: string, least: number): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return value >= least ? value : undefined;
}

/** A number that is not negative, as Go and Helm write it. */
export function amountIn(text: string): number | undefined {
  const value = /^\d{1,9}(\.\d{1,9})?(e\+?\d)?$/i.test(text) ? Number(text) : NaN;
  return value <= 1e9 ? value : undefined;
}

/** Feature gates as Kubernetes' components take them: which are on and which are off; the last of several counts. */
export function gatesIn(text: string): ReadonlyMap<string, boolean> | undefined {
  const gates = text.split(',').map((entry) => entry.trim()).filter(Boolean).map((entry) => {
    const [, name, value = ''] = /^(\w+)=(\w+)$/.exec(entry) ?? [];
    return [name, truthIn(value)] as const;
  });
  return gates.some(([name, isOn]) => name === undefined || isOn === undefined) ? undefined : new Map(gates as [string, boolean][]);
}

/** Where to listen; null for nowhere. */
export function addressIn(text: string): Address | null | undefined {
  if (text === '0') return null;
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65_535 || (match[1] && isIP(match[1]) !== 6)) return undefined;
  return { host: match[1] || match[2] || undefined, port };
}

/** Upper bounds of a histogram's buckets: numbers that grow. */
export function bucketsIn(text: string): number[] | undefined {
  const bounds = listIn(text).map((bound) => (/^\d+(\.\d+)?$/.test(bound) ? Number(bound) : NaN));
  return bounds.every((bound, index) => bound > (bounds[index - 1] ?? -1)) ? bounds : undefined;
}

/** A JSON object of texts. */
export function textsIn(text: string): Readonly<Record<string, string>> | undefined {
  const value = json(text);
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string') ? value as Record<string, string> : undefined;
}

/** TLS of an Ingress. */
export interface IngressTls {
  readonly hosts?: string[];
  readonly secretName?: string;
}

/** A JSON list of TLS settings of an Ingress, with Kubernetes' fields and no others. */
export function ingressTlsIn(text: string): IngressTls[] | undefined {
  const value = json(text);
  const isTls = (entry: unknown) => isObject(entry) && Object.entries(entry).every(([field, of]) => (field === 'hosts'
    ? Array.isArray(of) && of.every((host) => typeof host === 'string')
    : field === 'secretName' && typeof of === 'string'));
  return Array.isArray(value) && value.every(isTls) ? value as IngressTls[] : undefined;
}

/** A Gateway, and a listener of it. */
export interface GatewayReference {
  readonly namespace: string;
  readonly name: string;
  readonly sectionName?: string;
}

/** A list of `NAMESPACE/NAME[/SECTION]`. */
export function gatewaysIn(text: string): GatewayReference[] | undefined {
  const gateways = listIn(text).map(gatewayIn);
  return gateways.some((gateway) => gateway === undefined) ? undefined : gateways as GatewayReference[];
}

function gatewayIn(text: string): GatewayReference | undefined {
  const [namespace = '', name = '', sectionName, ...rest] = text.split('/');
  const isGateway = rest.length === 0 && isDnsLabel(namespace) && objectNameIn(name) && (sectionName === undefined || objectNameIn(sectionName));
  return isGateway ? { namespace, name, ...(sectionName !== undefined && { sectionName }) } : undefined;
}

/** A level by our name. */
export function logLevelIn(text: string): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === text);
}

/** A level as zap's flag has it: a name, or a number for how much more than info. */
export function zapLevelIn(text: string): LogLevel | undefined {
  if (/^[1-9]\d{0,2}$/.test(text)) return 'debug';
  return text === 'panic' ? 'error' : logLevelIn(text);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
