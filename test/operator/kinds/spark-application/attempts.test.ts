/* The history of attempts in the status: from each recorded state to the next, by decide alone. */
import type { SparkApplicationSpec } from '../../../../src/api/spark-application';
import { RestartPolicyType } from '../../../../src/api/restart-policy';
import { ApplicationState } from '../../../../src/api/states';
import { attemptRecords } from '../../../../src/model/attempts';
import { viewOf, type PodView } from '../../../../src/model/pod-view';
import type { SparkApplication } from '../../../../src/model/spark-application';
import { MAX_ATTEMPTS } from '../../../../src/operator/kinds/spark-application/attempts';
import { decide } from '../../../../src/operator/kinds/spark-application/decide';
import type { Observation } from '../../../../src/operator/kinds/spark-application/decision';
import { rfc3339 } from '../../../../src/text/times';

const START = Date.parse('2026-03-01T10:00:00Z');
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** An application whose status follows from decisions, as the API server would hold it. */
class Story {
  now = START;
  writes = 0;
  application: SparkApplication;
  private ids = 0;

  constructor(spec: object = {}) {
    this.application = {
      metadata: { name: 'pi', namespace: 'jobs', uid: 'app', resourceVersion: '1', generation: 1, creationTimestamp: rfc3339(START) },
      spec: {
        type: 'Python', sparkVersion: '4.1.1', mainApplicationFile: 'local:///pi.py', driver: {}, executor: { instances: 2 }, ...spec,
      } as unknown as SparkApplicationSpec,
    };
  }

  get status() {
    return this.application.status!;
  }

  get history() {
    return this.status.attemptHistory ?? [];
  }

  wait(seconds: number): this {
    this.now += seconds * 1000;
    return this;
  }

  /** Decides about an observation, as one reconcile does. */
  see(seen: Partial<Observation> = {}): this {
    const { status } = decide({ application: this.application, driver: { kind: 'absent' }, executors: [], ...seen }, {
      now: this.now,
      newId: () => `00000000-0000-4000-8000-${String(++this.ids).padStart(12, '0')}`,
      settings: { driverStartTimeout: 300_000, sparkSubmitTimeout: 300_000, maxTrackedExecutors: 1000, defaultTimeToLive: 0 },
    });
    if (status) {
      this.writes++;
      this.application = { ...this.application, status: structuredClone(status) };
    }
    return this;
  }

  driver(phase: string, terminated?: object): Pick<Observation, 'driver' | 'confirmed'> {
    const state = terminated ? { terminated: { startedAt: rfc3339(this.now - 5_000), finishedAt: rfc3339(this.now), ...terminated } }
      : { running: { startedAt: rfc3339(this.now) } };
    const pod = viewOf({
      metadata: {
        name: 'pi-driver', namespace: 'jobs', uid: 'pod', creationTimestamp: rfc3339(START),
        labels: { 'sparkoperator.k8s.io/submission-id': this.status.submissionID! },
      },
      spec: { nodeName: 'node-7' },
      status: { phase, ...(phase !== 'Pending' && { startTime: rfc3339(START + 1_000), containerStatuses: [{ name: 'spark-kubernetes-driver', state }] }) },
    } as Parameters<typeof viewOf>[0]);
    return { confirmed: true, driver: { kind: 'ours', pod } };
  }

  executor(id: number, phase = 'Running', terminated?: object, status: object = {}): PodView {
    return viewOf({
      metadata: {
        name: `pi-exec-${id}`, namespace: 'jobs',
        labels: { 'spark-role': 'executor', 'spark-exec-id': String(id), 'sparkoperator.k8s.io/submission-id': this.status.submissionID! },
      },
      status: { phase, containerStatuses: [{ name: 'e', state: terminated ? { terminated } : { running: { startedAt: rfc3339(this.now + id * 1000) } } }], ...status },
    } as Parameters<typeof viewOf>[0]);
  }

  /** Runs one attempt until its driver fails. */
  failOnce(executors: readonly PodView[] = []): this {
    this.see().see(this.driver('Pending')).wait(10).see({ ...this.driver('Running'), executors });
    this.wait(60).see({ ...this.driver('Failed', { exitCode: 1, reason: 'Error', message: 'boom' }), executors });
    // The restart policy has an interval; then what is left is removed.
    return this.wait(100_000).see().see({ cleanedUp: true });
  }
}

test('an attempt has the times of its phases, its driver, node, exit code, cause and executors', () => {
  const story = new Story();
  story.see().wait(1).see(story.driver('Pending')).wait(9).see(story.driver('Running'));
  expect(story.history).toEqual([{
    number: 1, submissionID: '00000000-0000-4000-8000-000000000001', trigger: 'Creation', submissionTime: '2026-03-01T10:00:00Z',
    driverCreationTime: '2026-03-01T10:00:00Z', driverScheduledTime: '2026-03-01T10:00:01Z', driverStartTime: '2026-03-01T10:00:10Z',
    driverPodName: 'pi-driver', nodeName: 'node-7', executors: { requested: 2 },
  }]);
  const killed = { exitCode: 137, reason: 'OOMKilled' };
  story.wait(5).see({ ...story.driver('Running'), executors: [story.executor(1), story.executor(2)] });
  story.wait(5).see({ ...story.driver('Running'), executors: [story.executor(1, 'Failed', killed), story.executor(2)] });
  story.wait(60).see({
    ...story.driver('Failed', { exitCode: 1, reason: 'Error', message: 'ValueError: boom' }), executors: [
      story.executor(1, 'Failed', killed), story.executor(2, 'Failed', undefined, { reason: 'Evicted', message: 'low on memory', containerStatuses: [] }),
      story.executor(3, 'Failed', { exitCode: 1, finishedAt: rfc3339(story.now + 1_000) }),
    ],
  });
  expect(story.status.applicationState).toMatchObject({ state: 'FAILED', errorMessage: 'driver container failed with ExitCode: 1, Reason: Error; ValueError: boom' });
  expect(story.history).toEqual([expect.objectContaining({
    endTime: '2026-03-01T10:01:20Z', exitCode: 1, result: 'Failed', cause: 'ValueError: boom',
    // The third executor ended because of its driver.
    executors: {
      requested: 2, peak: 2, firstStartTime: '2026-03-01T10:00:16Z', failed: 2,
      failures: [{ reason: 'OOMKilled', exitCode: 137, count: 1 }, { reason: 'Evicted', count: 1 }],
    },
  })]);
});

test('three failed attempts are three records, where the events are one with a count', () => {
  const story = new Story({ restartPolicy: { type: RestartPolicyType.ON_FAILURE, onFailureRetries: 2, onFailureRetryInterval: 10 } });
  story.failOnce().failOnce().failOnce();
  expect(story.status.applicationState!.state).toBe('FAILED');
  expect(story.history.map(({ number, trigger, result, exitCode }) => [number, trigger, result, exitCode])).toEqual([
    [1, 'Creation', 'Failed', 1], [2, 'RestartPolicy', 'Failed', 1], [3, 'RestartPolicy', 'Failed', 1],
  ]);
  const times = story.history.flatMap(({ submissionTime, endTime }) => [submissionTime, endTime!]);
  expect(times).toEqual([...times].sort());
  expect(new Set(story.history.map(({ submissionID }) => submissionID)).size).toBe(3);
});

test('the executors of an attempt are not those of the previous one, which the operator remembers until the next status', () => {
  const story = new Story({ restartPolicy: { type: RestartPolicyType.ON_FAILURE, onFailureRetries: 1, onFailureRetryInterval: 10 } });
  const executors = [story.see().executor(1)];
  story.see(story.driver('Pending')).wait(10).see({ ...story.driver('Running'), executors }).wait(60);
  story.see({ ...story.driver('Failed', { exitCode: 1, reason: 'Error' }), executors }).wait(20).see({ executors });
  // The decision that begins the next attempt observes the status of the previous one.
  story.see({ cleanedUp: true, executors, executorPeak: 1 });
  expect(story.history.map((each) => each.executors?.peak)).toEqual([1, undefined]);
  story.see(story.driver('Pending')).wait(10).see({ ...story.driver('Running'), executors: [story.executor(1), story.executor(2)], executorPeak: 2 });
  expect(story.history.map((each) => each.executors?.peak)).toEqual([1, 2]);
});

test('an edit, a rerun and a suspension keep the history, and their attempts have the next numbers', () => {
  const story = new Story();
  story.see().see(story.driver('Pending')).wait(10).see(story.driver('Running'));
  const edit = (spec: object) => {
    const { metadata } = story.application;
    story.application = {
      ...story.application, metadata: { ...metadata, generation: metadata.generation! + 1 }, spec: { ...story.application.spec, ...spec },
    };
  };
  edit({ driver: { annotations: { 'sparkoperator.k8s.io/rerun-at': '1' } } });
  story.wait(5).see(story.driver('Running')).see({ cleanedUp: true });
  expect(story.status).toMatchObject({ submissionAttempts: 1 });
  // The duration and the reason in the status are those of the new run.
  expect(story.status.terminationTime).toBeUndefined();
  edit({ suspend: true });
  story.wait(5).see(story.driver('Pending')).wait(5).see({ cleanedUp: true });
  edit({ suspend: false });
  story.wait(60).see().see(story.driver('Pending')).wait(5).see(story.driver('Running')).wait(5).see(story.driver('Succeeded', { exitCode: 0 }));

  expect(story.history.map(({ number, trigger, result, submissionTime, endTime }) => [number, trigger, result, submissionTime.slice(11), endTime!.slice(11)])).toEqual([
    [1, 'Creation', 'Stopped', '10:00:00Z', '10:00:15Z'],
    [2, 'SpecChange', 'Stopped', '10:00:15Z', '10:00:20Z'],
    [3, 'Resume', 'Completed', '10:01:25Z', '10:01:35Z'],
  ]);
  expect(story.status).toMatchObject({ submissionAttempts: 1, applicationState: { state: 'COMPLETED' } });
});

test('a number of executors that the status cannot hold is not recorded, so that the attempt begins', () => {
  const story = new Story({ executor: {}, sparkConf: { 'spark.executor.instances': '99999999999' } });
  expect(story.see().history[0]).not.toHaveProperty('executors');
});

test("the requested executors are those of the cluster's defaults", () => {
  const story = new Story({ executor: {} });
  const governed = { ...story.application.spec, executor: { instances: 5 } as object };
  expect(story.see({ governed }).history[0]).toMatchObject({ executors: { requested: 5 } });
});

test('executors that end in the same second as their driver have not failed', () => {
  const story = new Story();
  story.see().see(story.driver('Pending')).wait(10).see({ ...story.driver('Running'), executors: [story.executor(1)] }).wait(60);
  const end = { exitCode: 1, reason: 'Error', finishedAt: rfc3339(story.now) };
  story.see({ ...story.driver('Failed', end), executors: [story.executor(1, 'Failed', end)] });
  expect(story.history[0]!.executors).not.toHaveProperty('failed');
});

test('a failed submission is an attempt without a driver', () => {
  const story = new Story();
  story.see().wait(3).see({ failure: { reason: 'the Pod is invalid', kind: 'final' } });
  expect(story.history).toEqual([expect.objectContaining({
    number: 1, endTime: '2026-03-01T10:00:03Z', result: 'SubmissionFailed', cause: 'the Pod is invalid',
  })]);
  expect(story.history[0]).not.toHaveProperty('driverPodName');
});

test('a cause is shortened before its length is limited, so that it has what users need', () => {
  const story = new Story();
  const [image, reference] = ['registry.example.org/team/etl:9.9.9', 'https://registry.example.org/v2/team/etl/manifests/9.9.9'];
  const message = `ImagePullBackOff: Back-off pulling image "${image}": ErrImagePull: failed to pull and unpack image "${image}": failed to resolve reference `
    + `"${image}": failed to do request: Head "${reference}": dial tcp: lookup registry.example.org: no such host`;
  story.see().see({ failure: { reason: message, kind: 'final' } });
  expect(story.status.applicationState!.errorMessage).toContain('no such host');
  expect(story.history[0]!.cause).toBe(`ImagePullBackOff: the registry registry.example.org of the image ${image} cannot be resolved`);
});

test('an attempt that an older version began has a record after the next write', () => {
  const story = new Story();
  story.see().see(story.driver('Pending'));
  const { attemptHistory: _, ...status } = story.status;
  story.application = { ...story.application, status: { ...status, submissionAttempts: 4 } };
  expect(story.see(story.driver('Pending')).history).toEqual([]);
  expect(story.wait(10).see(story.driver('Running')).history).toEqual([expect.objectContaining({ number: 4, nodeName: 'node-7' })]);
  expect(story.history[0]).not.toHaveProperty('trigger');
});

test('an attempt that ended under an older version keeps its own end when it runs again', () => {
  const story = new Story();
  story.see().see(story.driver('Pending')).wait(10).see(story.driver('Running')).wait(20);
  // The older version has not changed the record.
  story.application = {
    ...story.application, status: { ...story.status, terminationTime: rfc3339(story.now), applicationState: { state: ApplicationState.COMPLETED } },
  };
  const end = { result: 'Completed', endTime: '2026-03-01T10:00:30Z' };
  expect(attemptRecords(story.application)).toEqual([expect.objectContaining(end)]);
  const { metadata, spec } = story.application;
  story.application = {
    ...story.application, metadata: { ...metadata, generation: 2 }, spec: { ...spec, driver: { annotations: { 'sparkoperator.k8s.io/rerun-at': '1' } } as object },
  };
  story.wait(86_400).see(story.driver('Succeeded', { exitCode: 0 })).see({ cleanedUp: true }).see();
  expect(story.history).toEqual([expect.objectContaining(end), expect.objectContaining({ number: 2 })]);
});

test('numbers of executors are no reason for a write', () => {
  const story = new Story();
  story.see().see(story.driver('Pending')).wait(10).see({ ...story.driver('Running'), executors: [story.executor(1)] });
  const { writes } = story;
  story.see({ ...story.driver('Running'), executors: [story.executor(1)], executorPeak: 7 });
  expect({ writes: story.writes, peak: story.history[0]!.executors!.peak }).toEqual({ writes, peak: 1 });
  story.wait(10).see({ ...story.driver('Succeeded', { exitCode: 0 }), executorPeak: 7 });
  expect(story.history[0]!.executors!.peak).toBe(7);
});

describe('with 1,000 attempts and 10,000 executors', () => {
  const story = new Story({ restartPolicy: { type: RestartPolicyType.ALWAYS, onFailureRetryInterval: 10 }, executor: { instances: 10_000 } });
  const reasons = ['OOMKilled', 'Error', 'ContainerCannotRun', 'Evicted', 'NodeLost', 'UnexpectedAdmissionError', 'Preempting'];

  beforeAll(() => {
    for (let attempt = 1; attempt < 1_000; attempt++) story.failOnce();
    story.see().see(story.driver('Pending')).wait(10).see(story.driver('Running'));
    const alive = Array.from({ length: 10_000 }, (_, index) => story.executor(index + 1));
    story.wait(10).see({ ...story.driver('Running'), executors: alive });
    story.wait(10).see({
      ...story.driver('Running'), executors: alive.map((pod, index) => (index < 700
        ? story.executor(index + 1, 'Failed', { exitCode: index % 3, reason: reasons[index % reasons.length], message: 'é'.repeat(2_000) })
        : pod)),
    });
    story.wait(60).see({ ...story.driver('Failed', { exitCode: 1, reason: 'Error', message: '\u0001'.repeat(2_000) }) });
  });

  test('the status has less than 64 KiB of JSON', () => {
    expect(bytesOf(story.status)).toBeLessThan(64 * 1024);
    expect(Object.keys(story.status.executorState!)).toHaveLength(1_000);
  });

  test('the first attempt and the latest ones are kept', () => {
    const numbers = story.history.map(({ number }) => number);
    expect(numbers[0]).toBe(1);
    expect(numbers.slice(1)).toEqual(Array.from({ length: numbers.length - 1 }, (_, index) => 1_000 - numbers.length + 2 + index));
    expect(numbers.length).toBeGreaterThan(12);
    expect(numbers.length).toBeLessThanOrEqual(MAX_ATTEMPTS);
    expect(story.status.omittedAttempts).toBe(1_000 - numbers.length);
  });

  test('failures are counted by their reasons, the rarest ones together', () => {
    const { failed, failures, peak, requested } = story.history.at(-1)!.executors!;
    expect({ failed, peak, requested, sum: failures!.reduce((sum, { count }) => sum + count, 0) }).toEqual({ failed: 700, peak: 10_000, requested: 10_000, sum: 700 });
    expect(failures).toHaveLength(5);
    expect(failures!.at(-1)!.reason).toBe('Other');
    expect(story.history.at(-1)!.cause!.length).toBeLessThanOrEqual(200);
    expect(story.status.applicationState!.state).toBe(ApplicationState.FAILING);
  });
});
