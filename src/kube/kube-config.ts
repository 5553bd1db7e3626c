import { readFileSync } from 'node:fs';
import type * as http from 'node:http';
import type * as https from 'node:https';
import { isDeepStrictEqual } from 'node:util';
// The module of the configuration alone: the package's entry would add a megabyte of generated API classes.
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import type { Connection, Credentials, TlsOptions } from './connection';
import { toError } from './errors';

/** How long credentials are used before the next look: programs that hand them out are not started for every request. */
const CREDENTIALS_AGE = 1_000;

/** A credential program that takes longer is given up, in milliseconds: it may hang, and the next one not. */
const CREDENTIALS_TIMEOUT = 60_000;

/** Where to find the API server. */
export interface ConnectionOptions {
  /**
   * Path of a kubeconfig file. Several are merged as kubectl does: of two entries of a name that of the earlier file counts, and so does its current context.
   * @default - the pod's own service account
   */
  readonly kubeconfig?: string | readonly string[];
  /** Context within the kubeconfig. @default - its current context */
  readonly context?: string;
  /** Longer no look for credentials takes, in milliseconds. @default 60000 */
  readonly credentialsTimeout?: number;
}

/**
 * Makes a connection from a kubeconfig, or inside a pod from its service account.
 *
 * The environment variable KUBECONFIG is not looked at: a caller that wants it passes its value.
 *
 * @throws {Error} when the configuration is missing or incomplete
 */
export function connect(options: ConnectionOptions = {}): Connection {
  const config = new KubeConfig();
  const files = [options.kubeconfig ?? []].flat();
  if (files.length === 0) {
    loadServiceAccount(config);
  } else {
    loadFiles(config, files, options.context);
  }
  return connectionOf(config, options.credentialsTimeout ?? CREDENTIALS_TIMEOUT);
}

function loadServiceAccount(config: KubeConfig): void {
  if (!process.env.KUBERNETES_SERVICE_HOST || !process.env.KUBERNETES_SERVICE_PORT) {
    throw new Error('not inside a pod (KUBERNETES_SERVICE_HOST is not set), and no kubeconfig was given');
  }
  config.loadFromCluster();
}

function loadFiles(config: KubeConfig, files: readonly string[], context: string | undefined): void {
  const loaded = files.map(loadedFile);
  config.loadFromOptions({
    clusters: firstOfEachName(loaded.flatMap((each) => each.getClusters())),
    contexts: firstOfEachName(loaded.flatMap((each) => each.getContexts())),
    users: firstOfEachName(loaded.flatMap((each) => each.getUsers())),
    currentContext: loaded.map((each) => each.getCurrentContext()).find(Boolean),
  });
  const place = `the kubeconfig${files.length > 1 ? 's' : ''} ${files.join(', ')}`;
  const wanted = context ?? config.getCurrentContext();
  const known = config.getContexts().map(({ name }) => name);
  if (!known.includes(wanted)) {
    throw new Error(`there is no context ${JSON.stringify(wanted ?? '')} in ${place}, only: ${known.join(', ') || 'none'}`);
  }
  config.setCurrentContext(wanted);
  if (!config.getCurrentCluster()?.server) {
    throw new Error(`the context ${JSON.stringify(wanted)} of ${place} names a cluster that is not described there`);
  }
}

function loadedFile(file: string): KubeConfig {
  const config = new KubeConfig();
  try {
    // One that is empty, but for comments, is fine among others. Relative paths become absolute, from the folder of the file that they stand in.
    if (/^\s*(?!---\s*$)[^#\s]/m.test(readFileSync(file, 'utf8'))) config.loadFromFile(file);
  } catch (error) {
    // A YAML error quotes the lines around it, which may hold keys: its reason does not.
    throw new Error(`cannot read the kubeconfig ${file}: ${(error as { reason?: string }).reason ?? toError(error).message}`);
  }
  return config;
}

function firstOfEachName<T extends { readonly name: string }>(entries: readonly T[]): T[] {
  return entries.filter(({ name }, index) => entries.findIndex((other) => other.name === name) === index);
}

function connectionOf(config: KubeConfig, timeout: number): Connection {
  const cluster = config.getCurrentCluster()!;
  if (cluster.server.startsWith('http:')) {
    // client-node refuses plain HTTP unless told not to verify; `kubectl proxy` is plain HTTP.
    Object.assign(cluster, { skipTLSVerify: true });
  }
  let last: Credentials | undefined;
  let lastRead = -Infinity;
  let reading: Promise<Credentials> | undefined;

  async function read(): Promise<Credentials> {
    const fresh = await readCredentials(config);
    lastRead = performance.now();
    // The same object as long as nothing changed, so that connections are kept.
    last = { ...fresh, tls: last && isDeepStrictEqual(last.tls, fresh.tls) ? last.tls : fresh.tls };
    return last;
  }

  return {
    server: cluster.server,
    namespace: config.getContextObject(config.getCurrentContext())?.namespace?.trim(),
    credentials() {
      if (last && performance.now() - lastRead < CREDENTIALS_AGE) return last;
      reading ??= within(timeout, read()).finally(() => { reading = undefined; });
      return reading;
    },
  };
}

/** A program that is given up is not ended: the client-node package keeps it to itself. */
function within<T>(timeout: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`there were none within ${timeout} ms`)), timeout);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

async function readCredentials(config: KubeConfig): Promise<Credentials> {
  const options: https.RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    // A parser's message quotes what it read, a token perhaps.
    const reason = error instanceof SyntaxError ? 'what it gave is not JSON' : toError(error).message.trim() || 'it does not say why';
    throw new Error(config.getCurrentUser()?.exec ? `the credential program failed: ${reason}` : reason);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries((options.headers ?? {}) as Record<string, string>)) {
    // Token files may end with a newline, which HTTP does not allow.
    headers[name.toLowerCase()] = value.trim();
  }
  if (options.auth) {
    headers.authorization = `Basic ${Buffer.from(options.auth).toString('base64')}`;
  }
  const { ca, cert, key, servername, rejectUnauthorized } = options;
  return {
    headers,
    tls: { ca, cert, key, servername, rejectUnauthorized } as TlsOptions,
    agent: config.getCurrentCluster()!.proxyUrl ? options.agent as http.Agent : undefined,
  };
}
