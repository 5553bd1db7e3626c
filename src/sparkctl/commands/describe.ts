import { stringify } from 'yaml';
import { CLUSTER_OPTIONS } from '../cluster';
import { painter, type Paint } from '../../text/colours';
import { command } from '../command';
import { onlyTarget } from '../target';
import { podLines, statusLines } from '../view/application';
import { attemptLines } from '../view/attempts';
import { eventLines } from '../view/event-lines';
import { eventsOf, type Event } from '../view/events';
import { connectLines } from '../view/connect';
import { knownOf } from '../view/known';
import { knownConnect } from '../view/known-connect';
import { relatedObjects } from '../view/related';
import { agoText, oneLine } from '../view/rows';
import { readScheduleLines } from '../view/runs';
import { printable } from '../../text/printable';
import { wrapped } from '../../text/wrapped';
import { isForbidden } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import { shownCause } from '../../model/cause/status-cause';
import { isPreparing, obstacleIn } from '../../model/pod-preparation';
import type { PodView } from '../../model/pod-view';
import { PODS } from '../../model/resources';
import type { ScheduledSparkApplication } from '../../model/scheduled-spark-application';
import type { WholeApplication } from '../../model/spark-application';
import type { WholeConnect } from '../../model/spark-connect';

/** `sparkctl describe`. */
export default command({
  usage: 'NAME [options]',
  description: 'Prints all details of a SparkApplication: its state and the reason, conditions, Pods, specification and events; '
    + 'or of schedule/NAME or connect/NAME.',
  options: CLUSTER_OPTIONS,
  examples: [['sparkctl describe pi', 'all details of a job']],
  exitCodes: { 1: 'there is no such object, or the cluster does not answer' },
  async run(values, words, { connect, io, now, signal, terminal }) {
    const { client, namespace } = await connect(values);
    const target = onlyTarget(words, namespace, ['application', 'schedule', 'connect']);
    const object: Described = await client.get(target.resource, target.ref, { signal });
    const paint = painter(terminal);
    const known = target.kind === 'application' ? await knownOf(client, object as WholeApplication, now(), signal) : undefined;
    const server = target.kind === 'connect' ? await knownConnect(client, object as WholeConnect, now(), signal) : undefined;
    const pods = [known?.driver, server?.server, ...(known ?? server)?.executors ?? []].filter((pod) => pod !== undefined);
    const events = await eventsOf(
      client, target.ref.namespace, await relatedObjects(client, target, object, signal), object.metadata.creationTimestamp, signal,
    ).catch((error: unknown) => {
      if (!isForbidden(error)) throw error;
      return undefined;
    });
    const sectionColumns = terminal.columns && terminal.columns - SECTION_INDENT;
    const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
      ['', known ? statusLines(known, paint, terminal.columns)
        : server ? connectLines(server, paint, terminal.columns)
          : await readScheduleLines(client, object as ScheduledSparkApplication, now(), paint, terminal, signal)],
      ['Labels', mapLines(object.metadata.labels)],
      ['Annotations', mapLines(withoutLastApplied(object.metadata.annotations))],
      ['Conditions', conditionLines(object.status?.conditions ?? [], now(), sectionColumns)],
      ['Attempts', known ? attemptLines(known, paint, sectionColumns) : []],
      ['Pods', pods.length > 0 ? podLines(pods.map((pod) => withObstacle(pod, events)), now(), paint, sectionColumns) : []],
      ['Specification', yamlLines(object.spec)],
      ...(known || !object.status ? [] : [['Status', yamlLines(object.status)] as const]),
      ['Events', events ? eventSection(events, now(), paint, sectionColumns) : ['not shown: you cannot list events in this namespace']],
    ];
    io.stdout(sections.filter(([, lines]) => lines.length > 0).map(([title, lines]) => section(title, lines, paint)).join('\n'));
    return 0;
  },
});

/** Blanks before each line of a section. */
const SECTION_INDENT = 2;

/** Fields that all kinds have. */
interface Described extends KubeObject {
  readonly spec?: object;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

function section(title: string, lines: readonly string[], paint: Paint): string {
  return title === '' ? `${lines.join('\n')}\n` : `${paint(`${title}:`, 'bold')}\n${lines.map((line) => `${' '.repeat(SECTION_INDENT)}${line}\n`).join('')}`;
}

function mapLines(map: Readonly<Record<string, string>> | undefined): string[] {
  return Object.entries(map ?? {}).map(([key, value]) => oneLine(`${key}=${value}`));
}

function eventSection(events: readonly Event[], now: number, paint: Paint, columns?: number): string[] {
  return events.length > 0 ? eventLines(events, now, paint, columns) : ['none in the last hour'];
}

/** Adds the reason why a node does not start a pod, which only its events contain. */
function withObstacle(pod: PodView, events: readonly Event[] = []): PodView {
  if (!isPreparing(pod)) return pod;
  const obstacle = obstacleIn(events.filter(({ involvedObject: { kind, name } }) => kind === PODS.kind && name === pod.metadata.name));
  return obstacle ? { ...pod, obstacle } : pod;
}

/** Removes the annotation of kubectl that repeats the specification. */
function withoutLastApplied(annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { 'kubectl.kubernetes.io/last-applied-configuration': _, ...others } = annotations;
  return others;
}

/** Blanks before the further lines of a condition. */
const INDENT = 4;

function conditionLines(conditions: readonly Condition[], now: number, columns = Infinity): string[] {
  return conditions.flatMap(({ type, status: value, reason, message, lastTransitionTime }) => {
    const text = oneLine(`${type}=${value}, ${agoText(lastTransitionTime, now)}${reason ? `, ${reason}` : ''}${message ? `: ${shownCause(message)}` : ''}`);
    return wrapped(text, columns - INDENT).map((line, index) => (index === 0 ? line : ' '.repeat(INDENT) + line));
  });
}

function yamlLines(content: object | undefined): string[] {
  if (!content) return [];
  return printable(stringify(content, { aliasDuplicateObjects: false })).trimEnd().split('\n');
}
