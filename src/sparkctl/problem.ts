import { CommandError } from './errors';
import { titleOf } from './output/title';
import { SCHEDULED_SPARK_APPLICATIONS, SPARK_APPLICATIONS, SPARK_CONNECTS } from '../model/resources';
import { FileError } from '../text/file-error';
import { ApiError, isAlreadyExists, NetworkError, toError } from '../kube/errors';
import type { Ref } from '../kube/objects';
import { canI, isRefusedByAdmission, lackingPermission } from './lacking-permission';

/**
 * Describes the failure of a command: the request, the cluster's answer, and the remedy. The text
 * can hold any text of the cluster; it is not `printable` yet.
 *
 * @returns undefined for an internal error of the program
 */
export function problemText(error: unknown): string | undefined {
  if (error instanceof CommandError || error instanceof FileError) return error.message;
  if (error instanceof ApiError) return absenceText(error) ?? existenceText(error) ?? refusalText(error) ?? `${error.message}${adviceOn(error)}`;
  if (error instanceof NetworkError) return `${error.message}; ${networkAdvice(error.code)}`;
  return undefined;
}

/** Returns the problem of one of several objects; some problems contain its title. */
export function about(title: string, problem: string): string {
  return problem.startsWith(`there is no ${title};`) ? problem : `${title}: ${problem}`;
}

/**
 * Describes an internal error of the program. The stack is only shown on request: the bundled code
 * has lines of many kilobytes.
 */
export function internalErrorText(
  error: unknown, { version, debug = false }: { readonly version: string; readonly debug?: boolean },
): string {
  const { message, stack } = toError(error);
  const details = debug ? `\n${stack}` : '; run it again with SPARKCTL_DEBUG=1 to see where';
  return `${message}\nThis is a bug in sparkctl ${version}: please report it, with the command line${details}`;
}

/** Words of `sparkctl list` that list a kind, by its plural. */
const LISTED: Readonly<Record<string, string>> = {
  [SPARK_APPLICATIONS.plural]: '', [SCHEDULED_SPARK_APPLICATIONS.plural]: ' schedules', [SPARK_CONNECTS.plural]: ' connects',
};

/** Describes a missing object or namespace. @returns undefined for other errors */
function absenceText(error: ApiError): string | undefined {
  if (isNamespaceMissing(error)) return `${error.message}; \`kubectl get namespaces\` lists existing ones`;
  const missing = missingIn(error);
  if (!missing) return undefined;
  const { plural, title, ref: { namespace } } = missing;
  return `there is no ${title}; \`sparkctl list${LISTED[plural]}${namespace === undefined ? '' : ` -n ${namespace}`}\` lists existing ones`;
}

/** Describes that a new object has the name of another one. @returns undefined for other errors */
function existenceText(error: ApiError): string | undefined {
  const { call: { resource, namespace, name } } = error;
  const kind = kindOfPlural(resource);
  if (!isAlreadyExists(error) || kind === undefined) return undefined;
  const target = resource === SPARK_APPLICATIONS.plural ? name : `${LISTED[resource]!.trim().replace(/s$/, '')}/${name}`;
  return `${titleOf({ kind, metadata: { namespace, name } })} already exists; `
    + `choose another name, or delete it with \`sparkctl delete ${target}${namespace === undefined ? '' : ` -n ${namespace}`}\``;
}

/** Describes a refusal, the cause first. @returns undefined for other errors */
function refusalText(error: ApiError): string | undefined {
  const lacking = lackingPermission(error);
  if (lacking) return `${lacking.text}; ask for the permission that \`${lacking.check}\` checks (403 Forbidden for ${lacking.user})`;
  if (!isRefusedByAdmission(error)) return undefined;
  // The text of the call names the object, too.
  return error.message.replace(/: \S+ "[^"]*" is forbidden: /, ': ');
}

/** Missing object of one of this package's kinds. */
export interface Missing {
  readonly plural: string;
  readonly ref: Ref;
  /** Its name in messages. */
  readonly title: string;
}

/** Returns the object that is missing according to an error; undefined for other errors. */
export function missingIn(error: unknown): Missing | undefined {
  if (!(error instanceof ApiError) || error.status !== 404) return undefined;
  if (isUnknownKind(error) || isNamespaceMissing(error)) return undefined;
  const { resource, namespace, name } = error.call;
  const kind = kindOfPlural(resource);
  if (kind === undefined || name === undefined) return undefined;
  return { plural: resource, ref: { namespace, name }, title: titleOf({ kind, metadata: { namespace, name } }) };
}

function kindOfPlural(resource: string): string | undefined {
  return [SPARK_APPLICATIONS, SCHEDULED_SPARK_APPLICATIONS, SPARK_CONNECTS].find(({ plural }) => plural === resource)?.kind;
}

function isNamespaceMissing({ status, serverMessage }: ApiError): boolean {
  return status === 404 && /^namespaces "[^"]*" not found/.test(serverMessage);
}

/** Whether the cluster lacks the CRD: then the answer is plain text, and about no object. */
function isUnknownKind({ status, serverMessage }: ApiError): boolean {
  return status === 404 && (serverMessage === '' || serverMessage.includes('the server could not find the requested resource'));
}

function adviceOn(error: ApiError): string {
  const { status, call } = error;
  switch (status) {
    case 401: return '; the credentials are not, or no longer, valid: log in again, or check the user in `kubectl config view --minify`';
    case 403: return `; ask for the permission that \`${canI(call)}\` checks`;
    case 404: return isUnknownKind(error) || call.verb === 'list' || call.verb === 'watch'
      ? '; the cluster does not know this kind: `sparkctl doctor` lists missing CRDs, and `sparkctl install` installs them' : '';
    case 409: return isAlreadyExists(error) ? '' : '; another client changed it at the same time: try again';
    case 429: return '; the API server is overloaded: try again later';
    default: return status >= 500 ? '; this is a problem of the API server: try again, and read its log if the error persists' : '';
  }
}

/** Returns the remedy for an API server that does not answer. @param code that of a NetworkError */
export function networkAdvice(code: string): string {
  switch (code) {
    case 'ECONNREFUSED':
    case 'EHOSTUNREACH':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
    case 'TIMEOUT': return 'the API server cannot be reached: check its URL (`kubectl config view --minify`), the network and the VPN';
    case 'CREDENTIALS': return 'check the user in `kubectl config view --minify`';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_HAS_EXPIRED':
    case 'ERR_TLS_CERT_ALTNAME_INVALID': return 'the kubeconfig does not trust its certificate: the kubeconfig might be outdated';
    default: return 'try again';
  }
}
