import type { Violation } from '../model/problem';

/** Names such as `fs.s3a.secret.key` and `keyStorePassword`; those of Azure may end with the account. */
const SECRET = /(secret|key|password|passwd|token)((\.[^.]+){1,2}\.(dfs|blob)\..+)?$/i;

/** The key of an account, by its short name, and the shared access signature of a container: not the class that finds one, and when it is renewed. */
const SECRET_OF_AZURE = /\bfs\.azure\.(account\.key\.|sas\.(?!token\.(provider|renew)\.|expiry\.))/i;

/** Where a key that AWS keeps may be named, by its id or an alias (SSE-KMS); or the key itself may stand (SSE-C). */
const KEY_OR_ITS_NAME = /\bfs\.s3a\.(bucket\..+\.)?(encryption|server-side-encryption)\.key$/;
const NAME_OF_KEY = /^(alias\/[\w/-]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|mrk-[0-9a-f]{32})$/i;

/** What Hadoop (`.`) or Spark (`:`) looks up in the container, and names of keys that AWS keeps. */
const HARMLESS = /^(\$\{env[.:][A-Za-z_][A-Za-z0-9_]*\}|arn:.*)$/;

/**
 * Properties whose values are secrets, which would stand in ConfigMaps and manifests. The values are not repeated.
 * @param remedy how else they are set
 * @internal
 */
export function secretViolations(prop: string, conf: { readonly [key: string]: string } | undefined, remedy: string): Violation[] {
  return Object.entries(conf ?? {}).filter(([key, value]) => isSecret(key, value))
    .map(([key]) => ({ path: `${prop}[${JSON.stringify(key)}]`, value: undefined, reason: `is a secret, which would stand in a ConfigMap for all to read; ${remedy}` }));
}

function isSecret(key: string, value: string): boolean {
  if (HARMLESS.test(value) || (KEY_OR_ITS_NAME.test(key) && NAME_OF_KEY.test(value))) return false;
  return SECRET.test(key) || SECRET_OF_AZURE.test(key);
}
