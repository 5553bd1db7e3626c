import { createSign } from 'node:crypto';
import { CommandError } from '../../errors';
import { toError } from '../../../kube/errors';
import type { CredentialSources } from '../s3/credentials';

/** Returns an access token for the next request; undefined for an emulator, which needs none. */
export type TokenSource = () => Promise<string | undefined>;

/** Dependencies of getting tokens. */
export interface TokenDependencies {
  readonly fetch: typeof fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Milliseconds before its end at which a token is replaced. */
const MARGIN = 60_000;

/** Milliseconds for an answer. */
const TIMEOUT = 15_000;

/** Milliseconds for an answer of the metadata server, which is near, or does not exist. */
const METADATA_TIMEOUT = 3_000;

const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write';

/** Key file, by its type; only the fields that are read. */
interface KeyFile {
  readonly type?: string;
  readonly client_email?: string;
  readonly private_key?: string;
  readonly token_uri?: string;
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly refresh_token?: string;
}

/** Token, and when it ends in milliseconds since 1970. */
interface Token {
  readonly text: string;
  readonly end: number;
}

/**
 * Finds credentials as Google's libraries do (Application Default Credentials): a token in
 * `GOOGLE_OAUTH_ACCESS_TOKEN` or `CLOUDSDK_AUTH_ACCESS_TOKEN`, the file that
 * `GOOGLE_APPLICATION_CREDENTIALS` names, that of `gcloud auth application-default login`, and the
 * metadata server of Google's machines. An emulator (`STORAGE_EMULATOR_HOST`) never gets a token.
 *
 * @throws {CommandError} if there are none
 */
export async function googleToken(sources: CredentialSources, dependencies: TokenDependencies): Promise<TokenSource> {
  const { environment, home, readFile } = sources;
  if (environment.STORAGE_EMULATOR_HOST) return async () => undefined;
  const given = environment.GOOGLE_OAUTH_ACCESS_TOKEN || environment.CLOUDSDK_AUTH_ACCESS_TOKEN;
  if (given) return async () => given;
  const named = environment.GOOGLE_APPLICATION_CREDENTIALS;
  const path = named || `${environment.CLOUDSDK_CONFIG || `${home}/.config/gcloud`}/application_default_credentials.json`;
  const text = await readFile(path);
  if (named && text === undefined) {
    throw new CommandError(`GOOGLE_APPLICATION_CREDENTIALS names ${named}, which cannot be read; check the path and its permissions`);
  }
  const get = text === undefined ? () => metadataToken(environment, dependencies) : await tokensOf(path, text, dependencies);
  let token: Token | undefined;
  return async () => {
    if (!token || token.end - MARGIN < dependencies.now()) token = await get();
    return token.text;
  };
}

async function tokensOf(path: string, text: string, dependencies: TokenDependencies): Promise<() => Promise<Token>> {
  const key = keyIn(path, text);
  const from = key.token_uri ?? 'https://oauth2.googleapis.com/token';
  switch (key.type) {
    case 'service_account': return () => requested(from, path, {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: assertionOf(path, key, from, dependencies.now()),
    }, dependencies);
    case 'authorized_user': return () => requested(from, path, {
      grant_type: 'refresh_token', client_id: key.client_id ?? '', client_secret: key.client_secret ?? '', refresh_token: key.refresh_token ?? '',
    }, dependencies);
    default: throw new CommandError(
      `${path} has credentials of the type ${key.type ?? 'none'}, which sparkctl does not support; `
        + 'set GOOGLE_OAUTH_ACCESS_TOKEN=$(gcloud auth print-access-token)',
    );
  }
}

function keyIn(path: string, text: string): KeyFile {
  try {
    return JSON.parse(text) as KeyFile;
  } catch {
    // The message of the parser could quote the key.
    throw new CommandError(`${path} is not the JSON of a key; download the key again`);
  }
}

/** Returns the signed request of a service account (RFC 7523). */
function assertionOf(path: string, { client_email: account, private_key: key }: KeyFile, audience: string, now: number): string {
  const seconds = Math.floor(now / 1_000);
  const encoded = [
    { alg: 'RS256', typ: 'JWT' }, { iss: account, scope: SCOPE, aud: audience, iat: seconds, exp: seconds + 3_600 },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  try {
    return `${encoded}.${createSign('RSA-SHA256').update(encoded).sign(key ?? '').toString('base64url')}`;
  } catch {
    throw new CommandError(`${path} has no valid private_key; download the key again`);
  }
}

async function requested(
  url: string, path: string, form: Readonly<Record<string, string>>, { fetch, now }: TokenDependencies,
): Promise<Token> {
  const { status, answer } = await asked(fetch, url, {
    method: 'POST', body: new URLSearchParams(form), signal: AbortSignal.timeout(TIMEOUT),
  });
  const token = tokenIn(answer, now());
  if (token) return token;
  const { error, error_description: description } = answer as { readonly error?: string; readonly error_description?: string };
  throw new CommandError(
    `${url} gives no token for ${path}: ${description ?? error ?? `it answered ${status}`}; `
      + 'check the key and the clock of this machine, or run `gcloud auth application-default login`',
  );
}

async function metadataToken(
  { GCE_METADATA_HOST: host = 'metadata.google.internal' }: CredentialSources['environment'], { fetch, now }: TokenDependencies,
): Promise<Token> {
  const url = `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`;
  const found = await asked(fetch, url, {
    headers: { 'metadata-flavor': 'Google' }, signal: AbortSignal.timeout(METADATA_TIMEOUT),
  }).catch(() => undefined);
  const token = found && tokenIn(found.answer, now());
  if (token) return token;
  throw new CommandError(
    'there are no credentials for the upload; set GOOGLE_APPLICATION_CREDENTIALS to the key file of a service account, '
      + 'or run `gcloud auth application-default login`',
  );
}

async function asked(fetch: TokenDependencies['fetch'], url: string, init: RequestInit): Promise<{ readonly status: number; readonly answer: object }> {
  try {
    const response = await fetch(url, init);
    const answer: unknown = await response.json().catch(() => undefined);
    return { status: response.status, answer: typeof answer === 'object' && answer !== null ? answer : {} };
  } catch (error) {
    const { cause, message } = toError(error);
    throw new CommandError(`no answer from ${url}: ${cause instanceof Error ? cause.message : message}; check the network`);
  }
}

function tokenIn(answer: object, now: number): Token | undefined {
  const { access_token: text, expires_in: seconds } = answer as { readonly access_token?: unknown; readonly expires_in?: unknown };
  return typeof text === 'string' && text !== '' ? { text, end: now + (Number(seconds) || 0) * 1_000 } : undefined;
}
