/*
 * Random sequences of actions of users, nodes, faults and a second operator, against the real
 * reconciler and an API server in memory.
 */
import fc from 'fast-check';
import { RestartPolicyType } from '../../../../../src/api/restart-policy';
import { create, perform, sequences, type Sequence } from './actions';
import { DOCUMENTED } from './documented';
import { checkEnd, checkTimeToLive, comeToRest, endEndless, stopFaults } from './rest';
import { Story } from './story';
import { World } from './world';

/**
 * Settings: `MODEL_RUNS=20000` for a campaign, `MODEL_SEED` (and `MODEL_PATH`) to repeat a failure.
 */
const { MODEL_RUNS = '500', MODEL_SEED, MODEL_PATH } = process.env;
jest.setTimeout(24 * 3_600_000);

/** Number of sequences that take every documented transition. */
const CAMPAIGN = 10_000;

/** Transitions from a state that this operator passes through, and only others write. */
const OF_OTHERS = ['SUCCEEDING to SUSPENDING', 'SUCCEEDING to INVALIDATING'];

/**
 * Sequence in which a late call creates a driver when the application is COMPLETED, after the
 * forced deletion of the first driver.
 */
const LATECOMER: Sequence = {
  spec: { image: 'image:1', driver: {}, mainApplicationFile: 'local:///pi.py', restartPolicy: {} },
  actions: [
    { do: 'work', calls: 5, fault: 'late', at: 4, which: 0 },
    { do: 'take over', behind: { sparkapplications: 0, pods: 0 }, catchesUp: [], changes: ['schedule', 'run'] },
    { do: 'pod', which: 0, changes: ['known again', 'succeed'] },
    { do: 'work until', call: 'create pods' },
    { do: 'pod', which: 0, changes: ['force deletion'] },
  ],
  fates: [],
};

/** Sequence in which a process that takes over sees a foreign Pod where the driver is by now. */
const PLACE_TAKEN_BEFORE: Sequence = {
  spec: { image: 'image:1', driver: {}, mainApplicationFile: 'local:///pi.py', restartPolicy: { type: RestartPolicyType.NEVER } },
  actions: [
    { do: 'foreign pod' },
    { do: 'no foreign pod' },
    { do: 'work', calls: 4, fault: 'lost before', at: 'create pods', which: 0 },
    { do: 'restart', callHappens: true, behind: { sparkapplications: 0, pods: 2 } },
    { do: 'work until', call: 'create pods' },
  ],
  fates: [],
};

/** Sequence in which the API server rejects the driver of a later attempt. */
const REFUSED_LATER: Sequence = {
  spec: {
    image: 'image:1', driver: {}, mainApplicationFile: 'local:///pi.py', restartPolicy: { type: RestartPolicyType.ON_FAILURE, onFailureRetries: 1 },
  },
  actions: [
    { do: 'settle' },
    { do: 'pod', which: 0, changes: ['schedule', 'run', 'fail'] },
    { do: 'settle' },
    { do: 'advance', seconds: 10 },
    { do: 'work', calls: 16, fault: 'over quota', at: 'create pods', which: 0 },
  ],
  fates: [],
};

const taken = new Map<string, number>();
const count = (from: string, to: string) => void taken.set(`${from || 'new'} to ${to}`, (taken.get(`${from || 'new'} to ${to}`) ?? 0) + 1);

async function run(sequence: Sequence): Promise<void> {
  const world = new World(count);
  const story = new Story(world.server);
  try {
    await live(world, sequence, story);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${story}`, { cause: error });
  }
}

async function live(world: World, { spec, actions, fates: given }: Sequence, story: Story): Promise<void> {
  create(world, spec);
  for (const action of actions) {
    story.tell(action);
    await perform(world, action);
    world.leader.watch();
    world.check();
  }
  story.tell('no more faults');
  const fates = [...given];
  await stopFaults(world);
  await endEndless(world, fates);
  await comeToRest(world, fates);
  checkEnd(world);
  await checkTimeToLive(world, fates);
}

test('whatever happens, the rules hold at each step, and the application ends correctly', async () => {
  await fc.assert(fc.asyncProperty(sequences, run), {
    numRuns: Number(MODEL_RUNS),
    examples: [[LATECOMER], [PLACE_TAKEN_BEFORE], [REFUSED_LATER]],
    ...(MODEL_SEED && { seed: Number(MODEL_SEED) }),
    ...(MODEL_PATH && { path: MODEL_PATH }),
  });
  if (Number(MODEL_RUNS) < CAMPAIGN) return;
  console.log([...taken].sort(([, a], [, b]) => a - b).map(([transition, times]) => `${times} ${transition}`).join('\n'));
  const documented = [...DOCUMENTED].flatMap(([from, states]) => [...states].map((to) => `${from || 'new'} to ${to}`));
  expect(documented.filter((transition) => !taken.has(transition) && !OF_OTHERS.includes(transition))).toEqual([]);
});
