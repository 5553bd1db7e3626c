import { CLUSTER_OPTIONS, SELECTION_OPTIONS } from '../cluster';
import { painter } from '../../text/colours';
import { command } from '../command';
import { CommandError } from '../errors';
import { UsageError } from '../../text/usage-error';
import { FORMATS, objectsText, OUTPUT_OPTION } from '../output/objects';
import { tableLines } from '../../text/table';
import { printable } from '../../text/printable';
import { kindOf, KINDS, type KindName } from '../target';
import { LISTINGS } from '../view/rows';
import { ApplicationState } from '../../api/states';
import type { KubeObject } from '../../kube/objects';
import { stateOf, type SparkApplication } from '../../model/spark-application';

const STATES: readonly string[] = Object.values(ApplicationState).map((state) => state || 'NEW');

/** `sparkctl list`. */
export default command({
  usage: '[applications|schedules|connects] [options]',
  description: 'Lists the SparkApplications of a namespace, the newest last, or its ScheduledSparkApplications or SparkConnects.',
  options: {
    ...CLUSTER_OPTIONS,
    ...SELECTION_OPTIONS,
    state: { value: 'STATE,…', help: `only applications in these states: ${STATES.join(', ')}` },
    wide: { help: 'with the reason of each state' },
    output: { ...OUTPUT_OPTION, choices: [...FORMATS, 'wide'], help: 'output format for scripts; wide equals --wide' },
  },
  examples: [
    ['sparkctl list -A --state=FAILED,FAILING --wide', 'what failed in the whole cluster, and why'],
    ['sparkctl list schedules -n etl', 'the next runs'],
    ['sparkctl list -l team=data -o name', 'names for a script'],
  ],
  exitCodes: { 1: 'the cluster does not answer' },
  async run(values, [word = 'applications', ...others], { connect, io, now, signal, terminal }) {
    if (others.length > 0) throw new UsageError(`it lists one kind, not ${others.length + 1}; \`sparkctl status NAME\` shows an object`);
    const kind = kindOf(word);
    const states = statesOf(values.state, kind);
    const { client, namespace: own } = await connect(values);
    const namespace = values['all-namespaces'] ? undefined : own;
    const resource = KINDS[kind];
    const objects: KubeObject[] = [];
    for await (const object of client.list<KubeObject>(resource, { namespace, labelSelector: values.selector, signal })) {
      if (!states || states.includes(stateOf(object as SparkApplication) || 'NEW')) objects.push(object);
    }
    objects.sort((a, b) => timeOf(a) - timeOf(b) || a.metadata.name.localeCompare(b.metadata.name));
    if (values.output && values.output !== 'wide') {
      io.stdout(objectsText(values.output, resource, objects, true));
      return 0;
    }
    if (objects.length === 0) {
      const where = namespace === undefined ? 'in the cluster' : `in the namespace ${printable(namespace)}`;
      io.stderr(`There are no ${resource.kind}s${states ? ` in ${states.join(', ')}` : ''} ${where}.\n`);
      return 0;
    }
    const { header, row } = LISTINGS[kind];
    const wide = values.wide || values.output === 'wide';
    const options = { now: now(), paint: painter(terminal), wide };
    const rows = objects.map((object) => [
      ...(namespace === undefined ? [printable(object.metadata.namespace!)] : []), ...row(object, options),
    ]);
    const columns = [...(namespace === undefined ? ['NAMESPACE'] : []), ...header, ...(wide ? ['WHY'] : [])];
    io.stdout(`${tableLines(columns, rows, terminal.columns).join('\n')}\n`);
    return 0;
  },
});

function statesOf(given: string | undefined, kind: KindName): string[] | undefined {
  if (given === undefined) return undefined;
  if (kind !== 'application') throw new UsageError('--state needs the kind applications');
  const states = given.toUpperCase().split(',');
  const wrong = states.find((state) => !STATES.includes(state));
  if (wrong !== undefined) throw new UsageError(`--state=${given}: there is no state ${wrong}; write some of ${STATES.join(', ')}`);
  return states;
}

function timeOf({ metadata }: KubeObject): number {
  const time = Date.parse(metadata.creationTimestamp ?? '');
  if (!Number.isFinite(time)) throw new CommandError(`${metadata.name} has no creationTimestamp; the API server's response is invalid`);
  return time;
}
