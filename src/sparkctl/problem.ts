import { CommandError } from './errors';
import { ApiError, NetworkError, toError } from '../kube/errors';

/**
 * What a command could not do, for people: what was asked, what the cluster said, and what to do about it. The text may hold anything that the cluster has said; it is not `printable` yet.
 *
 * @returns undefined for what is a mistake of the program
 */
export function problemText(error: unknown): string | undefined {
  if (error instanceof CommandError) return error.message;
  if (error instanceof ApiError) return `${error.message}${adviceOn(error)}`;
  if (error instanceof NetworkError) return `${error.message}${adviceOnNetwork(error)}`;
  return undefined;
}

/** What is told of a mistake of the program. Its code is in lines of many kilobytes, which nobody wants to see. */
export function mistakeText(error: unknown, { version, debug = false }: { readonly version: string; readonly debug?: boolean }): string {
  const { message, stack } = toError(error);
  const details = debug ? `\n${stack}` : '; run it again with SPARKCTL_DEBUG=1 to see where';
  return `${message}\nThis is a mistake of sparkctl ${version}, not yours: please report it, with the command line${details}`;
}

function adviceOn({ status, call: { verb, resource, namespace }, serverMessage }: ApiError): string {
  const inNamespace = namespace === undefined ? '' : ` -n ${namespace}`;
  switch (status) {
    case 401: return '; the credentials are not, or no longer, valid: log in anew, or look at the user of `kubectl config view --minify`';
    case 403: return `; ask for the right, which \`kubectl auth can-i ${verb} ${resource}${inNamespace}\` tests`;
    case 404: return serverMessage.includes('the server could not find the requested resource')
      ? '; the cluster does not know this kind: `sparkctl doctor` says what is missing, and `sparkctl install` installs it'
      : `; \`sparkctl list${inNamespace}\` says what there is`;
    case 409: return '; somebody else has changed it at the same moment: try again';
    case 429: return '; the API server has too much to do: try again in a while';
    default: return status >= 500 ? '; this is the API server\'s own trouble: try again, and look at its log if it stays' : '';
  }
}

function adviceOnNetwork({ code }: NetworkError): string {
  switch (code) {
    case 'ECONNREFUSED':
    case 'EHOSTUNREACH':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
    case 'TIMEOUT': return '; the API server cannot be reached: is it the right one (`kubectl config view --minify`), and is there a network, or a VPN, to it?';
    case 'CREDENTIALS': return '; look at the user of `kubectl config view --minify`';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_HAS_EXPIRED':
    case 'ERR_TLS_CERT_ALTNAME_INVALID': return '; its certificate is not one that the kubeconfig trusts: is the kubeconfig an old one?';
    default: return '; try again';
  }
}
