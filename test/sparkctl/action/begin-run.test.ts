/* Runs that an operator starts late, or never. */
import { beginRun } from '../../../src/sparkctl/action/begin-run';
import { ApiError } from '../../../src/kube/errors';
import { ManualClock } from '../../kube/helpers/manual-clock';

/** Requests a run of a schedule whose operator is unknown and does nothing. */
function requested(status: object | undefined) {
  const clock = new ManualClock();
  const notes: string[] = [];
  const schedule = { metadata: { name: 'nightly', namespace: 'jobs', uid: 'u', resourceVersion: '1' }, spec: {}, status };
  const client: any = {
    get: async (resource: any) => {
      if (resource.kind === 'ScheduledSparkApplication') return schedule;
      throw new ApiError({ verb: 'get', resource: resource.plural }, 403, {});
    },
    patch: async () => schedule,
    openPage: async () => ({ items: [schedule], metadata: { resourceVersion: '1' } }),
    watch: (_: unknown, { signal }: { signal: AbortSignal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  };
  const outcome = beginRun(client, { namespace: 'jobs', name: 'nightly' }, {
    clock, random: () => 0.5, signal: new AbortController().signal, onNote: (note) => notes.push(note),
  });
  return { clock, notes, outcome };
}

test.each([
  [{ observedGeneration: 1 }, 'the run is requested; waiting for the operator to start it', /The request stays: the run jobs\/nightly-\S+ starts when an operator/],
  [undefined, 'no operator has reconciled it yet; waiting for one that handles the namespace jobs', /no run is requested/],
])('status %j: it does not wait silently', async (status, note, problem) => {
  const { clock, notes, outcome } = requested(status);
  await clock.advanceAsync(4_000);
  expect(notes).toEqual([]);
  await clock.advanceAsync(2_000);
  expect(notes).toEqual([note]);
  await clock.advanceAsync(60_000);
  expect((await outcome).problem).toMatch(problem);
  expect(clock.pending).toBe(0);
});
