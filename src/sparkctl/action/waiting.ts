import type { Context } from '../command';
import { titleOf } from '../output/title';
import type { Options, Values } from '../options';
import { UsageError } from '../../text/usage-error';
import { TIMEOUT_OPTION, timeoutOf } from '../wait/timeout';
import { outcomeMark } from '../wait/progress';
import { waitFor } from '../wait/wait';
import type { KubeClient } from '../../kube/client';
import { QUEUE_NAME } from '../../model/kueue';
import { SPARK_APPLICATIONS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';
import { painter } from '../../text/colours';
import { printable } from '../../text/printable';

/** Options of commands that start applications. */
export const WAIT_OPTIONS = {
  wait: { help: 'wait until the applications have ended, and show their progress' },
  timeout: TIMEOUT_OPTION,
} as const satisfies Options;

/** Meaning of the exit code 1 with `--wait`. */
export const WAIT_FAILURE = 'with --wait also: an application has failed, or is suspended';

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
 * of an earlier run. Suspended ones are reported and not awaited: nothing of them runs.
 *
 * @param code exit code of the preceding action
 * @returns that code if it is not 0, else the exit code of the wait
 */
export async function codeAfter(
  waiting: Waiting | undefined, applications: readonly WholeApplication[], code: number,
  { client, quiet = false, ...context }: Pick<Context, 'io' | 'terminal' | 'signal'>
    & { readonly client: KubeClient; readonly quiet?: boolean },
): Promise<number> {
  if (!waiting || applications.length === 0) return code;
  const suspended = applications.filter(isSuspended);
  const mark = outcomeMark(false, painter(context.terminal));
  for (const { metadata } of suspended) context.io.stderr(`${mark} ${printable(suspendedText(metadata))}\n`);
  const awaited = applications.filter((each) => !isSuspended(each)).map(({ metadata: { namespace, name, uid, generation } }) => ({
    namespace, name, uid, generation,
  }));
  const ended = awaited.length === 0 ? 0 : await waitFor(client, awaited, context, { timeout: waiting.timeout, quiet });
  return code || (suspended.length > 0 ? 1 : ended);
}

/** Whether only a user resumes an application, not Kueue. */
function isSuspended({ metadata, spec }: WholeApplication): boolean {
  return Boolean(spec.suspend) && metadata.labels?.[QUEUE_NAME] === undefined;
}

function suspendedText({ namespace, name }: WholeApplication['metadata']): string {
  const title = titleOf({ kind: SPARK_APPLICATIONS.kind, metadata: { namespace, name } });
  return `${title} is suspended, so --wait does not wait for it; \`sparkctl resume ${name} -n ${namespace} --wait\` runs it`;
}
