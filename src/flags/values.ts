import { isIP } from 'node:net';
import { LOG_ENCODERS, LOG_LEVELS } from './table';
import { isDnsLabel, isSubdomain } from '../rules/names';

/* Parsers for the texts of flags. Each returns undefined for an invalid text. */

/** An address to listen on; without a host, on all interfaces. */
export interface Address {
  readonly host?: string;
  readonly port: number;
}

export type LogLevel = typeof LOG_LEVELS[number];
export type LogEncoder = typeof LOG_ENCODERS[number];

/** Returns the entries of a list. Helm charts write quotes around arguments, which are removed. */
export function listIn(text: string): string[] {
  return [...new Set(text.split(',').map((entry) => entry.trim().replace(/^"(.*)"$/, '$1').trim()))];
}

/** Returns names of namespaces, or all if one of them is empty. */
export function namespacesIn(text: string): readonly string[] | 'all' | undefined {
  const names = listIn(text);
  if (names.includes('')) return names.every((name) => name === '' || isDnsLabel(name)) ? 'all' : undefined;
  return names.every(isDnsLabel) ? names : undefined;
}

/** Returns the name of an object (DNS-1123 subdomain). */
export function objectNameIn(text: string): string | undefined {
  return isSubdomain(text) ? text : undefined;
}

/** Returns the name of a file without folders. */
export function fileNameIn(text: string): string | undefined {
  return /^[\w.-]{1,253}$/.test(text) && text !== '.' && text !== '..' ? text : undefined;
}

/** Returns a port; 0 for any free one. */
export function portIn(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  return port <= 65_535 ? port : undefined;
}

/** Version of TLS by its name in Node.js. */
export type TlsVersion = 'TLSv1.2' | 'TLSv1.3';

/** Returns a version of TLS by its name in Kubernetes' components, if it is secure. */
export function tlsVersionIn(text: string): TlsVersion | undefined {
  const [, minor] = /^VersionTLS1([23])$/.exec(text) ?? [];
  return minor === undefined ? undefined : `TLSv1.${minor as '2' | '3'}`;
}

/** Returns an absolute path. */
export function pathIn(text: string): string | undefined {
  return /^(\/[\w.@+=-]+)+\/?$/.test(text) && !text.split('/').includes('..') ? text : undefined;
}

/** Returns a boolean as Go's strconv.ParseBool does. */
export function truthIn(text: string): boolean | undefined {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
  return /^(0|f|F|false|FALSE|False)$/.test(text) ? false : undefined;
}

/** Returns a whole number that is at least `least`. */
export function wholeNumber(text: string, least: number): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return value >= least ? value : undefined;
}

/** Returns a non-negative number as Go and Helm write it. */
export function amountIn(text: string): number | undefined {
  const value = /^\d{1,9}(\.\d{1,9})?(e\+?\d)?$/i.test(text) ? Number(text) : NaN;
  return value <= 1e9 ? value : undefined;
}

/**
 * Returns feature gates in the form of Kubernetes' components, with whether they are on. The last
 * of several values applies.
 */
export function gatesIn(text: string): ReadonlyMap<string, boolean> | undefined {
  const gates = text.split(',').map((entry) => entry.trim()).filter(Boolean).map((entry) => {
    const [, name, value = ''] = /^(\w+)=(\w+)$/.exec(entry) ?? [];
    return [name, truthIn(value)] as const;
  });
  return gates.some(([name, isOn]) => name === undefined || isOn === undefined) ? undefined : new Map(gates as [string, boolean][]);
}

/** Returns an address to listen on, or null for none. */
export function addressIn(text: string): Address | null | undefined {
  if (text === '0') return null;
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65_535 || (match[1] && isIP(match[1]) !== 6)) return undefined;
  return { host: match[1] || match[2] || undefined, port };
}

/** Returns the upper bounds of a histogram's buckets, in ascending order. */
export function bucketsIn(text: string): number[] | undefined {
  const bounds = listIn(text).map((bound) => (/^\d+(\.\d+)?$/.test(bound) ? Number(bound) : NaN));
  return bounds.every((bound, index) => bound > (bounds[index - 1] ?? -1)) ? bounds : undefined;
}

/** Returns a JSON object of strings. */
export function textsIn(text: string): Readonly<Record<string, string>> | undefined {
  const value = json(text);
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string') ? value as Record<string, string> : undefined;
}

/** TLS of an Ingress. */
export interface IngressTls {
  readonly hosts?: string[];
  readonly secretName?: string;
}

/** Returns a JSON list of TLS settings of an Ingress, with Kubernetes' fields and no others. */
export function ingressTlsIn(text: string): IngressTls[] | undefined {
  const value = json(text);
  const isTls = (entry: unknown) => isObject(entry) && Object.entries(entry).every(([field, of]) => (field === 'hosts'
    ? Array.isArray(of) && of.every((host) => typeof host === 'string')
    : field === 'secretName' && typeof of === 'string'));
  return Array.isArray(value) && value.every(isTls) ? value as IngressTls[] : undefined;
}

/** A Gateway, or one of its listeners. */
export interface GatewayReference {
  readonly namespace: string;
  readonly name: string;
  readonly sectionName?: string;
}

/** Returns a list of `NAMESPACE/NAME[/SECTION]`. */
export function gatewaysIn(text: string): GatewayReference[] | undefined {
  const gateways = listIn(text).map(gatewayIn);
  return gateways.some((gateway) => gateway === undefined) ? undefined : gateways as GatewayReference[];
}

function gatewayIn(text: string): GatewayReference | undefined {
  const [namespace = '', name = '', sectionName, ...rest] = text.split('/');
  const isGateway = rest.length === 0 && isDnsLabel(namespace) && objectNameIn(name)
    && (sectionName === undefined || objectNameIn(sectionName));
  return isGateway ? { namespace, name, ...(sectionName !== undefined && { sectionName }) } : undefined;
}

/** Returns a log level by its name. */
export function logLevelIn(text: string): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === text);
}

/**
 * Returns the log level for a value of zap's flag: a name, or a number for more detail than info.
 */
export function zapLevelIn(text: string): LogLevel | undefined {
  if (/^[1-9]\d{0,2}$/.test(text)) return 'debug';
  return text === 'panic' ? 'error' : logLevelIn(text);
}

/** Returns a format of the log by its name. */
export function logEncoderIn(text: string): LogEncoder | undefined {
  return LOG_ENCODERS.find((encoder) => encoder === text);
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
