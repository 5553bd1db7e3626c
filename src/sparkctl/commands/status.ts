import { CLUSTER_OPTIONS } from '../cluster';
import { painter } from '../../text/colours';
import { command } from '../command';
import { objectsText, OUTPUT_OPTION } from '../output/objects';
import { tableLines } from '../../text/table';
import { onlyTarget } from '../target';
import { statusLines } from '../view/application';
import { knownOf } from '../view/known';
import { LISTINGS } from '../view/rows';
import type { WholeApplication } from '../../model/spark-application';

/** `sparkctl status`. */
export default command({
  usage: 'NAME [options]',
  description: [
    'Prints the state of a SparkApplication, the reason, and what to do if it does not progress.',
    'schedule/NAME and connect/NAME are ScheduledSparkApplications and SparkConnects.',
  ].join('\n'),
  options: { ...CLUSTER_OPTIONS, output: OUTPUT_OPTION },
  examples: [
    ['sparkctl status pi', 'why a job does not start'],
    ['sparkctl status pi -o json | jq -r .status.applicationState.state', 'the state, for a script'],
  ],
  exitCodes: { 1: 'there is no such object, or the cluster does not answer' },
  async run(values, words, { connect, io, now, signal, terminal }) {
    const { client, namespace } = await connect(values);
    const { kind, resource, ref } = onlyTarget(words, namespace, ['application', 'schedule', 'connect']);
    const object = await client.get(resource, ref, { signal });
    const paint = painter(terminal);
    if (values.output) {
      io.stdout(objectsText(values.output, resource, [object], false));
    } else if (kind === 'application') {
      io.stdout(`${statusLines(await knownOf(client, object as WholeApplication, now(), signal), paint).join('\n')}\n`);
    } else {
      const { header, row } = LISTINGS[kind];
      io.stdout(`${tableLines([...header, 'WHY'], [row(object, { now: now(), paint, wide: true })], terminal.columns).join('\n')}\n`);
    }
    return 0;
  },
});
