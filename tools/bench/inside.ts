/*
 * The part of the benchmark that runs in the network of the cluster, where the API server is. A program of its own; its parent sends what to do and
 * gets the figures.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient } from './api-client.ts';
import { endAll } from './children.ts';
import { install } from './installation.ts';
import type { CallFigures, ClusterFigures } from './measurements.ts';
import { livePass, recordingPass, type LiveFigures, type Recording, type Setting } from './passes.ts';
import { scriptedCalls } from './script.ts';
import { compareRates, type RateFigures } from './turns.ts';

export interface Task {
  readonly applications: number;
  readonly workers: number;
  readonly warmUp: number;
  /** The operator's bundle. */
  readonly bundle: string;
  /** Where to put a CPU profile of the operator. @default - none is made */
  readonly profile?: string;
}

export type Message = { readonly progress: string } | { readonly figures: ClusterFigures } | { readonly error: string };

/** Nothing here takes longer; a process that hangs must not keep the machine busy. */
const MAX_SECONDS = 600;

const send = (message: Message) => process.send!(message);

process.once('message', async (task: Task) => {
  setTimeout(() => end({ error: `the benchmark takes longer than ${MAX_SECONDS} s` }), MAX_SECONDS * 1000).unref();
  const folder = mkdtempSync(join(tmpdir(), 'bench-submission-'));
  process.once('exit', () => {
    endAll();
    rmSync(folder, { recursive: true, force: true });
  });
  try {
    end({ figures: await measure(task, folder) });
  } catch (error) {
    end({ error: (error as Error).stack ?? String(error) });
  }
});

// The parent is gone, or wants us to be.
process.once('disconnect', () => process.exit(1));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));

function end(message: Message): void {
  process.send!(message, () => process.exit(0));
}

async function measure(task: Task, folder: string): Promise<ClusterFigures> {
  send({ progress: 'installing the operator' });
  const installation = install();
  const setting: Setting = { ...task, folder, installation, admin: new ApiClient(installation.admin, 16), progress: (text) => send({ progress: text }) };
  const recording = await recordingPass(setting);
  const live = await livePass(setting);
  const rates = await compareRates(setting, recording);
  return {
    live: { cpu: live.cpu, perSecond: live.perSecond },
    single: { cpu: live.single },
    operator: rates.operator,
    bare: rates.bare,
    calls: compareCalls(live, recording, rates),
    otherLoad: { live: live.otherLoad, turns: rates.otherLoad },
    complaints: [...live.complaints, ...rates.complaints],
  };
}

/** What the benchmark itself calls is left out. */
function compareCalls({ ownCalls, calls }: LiveFigures, { script }: Recording, { bareCalls }: RateFigures): CallFigures[] {
  const scripted = scriptedCalls(script);
  return [...new Set([...ownCalls.keys(), ...scripted.keys(), ...calls.keys(), ...bareCalls.keys()])].sort()
    .filter((call) => call !== 'POST sparkapplications')
    .map((call) => ({
      call, operator: ownCalls.get(call) ?? 0, bare: scripted.get(call) ?? 0, server: { operator: calls.get(call) ?? 0, bare: bareCalls.get(call) ?? 0 },
    }));
}
