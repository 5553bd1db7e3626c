import type { Context } from '../command';
import type { Options, Values } from '../options';
import { UsageError } from '../../text/usage-error';
import { TIMEOUT_OPTION, timeoutOf } from '../wait/timeout';
import { waitFor } from '../wait/wait';
import type { KubeClient } from '../../kube/client';
import type { KubeObject } from '../../kube/objects';

/** Options of commands that start applications. */
export const WAIT_OPTIONS = {
  wait: { help: 'wait until the applications have ended, and show their progress' },
  timeout: TIMEOUT_OPTION,
} as const satisfies Options;

/** Parsed options of waiting. */
export interface Waiting {
  /** Milliseconds. @default - unlimited */
  readonly timeout?: number;
}

/**
 * Parses the options; undefined without `--wait`.
 *
 * @throws {UsageError} if the options contradict each other
 */
export function waitingIn({ wait, timeout: text }: Values<typeof WAIT_OPTIONS>): Waiting | undefined {
  const timeout = timeoutOf(text);
  if (timeout !== undefined && !wait) throw new UsageError('--timeout needs --wait; add it');
  return wait ? { timeout } : undefined;
}

/**
 * Waits for the end of applications. Only the status of their current generation applies, not that
 * of an earlier run.
 *
 * @param code exit code of the preceding action
 * @returns that code if it is not 0, else the exit code of the wait
 */
export async function codeAfter(
  waiting: Waiting | undefined, applications: readonly KubeObject[], code: number,
  { client, quiet = false, ...context }: Pick<Context, 'io' | 'terminal' | 'signal'>
    & { readonly client: KubeClient; readonly quiet?: boolean },
): Promise<number> {
  if (!waiting || applications.length === 0) return code;
  const awaited = applications.map(({ metadata: { namespace, name, uid, generation } }) => ({
    namespace: namespace!, name, uid, generation,
  }));
  const ended = await waitFor(client, awaited, context, { timeout: waiting.timeout, quiet });
  return code === 0 ? ended : code;
}
