import type { Problem } from '../model/problem';

/**
 * Names such as `fs.s3a.secret.key` and `keyStorePassword`; those of Azure can end with the
 * account.
 */
const SECRET = /(secret|key|password|passwd|token)((\.[^.]+){1,2}\.(dfs|blob)\..+)?$/i;

/**
 * The key of an account, by its short name, and the shared access signature of a container; not the
 * class of a provider, and not a renewal period.
 */
const SECRET_OF_AZURE = /\bfs\.azure\.(account\.key\.|sas\.(?!token\.(provider|renew)\.|expiry\.))/i;

/**
 * Properties with the id or alias of a key that AWS stores (SSE-KMS), or with the key itself
 * (SSE-C).
 */
const KEY_OR_ITS_NAME = /\bfs\.s3a\.(bucket\..+\.)?(encryption|server-side-encryption)\.key$/;
const NAME_OF_KEY = /^(alias\/[\w/-]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|mrk-[0-9a-f]{32})$/i;

/**
 * References that Hadoop (`.`) or Spark (`:`) resolves in the container, and names of keys that AWS
 * stores.
 */
const HARMLESS = /^(\$\{env[.:][A-Za-z_][A-Za-z0-9_]*\}|arn:.*)$/;

/** Longer than all names of properties; the patterns take quadratic time. */
const MAX_NAME_LENGTH = 500;

/**
 * Rejects properties whose values are secrets: ConfigMaps and manifests would contain them. The
 * problems do not repeat the values.
 * @param remedy how to set them instead
 * @internal
 */
export function secretViolations(prop: string, conf: { readonly [key: string]: string } | undefined, remedy: string): Problem[] {
  return Object.entries(conf ?? {}).filter(([key, value]) => isSecret(key, value))
    .map(([key]) => ({
      path: `${prop}[${key}]`, value: undefined,
      reason: `is a secret, which would be readable in a ConfigMap; ${remedy}`,
    }));
}

/**
 * Whether the value of a property is a secret.
 * @internal
 */
export function isSecret(key: string, value: string): boolean {
  if (key.length > MAX_NAME_LENGTH) return false;
  if (HARMLESS.test(value) || (KEY_OR_ITS_NAME.test(key) && NAME_OF_KEY.test(value))) return false;
  return SECRET.test(key) || SECRET_OF_AZURE.test(key);
}
