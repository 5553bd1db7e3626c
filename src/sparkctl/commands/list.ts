import { CLUSTER_OPTIONS, SELECTION_OPTIONS } from '../cluster';
import { painter } from '../../text/colours';
import { command } from '../command';
import { CommandError } from '../errors';
import { UsageError } from '../../text/usage-error';
import { readFactsOf, NO_FACTS, withoutPods } from '../list/facts';
import { FILTER_OPTIONS, filterOf, selected } from '../list/filter';
import { inOrder } from '../list/order';
import { readRuns } from '../list/runs';
import { listLines } from '../list/table';
import { isMissingNamespace } from '../namespaces';
import { watchList } from '../list/watch';
import { checkPermission } from '../own-permission';
import { FORMATS, objectsText, OUTPUT_OPTION } from '../output/objects';
import { RESULT_LEGEND } from '../view/results';
import { printable } from '../../text/printable';
import { kindOf, KINDS } from '../target';
import type { KubeObject } from '../../kube/objects';
import type { WholeApplication } from '../../model/spark-application';
import type { WholeConnect } from '../../model/spark-connect';

/** `sparkctl list`. */
export default command({
  usage: '[applications|schedules|connects] [options]',
  description: [
    'Lists the SparkApplications of a namespace, the newest last, or its ScheduledSparkApplications or SparkConnects.',
    'The reason of a state is next to it, such as RUNNING (1 executor unschedulable); yellow ones need attention.',
    `RESULTS of a schedule are its latest runs, the oldest first: ${RESULT_LEGEND}.`,
  ].join('\n'),
  options: {
    ...CLUSTER_OPTIONS,
    ...SELECTION_OPTIONS,
    ...FILTER_OPTIONS,
    watch: { short: 'w', help: 'show changes until Ctrl-C; a terminal shows the current list, elsewhere changed lines are printed' },
    wide: { help: 'with the whole reason of each state; --watch on a terminal cuts it' },
    output: { ...OUTPUT_OPTION, choices: [...FORMATS, 'wide'], help: 'output format for scripts; wide equals --wide' },
  },
  examples: [
    ['sparkctl list -A --attention', 'what needs attention in the whole cluster'],
    ['sparkctl list --failed --since 2h --wide', 'what failed in the last two hours, and why'],
    ['sparkctl list --watch', 'the list, as it changes'],
    ['sparkctl list schedules -n etl', 'the next runs, and the results of the last ones'],
    ['sparkctl list -l team=data -o name', 'names for a script'],
  ],
  exitCodes: { 1: 'the cluster does not answer, or there is no such namespace', 130: 'Ctrl-C ended --watch' },
  async run(values, [word = 'applications', ...others], context) {
    const { connect, io, now, signal, terminal } = context;
    if (others.length > 0) throw new UsageError(`it lists one kind, not ${others.length + 1}; \`sparkctl status NAME\` shows an object`);
    const kind = kindOf(word, ['applications', 'schedules', 'connects']);
    const filter = filterOf(values, kind, now);
    const format = values.output === 'wide' ? undefined : values.output;
    if (values.watch && format) throw new UsageError(`--watch prints a table; omit --output=${format}`);
    const { client, namespace: own } = await connect(values);
    const namespace = values['all-namespaces'] ? undefined : own;
    const resource = KINDS[kind];
    const wide = values.wide || values.output === 'wide';
    const where = namespace === undefined ? 'in the cluster' : `in the namespace ${printable(namespace)}`;
    const labels = values.selector ? ` with the labels ${printable(values.selector)}` : '';
    const none = `There are no ${resource.kind}s${filter.text}${labels} ${where}.`;
    const rejectMissingNamespace = async () => {
      if (namespace === undefined || !await isMissingNamespace(client, namespace, signal)) return;
      throw new CommandError(`there is no namespace ${namespace}; \`kubectl get namespaces\` lists existing ones`);
    };
    if (values.watch) {
      await rejectMissingNamespace();
      const { group, plural } = resource;
      await checkPermission(client, { group, resource: plural, verb: 'watch', namespace }, signal);
      return watchList(client, { kind, namespace, labelSelector: values.selector, filter, wide, none }, context);
    }
    const objects: KubeObject[] = [];
    for await (const object of client.list<KubeObject>(resource, { namespace, labelSelector: values.selector, signal })) {
      objects.push(object);
    }
    if (objects.length === 0) await rejectMissingNamespace();
    const needsFacts = format === undefined || filter.needsAttention;
    const facts = needsFacts ? await readFactsOf(client, kind, objects, { namespace, now: now(), signal }) : NO_FACTS;
    const listed = inOrder(selected(objects, kind, filter, facts, now()));
    if (filter.needsAttention && facts.isWithoutPods) io.stderr(`${withoutPods(namespace)}\n`);
    if (format) {
      io.stdout(objectsText(format, resource, listed, true));
    } else if (listed.length === 0) {
      io.stderr(`${none}\n`);
    } else {
      const observe = (application: WholeApplication) => facts.observed(application, now());
      const observeConnect = (server: WholeConnect) => facts.observedConnect(server, now());
      const options = {
        now: now(), paint: painter(terminal), wide, observe, observeConnect, isEverywhere: namespace === undefined,
        isUnicode: terminal.isUnicode, operatorOf: facts.operatorOf,
        ...(kind === 'schedule' && { runsOf: await readRuns(client, { namespace, signal }) }),
      };
      io.stdout(`${listLines(kind, listed, options, terminal.columns).join('\n')}\n`);
    }
    return 0;
  },
});
