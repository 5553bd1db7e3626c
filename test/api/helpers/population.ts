import { parseSchedule } from '../../../src/schedule/expression';
import { nextRuns } from '../../../src/schedule/next-runs';
import type { ApiServer } from '../../helpers/api-server';

const MERGE = 'application/merge-patch+json';
const API_VERSION = 'sparkoperator.k8s.io/v1beta2';
const KINDS = ['etl-orders', 'etl-customers', 'training', 'nightly-report', 'feature-store', 'clickstream'];
const TEAMS = ['data', 'search', 'ads'];
const SPEC = { type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: { instances: 4 } };

const DAY = 86_400_000;

/** So many calls are under way at a time. */
const LANES = 16;

/** A time in the past, as Kubernetes writes it. */
export function ago(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}

/** Applications, schedules, pods and events as in a busy cluster. No operator reconciles them: this class writes their statuses. */
export class Population {
  constructor(private readonly api: ApiServer, private readonly namespace: string) {}

  /** The URL of an application, or of all. */
  path(name?: string, plural = 'sparkapplications'): string {
    return `/apis/${API_VERSION}/namespaces/${this.namespace}/${plural}${name === undefined ? '' : `/${name}`}`;
  }

  /** Creates an application. */
  create(name: string, metadata: object = {}): Promise<any> {
    return this.api.must('POST', this.path(), { apiVersion: API_VERSION, kind: 'SparkApplication', metadata: { name, namespace: this.namespace, ...metadata }, spec: SPEC });
  }

  /** Writes the status of an application. */
  setStatus(name: string, status: object): Promise<any> {
    return this.api.must('PATCH', `${this.path(name)}/status`, { status: { driverInfo: { podName: `${name}-driver` }, ...status } }, MERGE);
  }

  /** Many applications, of which the last ones have a status. */
  async addMany(count: number, withStatus: number): Promise<void> {
    const names = Array.from({ length: count }, (_, index) => `${KINDS[index % KINDS.length]}-${String(index).padStart(5, '0')}`);
    await inLanes(names, (name, index) => this.create(name, { labels: { team: TEAMS[index % TEAMS.length]! } }));
    await inLanes(names.slice(-withStatus), (name, index) => this.setStatus(name, statusOf(index)));
  }

  /** An application in its second attempt, with its driver and its story. @param message what the first one failed with */
  async addStory(name: string, message: string): Promise<void> {
    const executors = { [`${name}-exec-1`]: 'RUNNING', [`${name}-exec-2`]: 'RUNNING', [`${name}-exec-3`]: 'RUNNING', [`${name}-exec-4`]: 'PENDING' };
    const { metadata: { uid } } = await this.create(name, { labels: { team: 'data', tier: 'gold' } });
    const driverPodName = `${name}-driver`;
    await this.setStatus(name, {
      applicationState: { state: 'RUNNING' }, submissionAttempts: 2, lastSubmissionAttemptTime: ago(13), executorState: executors,
      attemptHistory: [
        {
          number: 1, submissionID: 'first', trigger: 'Creation', submissionTime: ago(30), driverCreationTime: ago(30), driverStartTime: ago(29), endTime: ago(16), driverPodName,
          exitCode: 1, result: 'Failed', cause: message, executors: { requested: 4, peak: 4 },
        },
        { number: 2, submissionID: 'second', trigger: 'RestartPolicy', submissionTime: ago(13), driverCreationTime: ago(13), driverStartTime: ago(12), driverPodName, executors: { requested: 4, peak: 3 } },
      ],
    });
    await this.addPod(name, driverPodName, 'driver', 12);
    const started = [11, 11, 6];
    await inLanes(Object.keys(executors), (pod, index) => this.addPod(name, pod, 'executor', started[index]));
    const events: readonly (readonly [minutes: number, reason: string, message: string])[] = [
      [30, 'SparkApplicationSubmitted', 'Attempt 1 was submitted'],
      [29, 'SparkDriverRunning', `Driver ${name}-driver is running`],
      [28, 'SparkExecutorRunning', `4 executors are running: ${name}-exec-1, ${name}-exec-2, ${name}-exec-3, ${name}-exec-4`],
      [16, 'SparkDriverFailed', message],
      [15, 'SparkApplicationPendingRerun', 'It is tried again'],
      [13, 'SparkApplicationSubmitted', 'Attempt 2 was submitted'],
      [12, 'SparkDriverRunning', `Driver ${name}-driver is running`],
      [11, 'SparkExecutorRunning', `2 executors are running: ${name}-exec-1, ${name}-exec-2`],
      [6, 'SparkExecutorRunning', `Executor ${name}-exec-3 is running`],
    ];
    const regarding = { kind: 'SparkApplication', namespace: this.namespace, name, uid };
    await inLanes(events, ([minutes, reason, text], index) => this.api.must('POST', `/api/v1/namespaces/${this.namespace}/events`, {
      metadata: { name: `${name}.${index}`, namespace: this.namespace }, involvedObject: regarding, type: reason.endsWith('Failed') ? 'Warning' : 'Normal', reason, message: text,
      count: 1, firstTimestamp: ago(minutes), lastTimestamp: ago(minutes), source: { component: 'spark-operator' },
    }));
  }

  /** @param started minutes since it runs. @default - it waits */
  private async addPod(application: string, name: string, role: 'driver' | 'executor', started?: number): Promise<void> {
    const path = `/api/v1/namespaces/${this.namespace}/pods`;
    const container = `spark-kubernetes-${role}`;
    await this.api.must('POST', path, {
      metadata: {
        name, namespace: this.namespace,
        labels: { 'sparkoperator.k8s.io/app-name': application, 'spark-role': role, ...(role === 'executor' && { 'spark-exec-id': name.split('-').at(-1) }) },
      },
      spec: { containers: [{ name: container, image: 'example.org/spark:1' }] },
    });
    if (started === undefined) return;
    const status = { phase: 'Running', startTime: ago(started), containerStatuses: [{ name: container, image: '', imageID: '', ready: true, restartCount: 0, state: { running: { startedAt: ago(started) } } }] };
    await this.api.must('PATCH', `${path}/${name}/status`, { status }, 'application/merge-patch+json');
  }

  /** A schedule with its last five runs, of which one failed. */
  async addSchedule(name: string, schedule: string): Promise<void> {
    const plural = 'scheduledsparkapplications';
    const { namespace } = this;
    const { metadata: { uid } } = await this.api.must('POST', this.path(undefined, plural), {
      apiVersion: API_VERSION, kind: 'ScheduledSparkApplication', metadata: { name, namespace }, spec: { schedule, timeZone: 'UTC', template: SPEC },
    });
    const [next, afterNext] = nextRuns(parseSchedule(schedule, 'UTC'), 2, new Date(), new Date(Date.now() + 30 * DAY)).map((run) => run.getTime());
    /** The time of a run, the latest of which is 1. */
    const timeOf = (index: number, minutes = 0) => new Date(next! - index * (afterNext! - next!) + minutes * 60_000).toISOString();
    await this.api.must('PATCH', `${this.path(name, plural)}/status`, { status: { scheduleState: 'Scheduled', lastRun: timeOf(1), nextRun: timeOf(0) } }, MERGE);
    await inLanes([1, 2, 3, 4, 5], async (index) => {
      const run = `${name}-run-${index}`;
      await this.create(run, {
        annotations: { 'sparkoperator.k8s.io/scheduled-at': timeOf(index) },
        ownerReferences: [{ apiVersion: API_VERSION, kind: 'ScheduledSparkApplication', name, uid, controller: true }],
      });
      const state = index === 3 ? 'FAILED' : 'COMPLETED';
      await this.setStatus(run, { applicationState: { state }, submissionAttempts: 1, lastSubmissionAttemptTime: timeOf(index), terminationTime: timeOf(index, 4) });
    });
  }

  /** Deletes all applications at once. */
  async clear(): Promise<void> {
    await this.api.must('DELETE', this.path());
  }
}

function statusOf(index: number): object {
  const minutes = 20 + ((index * 7) % 330);
  const begun = { submissionAttempts: 1, lastSubmissionAttemptTime: ago(minutes) };
  const ended = { ...begun, terminationTime: ago(minutes - 3 - (index % 17)) };
  if (index % 7 === 0) return { ...begun, applicationState: { state: 'RUNNING' }, executorState: { a: 'RUNNING', b: 'RUNNING', c: 'RUNNING' } };
  if (index % 11 === 0) return { ...ended, applicationState: { state: 'FAILED', errorMessage: 'driver container failed with ExitCode: 137, Reason: OOMKilled' }, submissionAttempts: 3 };
  if (index % 13 === 0) return { ...begun, applicationState: { state: 'SUBMITTED', errorMessage: 'Unschedulable: 0/12 nodes are available: 12 Insufficient memory' } };
  return { ...ended, applicationState: { state: 'COMPLETED' } };
}

async function inLanes<T>(items: readonly T[], work: (item: T, index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: LANES }, async () => {
    while (next < items.length) {
      const index = next++;
      await work(items[index]!, index);
    }
  }));
}
