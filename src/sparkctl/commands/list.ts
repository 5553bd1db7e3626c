import { CLUSTER_OPTIONS, SELECTION_OPTIONS } from '../cluster';
import { painter } from '../../text/colours';
import { command, type Context } from '../command';
import type { Values } from '../options';
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

const OPTIONS = {
  ...CLUSTER_OPTIONS,
  ...SELECTION_OPTIONS,
  state: { value: 'STATE,…', help: `only applications in these states: ${STATES.join(', ')}` },
  wide: { help: 'with the reason why each is as it is' },
  output: { ...OUTPUT_OPTION, choices: [...FORMATS, 'wide'], help: 'for scripts, in place of what people read; wide is --wide' },
} as const;

/** `sparkctl list`. */
export const list = command({
  usage: '[applications|schedules|connects] [options]',
  description: 'Lists the SparkApplications of a namespace, the newest last, or its ScheduledSparkApplications or SparkConnects.',
  options: OPTIONS,
  examples: [
    ['sparkctl list -A --state=FAILED,FAILING --wide', 'what has failed in the whole cluster, and why'],
    ['sparkctl list schedules -n etl', 'when what runs next'],
    ['sparkctl list -l team=data -o name', 'names for a script'],
  ],
  exitCodes: { 1: 'the cluster has not given an answer' },
  run,
});

async function run(values: Values<typeof OPTIONS>, [word = 'applications', ...others]: readonly string[], { connect, io, now, signal, terminal }: Context): Promise<number> {
  if (others.length > 0) throw new UsageError(`it lists one kind, and there are ${others.length + 1} words; what is named is shown by \`sparkctl status NAME\``);
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
    io.stderr(`There are no ${resource.kind}s${states ? ` in ${states.join(', ')}` : ''} ${namespace === undefined ? 'in the cluster' : `in the namespace ${printable(namespace)}`}.\n`);
    return 0;
  }
  const { header, row } = LISTINGS[kind];
  const wide = values.wide || values.output === 'wide';
  const options = { now: now(), paint: painter(terminal), wide };
  const rows = objects.map((object) => [...(namespace === undefined ? [printable(object.metadata.namespace!)] : []), ...row(object, options)]);
  io.stdout(`${tableLines([...(namespace === undefined ? ['NAMESPACE'] : []), ...header, ...(wide ? ['WHY'] : [])], rows, terminal.columns).join('\n')}\n`);
  return 0;
}

function statesOf(given: string | undefined, kind: KindName): string[] | undefined {
  if (given === undefined) return undefined;
  if (kind !== 'application') throw new UsageError('--state is about applications');
  const states = given.toUpperCase().split(',');
  const wrong = states.find((state) => !STATES.includes(state));
  if (wrong !== undefined) throw new UsageError(`--state=${given}: there is no state ${wrong}; write some of ${STATES.join(', ')}`);
  return states;
}

function timeOf({ metadata }: KubeObject): number {
  const time = Date.parse(metadata.creationTimestamp ?? '');
  if (!Number.isFinite(time)) throw new CommandError(`${metadata.name} has no time of its creation; the API server's answer cannot be read`);
  return time;
}
