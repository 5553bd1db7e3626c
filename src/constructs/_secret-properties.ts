import type { Violation } from '../validation/validate';

/** Names such as `fs.s3a.secret.key` and `keyStorePassword`; those of Azure may end with the account. */
const SECRET = /(secret|key|password|passwd|token)((\.[^.]+){1,2}\.(dfs|blob)\..+)?$/i;

/** What Hadoop (`.`) or Spark (`:`) looks up in the container, and names of keys that AWS keeps. */
const HARMLESS = /^(\$\{env[.:][A-Za-z_][A-Za-z0-9_]*\}|arn:.*)$/;

/**
 * Properties whose values are secrets, which would stand in ConfigMaps and manifests. The values are not repeated.
 * @param remedy how else they are set
 * @internal
 */
export function secretViolations(prop: string, conf: { readonly [key: string]: string } | undefined, remedy: string): Violation[] {
  return Object.entries(conf ?? {}).filter(([key, value]) => SECRET.test(key) && !HARMLESS.test(value))
    .map(([key]) => ({ path: `${prop}[${JSON.stringify(key)}]`, value: undefined, reason: `is a secret, which would stand in a ConfigMap for all to read; ${remedy}` }));
}
