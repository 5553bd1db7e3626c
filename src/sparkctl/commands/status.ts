import { CLUSTER_OPTIONS } from '../cluster';
import { command, type Context } from '../command';
import { withNamesake } from '../namesake';
import { objectsText, OUTPUT_OPTION } from '../output/objects';
import { titleOf } from '../output/title';
import { about, problemText } from '../problem';
import { KINDS, targetOf, type KindName } from '../target';
import { statusLines } from '../view/application';
import { attemptLines } from '../view/attempts';
import { connectLines } from '../view/connect';
import { knownOf } from '../view/known';
import { knownConnect } from '../view/known-connect';
import { readScheduleLines } from '../view/runs';
import type { ObservedApplication } from '../../explain/explain';
import type { KubeClient } from '../../kube/client';
import type { KubeObject } from '../../kube/objects';
import { apiVersionOf } from '../../kube/resource';
import { attemptRecords } from '../../model/attempts';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import type { WholeApplication } from '../../model/spark-application';
import type { WholeConnect } from '../../model/spark-connect';
import { painter, type Paint } from '../../text/colours';
import { printable } from '../../text/printable';
import { UsageError } from '../../text/usage-error';

const ALLOWED = ['application', 'schedule', 'connect'] as const;

/** `sparkctl status`. */
export default command({
  usage: 'NAME… [options]',
  description: [
    'Prints the state of a SparkApplication, the reason, and what to do if it does not progress.',
    'schedule/NAME and connect/NAME are ScheduledSparkApplications and SparkConnects.',
  ].join('\n'),
  options: { ...CLUSTER_OPTIONS, output: OUTPUT_OPTION },
  examples: [
    ['sparkctl status pi', 'why a job does not start'],
    ['sparkctl status pi etl schedule/nightly', 'several objects'],
    ['sparkctl status pi -o json | jq -r .status.applicationState.state', 'the state, for a script'],
  ],
  exitCodes: { 1: 'one of the objects does not exist, or the cluster does not answer; the others are printed' },
  async run(values, words, { connect, io, now, signal, terminal }) {
    if (words.length === 0) throw new UsageError('NAME is missing; `sparkctl list` lists existing ones');
    const { client, namespace } = await connect(values);
    const targets = words.map((word) => targetOf(word, namespace, ALLOWED));
    const found: KubeObject[] = [];
    let code = 0;
    for (const { kind, resource, ref } of targets) {
      try {
        const object = await client.get(resource, ref, { signal });
        const lines = values.output ? [] : await linesFor(kind, object, client, { now: now(), signal, terminal });
        if (lines.length > 0) io.stdout(`${found.length > 0 ? '\n' : ''}${lines.join('\n')}\n`);
        if (values.output === 'name') io.stdout(objectsText('name', resource, [object], false));
        found.push({ apiVersion: apiVersionOf(resource), kind: resource.kind, ...object });
      } catch (error) {
        const problem = targets.length > 1 ? problemText(await withNamesake(error, client, ALLOWED, signal)) : undefined;
        if (problem === undefined || signal.aborted) throw error;
        io.stderr(printable(`sparkctl status: ${about(titleOf({ kind: resource.kind, metadata: ref }), problem)}\n`));
        code = 1;
      }
    }
    if (values.output && values.output !== 'name' && found.length > 0) {
      // Each object has its own kind here.
      io.stdout(objectsText(values.output, KINDS.application, found, targets.length > 1));
    }
    return code;
  },
});

async function linesFor(
  kind: KindName, object: KubeObject, client: KubeClient, { now, signal, terminal }: { now: number } & Pick<Context, 'signal' | 'terminal'>,
): Promise<string[]> {
  const paint = painter(terminal);
  if (kind === 'application') {
    return applicationLines(await knownOf(client, object as WholeApplication, now, signal), paint, terminal.columns);
  }
  if (kind === 'schedule') return readScheduleLines(client, object as ScheduledSparkApplication, now, paint, terminal, signal);
  return connectLines(await knownConnect(client, object as WholeConnect, now, signal), paint, terminal.columns);
}

/** Returns the state of an application, and a table of its attempts if there are several. */
function applicationLines(known: ObservedApplication, paint: Paint, columns?: number): string[] {
  const hasRetries = attemptRecords(known.application).length > 1;
  return [...statusLines(known, paint, columns), ...(hasRetries ? ['', ...attemptLines(known, paint, columns)] : [])];
}
