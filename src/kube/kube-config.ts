import { readFileSync } from 'node:fs';
import type * as http from 'node:http';
import type * as https from 'node:https';
import { isDeepStrictEqual } from 'node:util';
// Imports only the configuration module: the package's entry would add a megabyte of generated API
// classes.
import { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import type { Connection, Credentials, TlsOptions } from './connection';
import { toError } from './errors';

/**
 * Milliseconds for which credentials are cached, so that credential programs do not run for every
 * request.
 */
const CREDENTIALS_AGE = 1_000;

/** Milliseconds to wait for a credential program. It might hang, and the next run might not. */
const CREDENTIALS_TIMEOUT = 60_000;

/** Settings to find the API server. */
export interface ConnectionOptions {
  /**
   * Path of a kubeconfig file. Several files are merged as kubectl does: of two entries with the
   * same name, and of two current contexts, the earlier file takes precedence.
   * @default - the pod's own service account
   */
  readonly kubeconfig?: string | readonly string[];
  /** Context of the kubeconfig. @default - its current context */
  readonly context?: string;
  /** Milliseconds to wait for credentials. @default 60000 */
  readonly credentialsTimeout?: number;
}

/**
 * Makes a connection from a kubeconfig, or inside a pod from its service account.
 *
 * It does not read the environment variable KUBECONFIG: a caller that supports it passes its value.
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
    // Among several files, skip one that is empty except for comments. Relative paths become
    // absolute, from the folder of their file.
    if (/^\s*(?!---\s*$)[^#\s]/m.test(readFileSync(file, 'utf8'))) config.loadFromFile(file);
  } catch (error) {
    // A YAML error quotes the surrounding lines, which can contain keys; its reason does not.
    const { code, reason = toError(error).message } = error as { readonly code?: string; readonly reason?: string };
    throw new Error(`cannot read the kubeconfig ${file}: ${code === 'ENOENT' ? 'there is no such file' : reason}`);
  }
  return config;
}

function firstOfEachName<T extends { readonly name: string }>(entries: readonly T[]): T[] {
  return entries.filter(({ name }, index) => entries.findIndex((other) => other.name === name) === index);
}

function connectionOf(config: KubeConfig, timeout: number): Connection {
  const cluster = config.getCurrentCluster()!;
  if (cluster.server.startsWith('http:')) {
    // client-node rejects plain HTTP unless verification is off; `kubectl proxy` is plain HTTP.
    Object.assign(cluster, { skipTLSVerify: true });
  }
  let last: Credentials | undefined;
  let lastRead = -Infinity;
  let reading: Promise<Credentials> | undefined;

  async function read(): Promise<Credentials> {
    const fresh = await readCredentials(config);
    lastRead = performance.now();
    // Keeps the same TLS object while nothing changes, so that connections are reused.
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

/**
 * Rejects if a promise takes too long. The credential program keeps running: client-node does not
 * expose it.
 */
function within<T>(timeout: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no credentials within ${timeout} ms`)), timeout);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

async function readCredentials(config: KubeConfig): Promise<Credentials> {
  const options: https.RequestOptions = {};
  try {
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    // A parser's message quotes the input, which can be a token.
    const reason = error instanceof SyntaxError ? 'its output is not JSON' : toError(error).message.trim() || 'it gives no reason';
    throw new Error(config.getCurrentUser()?.exec ? `the credential program failed: ${reason}` : reason);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries((options.headers ?? {}) as Record<string, string>)) {
    // Token files can end with a newline, which HTTP forbids.
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
