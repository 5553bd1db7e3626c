import { reportDelay } from '../action/delay';
import { rejectDeletion } from '../action/deletion';
import { doToEach } from '../action/each';
import { codeAfter, WAIT_FAILURE, WAIT_OPTIONS, waitingIn } from '../action/waiting';
import { CLUSTER_OPTIONS } from '../cluster';
import { command } from '../command';
import { overridesIn } from '../create/override';
import { rerunWithChanges, type RunChanges } from '../edit/rerun';
import { printMessage } from '../output/wrapped-output';
import { UsageError } from '../../text/usage-error';
import { WAIT_EXIT_CODES } from '../wait/follow';
import { rerun as rerunApplication } from '../../model/actions/actions';
import { SPARK_APPLICATIONS } from '../../model/resources';
import type { WholeApplication } from '../../model/spark-application';

/** `sparkctl rerun`. */
export default command({
  usage: 'NAME… [options] [-- ARGUMENT…]',
  description: [
    'Runs SparkApplications again, in any state: a current run is stopped first, and attempts are counted anew. A suspended',
    'application runs when it is resumed.',
    '',
    'Words after -- replace the arguments of the program, which are spec.arguments; -- alone removes them. --override',
    'replaces other fields of the specification. Both need one NAME, and print what they change. The application keeps the',
    'changes, so that later runs have them, too.',
  ].join('\n'),
  takesArguments: true,
  options: {
    ...CLUSTER_OPTIONS,
    override: {
      value: 'FIELD=VALUE,…', repeatable: true,
      help: 'replace fields of the specification, such as driver.memory=4g or sparkConf.spark.ui.enabled=false; '
        + '\\, is a comma in a value',
    },
    ...WAIT_OPTIONS,
  },
  examples: [
    ['sparkctl rerun pi', 'run a job again, with the same specification'],
    ['sparkctl rerun pi --wait', 'run it again; the exit code shows the outcome'],
    ['sparkctl rerun etl -- --date 2026-03-01', 'with other arguments'],
    ['sparkctl rerun etl --override=driver.memory=4g', 'with more memory for the driver'],
  ],
  exitCodes: { ...WAIT_EXIT_CODES, 1: `it failed for one of them, but not for the others; ${WAIT_FAILURE}` },
  async run(values, words, context, args) {
    const waiting = waitingIn(values);
    const changes: RunChanges = { args, overrides: overridesIn(values.override) };
    const isChanged = args !== undefined || changes.overrides.length > 0;
    if (isChanged && words.length > 1) {
      throw new UsageError(`${args ? 'arguments after --' : '--override'}: write one NAME, not ${words.length}`);
    }
    const { io, terminal, now, signal } = context;
    const { client, namespace } = await context.connect(values);
    const begun: WholeApplication[] = [];
    let lines: readonly string[] = [];
    const code = await doToEach(words, {
      command: 'rerun', client, namespace, io, terminal, signal, allowed: ['application'], done: 'will run again',
      act: async ({ ref }) => {
        const at = new Date(now());
        if (!isChanged) rejectDeletion(await client.get(SPARK_APPLICATIONS, ref, { signal }));
        const rerun = isChanged
          ? await rerunWithChanges(client, ref, at, changes, signal)
          : { application: await rerunApplication(client, ref, at, { signal }), lines };
        begun.push(rerun.application);
        lines = rerun.lines;
        return rerun.application.spec.suspend ? 'is suspended, and runs again when it is resumed' : undefined;
      },
    });
    for (const line of lines) printMessage(context, `  ${line}`);
    await reportDelay(client, begun, context);
    return codeAfter(waiting, begun, code, { ...context, client });
  },
});
