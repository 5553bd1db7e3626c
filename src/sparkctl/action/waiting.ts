import type { Context } from '../command';
import type { Options, Values } from '../options';
import { UsageError } from '../../text/usage-error';
import { TIMEOUT_OPTION, timeoutOf } from '../wait/timeout';
import { waitFor } from '../wait/wait';
import type { KubeClient } from '../../kube/client';
import type { KubeObject } from '../../kube/objects';

/** Of commands after which applications run. */
export const WAIT_OPTIONS = {
  wait: { help: 'wait until the applications have ended, and show how they are' },
  timeout: TIMEOUT_OPTION,
} as const satisfies Options;

/** How long is waited. */
export interface Waiting {
  /** Milliseconds. @default - without end */
  readonly timeout?: number;
}

/**
 * Whether it is waited, and how.
 *
 * @throws {UsageError} if the options do not fit each other
 */
export function waitingIn({ wait, timeout: text }: Values<typeof WAIT_OPTIONS>): Waiting | undefined {
  const timeout = timeoutOf(text);
  if (timeout !== undefined && !wait) throw new UsageError('--timeout only goes with --wait; add it');
  return wait ? { timeout } : undefined;
}

/**
 * Waits for the end of applications, of what they are by now: what has been of them before does not count.
 *
 * @param code the exit code of what has been done before
 * @returns that code if it tells of a failure, else how they have ended
 */
export async function codeAfter(
  waiting: Waiting | undefined, applications: readonly KubeObject[], code: number, { client, quiet = false, ...context }: Pick<Context, 'io' | 'terminal' | 'signal'> & { readonly client: KubeClient; readonly quiet?: boolean },
): Promise<number> {
  if (!waiting || applications.length === 0) return code;
  const awaited = applications.map(({ metadata: { namespace, name, uid, generation } }) => ({ namespace: namespace!, name, uid, generation }));
  const ended = await waitFor(client, awaited, context, { timeout: waiting.timeout, quiet });
  return code === 0 ? ended : code;
}
