import { AllowedReader, PAGE_SIZE } from './allowed-reader';
import { truncate } from './truncate';
import type { Viewer } from './viewer';
import type { KubeClient } from '../../kube/client';
import { EVENTS } from '../../kube/events';
import { timeIn, type ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import type { SkippedRun, SkippedRuns } from '../wire-runs';

/** Maximum number of skipped runs, the latest. */
const MAX_SKIPPED = 60;

/** Maximum length of a message, in characters. */
const MAX_TEXT = 1_024;

/** Reads the latest skipped runs of a schedule, oldest first: only events have them. */
export async function readSkipped(
  client: KubeClient, viewer: Viewer, { metadata: { namespace, uid } }: ScheduledSparkApplication, signal: AbortSignal,
): Promise<SkippedRuns> {
  let found: SkippedRun[] = [];
  const latest = () => found.sort((a, b) => a.at - b.at).slice(-MAX_SKIPPED);
  const fieldSelector = `involvedObject.uid=${uid},reason=ScheduledRunSkipped`;
  const reader = new AllowedReader(client, viewer, namespace, signal);
  await reader.forEach(EVENTS, { fieldSelector }, PAGE_SIZE, ({ message = '', lastTimestamp, metadata: { creationTimestamp } }) => {
    found.push({ at: timeIn(lastTimestamp) ?? timeIn(creationTimestamp) ?? 0, message: truncate(message, MAX_TEXT) });
    if (found.length >= 2 * MAX_SKIPPED) found = latest();
    return true;
  });
  return { runs: latest(), hidden: reader.hidden };
}
