import { waitFor } from '../../../src/sparkctl/wait/wait';
import { ManualClock } from '../../kube/helpers/manual-clock';

/** State and generation in the status of an application. */
interface Seen {
  readonly state: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

/** Client with applications by name; its watches send no events. */
function clientOf(applications: Record<string, Seen>) {
  return {
    openPage: async (_: unknown, { fieldSelector }: { fieldSelector: string }) => {
      const name = fieldSelector.replace('metadata.name=', '');
      const { state, message, observedGeneration } = applications[name]!;
      return {
        items: [{
          metadata: { namespace: 'jobs', name, uid: name, generation: 2 }, spec: { executor: {} },
          status: { observedGeneration, applicationState: { state, errorMessage: message }, lastSubmissionAttemptTime: '2026-03-01T10:00:00Z', terminationTime: '2026-03-01T10:01:12Z' },
        }],
        metadata: { resourceVersion: '1' },
      };
    },
    watch: (_: unknown, { signal }: { signal: AbortSignal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  } as any;
}

async function run(applications: Record<string, Seen>, timeout?: number) {
  const output = { stdout: '', stderr: '' };
  const io = { stdout: (text: string) => { output.stdout += text; }, stderr: (text: string) => { output.stderr += text; } } as any;
  const clock = new ManualClock(Date.parse('2026-03-01T10:05:00Z'));
  const done = waitFor(clientOf(applications), Object.keys(applications).map((name) => ({ namespace: 'jobs', name })), {
    io, terminal: { isTerminal: false, colour: false }, signal: new AbortController().signal,
  }, { clock, timeout, quiet: true });
  await clock.advanceAsync(60_000);
  return { code: await done, ...output };
}

test.each([
  [{ a: { state: 'COMPLETED' } }, 0, ['✓ SparkApplication jobs/a is COMPLETED after 1m12s']],
  [{ a: { state: 'COMPLETED' }, b: { state: 'FAILED', message: 'driver container failed\x1b[2J' } }, 1, [
    '✓ SparkApplication jobs/a is COMPLETED after 1m12s', expect.stringMatching(/^✗ SparkApplication jobs\/b is FAILED\. It failed.*: driver container failed\\u001b\[2J$/), '  To do: sparkctl log b -n jobs',
  ]],
  [{ a: { state: 'COMPLETED' }, b: { state: 'RUNNING' } }, 3, [expect.stringContaining('✓'), expect.stringMatching(/^✗ SparkApplication jobs\/b is still RUNNING after the timeout, and continues\. /)]],
  [{ a: { state: 'COMPLETED', observedGeneration: 1 } }, 3, ['✗ SparkApplication jobs/a is still COMPLETED after the timeout, and no operator has observed its last change', '  To do: sparkctl doctor -n jobs']],
  [{ a: { state: 'SUSPENDED' } }, 3, ['✗ SparkApplication jobs/a is still SUSPENDED after the timeout. It is suspended and has no pods', '  To do: sparkctl resume a -n jobs']],
  [{ a: { state: '' } }, 3, [expect.stringMatching(/^✗ SparkApplication jobs\/a is still NEW after the timeout\. /)]],
  // A failure is worse than a timeout.
  [{ a: { state: 'FAILED' }, b: { state: 'RUNNING' } }, 1, [expect.stringContaining('is FAILED'), expect.stringContaining('To do'), expect.stringContaining('after the timeout')]],
])('%j: the exit code is %d', async (applications, code, lines) => {
  const { stderr, ...result } = await run(applications as Record<string, Seen>, 30_000);
  expect(result).toEqual({ code, stdout: '' });
  expect(stderr.trimEnd().split('\n')).toEqual(lines);
});

test('an application that was in a wanted state before has no duration; the log of a deleted driver is no advice', async () => {
  const client = { ...clientOf({ a: { state: 'SUSPENDED' }, b: { state: 'FAILED' } }), list: async function* () {} }; // eslint-disable-line @typescript-eslint/no-empty-function
  const stderr: string[] = [];
  const io = { stderr: (text: string) => stderr.push(text) } as any;
  const context = { io, terminal: { isTerminal: false, colour: false }, signal: new AbortController().signal };
  const awaited = ['a', 'b'].map((name) => ({ namespace: 'jobs', name }));
  expect(await waitFor(client, awaited, context, { quiet: true, until: ['SUSPENDED' as any] })).toBe(1);
  expect(stderr).toEqual(['✓ SparkApplication jobs/a is SUSPENDED\n', expect.stringMatching(/^✗ SparkApplication jobs\/b is FAILED\. .*\n {2}To do: sparkctl event b -n jobs\n$/)]);
});

test('Ctrl-C: the reason names what continues', async () => {
  const interrupt = new AbortController();
  const awaited = ['done', 'a', 'b'].map((name) => ({ namespace: 'jobs', name }));
  const client = clientOf({ done: { state: 'COMPLETED' }, a: { state: 'RUNNING' }, b: { state: 'RUNNING' } });
  const context = { io: { stdout: () => {}, stderr: () => {} } as any, terminal: { isTerminal: false, colour: false }, signal: interrupt.signal };
  const [both, one] = [awaited, awaited.slice(0, 2)].map((applications) => waitFor(client, applications, context, { clock: new ManualClock(0), quiet: true }));
  await new Promise(setImmediate);
  interrupt.abort(new Error('interrupted by the user'));
  await expect(both).rejects.toThrow(/^2 SparkApplications continue in the cluster$/);
  await expect(one).rejects.toThrow(/^SparkApplication jobs\/a continues in the cluster$/);
});

test('RUNNING has the time until it ran, however long ago that was', async () => {
  const client = clientOf({ a: { state: 'RUNNING' } });
  const { openPage } = client;
  client.openPage = async (...args: unknown[]) => {
    const page = await openPage(...args);
    delete page.items[0].status.terminationTime;
    page.items[0].status.conditions = [{ type: 'Running', status: 'True', lastTransitionTime: '2026-03-01T10:00:02Z' }];
    return page;
  };
  const stderr: string[] = [];
  const context = { io: { stderr: (text: string) => stderr.push(text) } as any, terminal: { isTerminal: false, colour: false }, signal: new AbortController().signal };
  const clock = new ManualClock(Date.parse('2026-03-01T10:05:00Z'));
  expect(await waitFor(client, [{ namespace: 'jobs', name: 'a' }], context, { clock, quiet: true, until: ['RUNNING' as any] })).toBe(0);
  expect(stderr).toEqual(['✓ SparkApplication jobs/a is RUNNING after 2s\n']);
});

test('a suspended application: progress says until when, and Ctrl-C that it stays', async () => {
  const interrupt = new AbortController();
  const stderr: string[] = [];
  const client = clientOf({ a: { state: 'SUSPENDED' } });
  const { openPage } = client;
  client.openPage = async (...args: unknown[]) => {
    const page = await openPage(...args);
    page.items[0].spec.suspend = true;
    return page;
  };
  const context = { io: { stderr: (text: string) => stderr.push(text) } as any, terminal: { isTerminal: false, colour: false }, signal: interrupt.signal };
  const waiting = waitFor(client, [{ namespace: 'jobs', name: 'a' }], context, { clock: new ManualClock(0) });
  await new Promise(setImmediate);
  interrupt.abort(new Error('interrupted by the user'));
  await expect(waiting).rejects.toThrow(/^SparkApplication jobs\/a is still SUSPENDED$/);
  expect(stderr[0]).toMatch(/ jobs\/a SUSPENDED \(until `sparkctl resume`\)\n$/);
});

test('a new application has the operator of another in its namespace', async () => {
  const stderr: string[] = [];
  const clock = new ManualClock(Date.parse('2026-03-01T10:05:00Z'));
  const young = { metadata: { namespace: 'jobs', name: 'a', uid: 'a', generation: 1, creationTimestamp: '2026-03-01T10:05:00Z' }, spec: { executor: {} } };
  const neighbour = { metadata: { namespace: 'jobs', name: 'b', managedFields: [{ manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: '2026-03-01T10:00:00Z' }] } };
  const client = {
    ...clientOf({}),
    openPage: async () => ({ items: [young], metadata: { resourceVersion: '1' } }),
    get: async (_: unknown, metadata: object) => ({ metadata, spec: { holderIdentity: 'x', renewTime: '2026-03-01T10:00:00Z' } }),
    list: async function* ({ plural }: { plural: string }) { if (plural === 'sparkapplications') yield neighbour; },
  };
  const done = waitFor(client as any, [{ namespace: 'jobs', name: 'a' }], {
    io: { stderr: (text: string) => stderr.push(text) } as any, terminal: { isTerminal: false, colour: false } as any, signal: new AbortController().signal,
  }, { clock, timeout: 10_000 });
  await clock.advanceAsync(60_000);
  expect(await done).toBe(3);
  expect(stderr.filter((line) => line.startsWith('10:'))).toEqual(['10:05:00 jobs/a NEW\n', '10:05:01 jobs/a NEW (no operator)\n']);
});

test.each([1, 2])('without an operator, the progress and the reason after the timeout say so (generation %d of the specification)', async (generation) => {
  const stderr: string[] = [];
  const clock = new ManualClock(Date.parse('2026-03-01T10:05:00Z'));
  const application = {
    metadata: {
      namespace: 'jobs', name: 'a', uid: 'a', generation,
      managedFields: [{ manager: 'cdk8s-spark-operator.ops', subresource: 'status', time: '2026-03-01T10:00:00Z' }],
    },
    spec: { executor: {} }, status: { observedGeneration: 1, applicationState: { state: 'RUNNING' } },
  };
  const client = {
    ...clientOf({}),
    openPage: async () => ({ items: [application], metadata: { resourceVersion: '1' } }),
    get: async (_: unknown, metadata: object) => ({ metadata, spec: { holderIdentity: 'x', renewTime: '2026-03-01T10:00:00Z' } }),
    list: async function* () {}, // eslint-disable-line @typescript-eslint/no-empty-function
  };
  const done = waitFor(client, [{ namespace: 'jobs', name: 'a' }], {
    io: { stderr: (text: string) => stderr.push(text) } as any, terminal: { isTerminal: false, colour: false }, signal: new AbortController().signal,
  }, { clock, timeout: 10_000 });
  await clock.advanceAsync(60_000);
  expect(await done).toBe(3);
  // The last one is not "RUNNING" again, as if an operator had returned.
  expect(stderr.filter((line) => line.startsWith('10:'))).toEqual(['10:05:00 jobs/a RUNNING\n', '10:05:01 jobs/a RUNNING (no operator)\n']);
  expect(stderr.join('')).toMatch(/ is still RUNNING after the timeout\. No operator handles the namespace jobs: the Lease ops\/\S+ was last renewed .* ago\. Its status has been RUNNING for .*\n {2}To do: sparkctl doctor -n jobs\n$/);
});
