import { DEFAULT_LOCK } from '../model/installation';

/**
 * Returns the value of a flag, of which the last occurrence applies; undefined if it is missing.
 */
export function valueOf(args: readonly string[], name: string): string | undefined {
  const index = args.findLastIndex((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`));
  const arg = args[index];
  return arg === undefined || arg.includes('=') ? arg?.slice(name.length + 3) : args[index + 1];
}

/** Returns the name of an operator's Lease; undefined without leader election. */
export function lockNameIn(args: readonly string[]): string | undefined {
  if (/^(0|f|false)$/i.test(valueOf(args, 'leader-election') ?? '')) return undefined;
  return valueOf(args, 'leader-election-lock-name') ?? DEFAULT_LOCK;
}
