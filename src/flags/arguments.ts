/**
 * Returns the value of a flag on a command line as the operator reads it: the last one applies.
 * Returns undefined if it is not given.
 *
 * @internal
 */
export function valueOf(args: readonly string[], name: string): string | undefined {
  const index = args.reduce((last, arg, at) => (arg === `--${name}` || arg.startsWith(`--${name}=`) ? at : last), -1);
  const arg = args[index];
  if (arg === undefined) return undefined;
  if (arg.includes('=')) return arg.slice(arg.indexOf('=') + 1);
  const next = args[index + 1];
  return next === undefined || next.startsWith('--') ? 'true' : next;
}

/**
 * Returns the entries of a flag with a list, as the operator reads it.
 *
 * @internal
 */
export function listOf(args: readonly string[], name: string): string[] {
  return (valueOf(args, name) ?? '').split(',').map((entry) => entry.trim().replace(/^"(.*)"$/, '$1').trim()).filter(Boolean);
}

/**
 * Whether the command line turns a feature on.
 *
 * @internal
 */
export function isOn(args: readonly string[], name: string, byDefault: boolean): boolean {
  const value = valueOf(args, name);
  return value === undefined ? byDefault : /^(1|t|T|true|TRUE|True)$/.test(value);
}
