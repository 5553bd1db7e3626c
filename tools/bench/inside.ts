/*
 * The part of the benchmark that runs in the network of the cluster, where the API server is. A program of its own; its parent sends what to do and
 * gets the figures.
 */
import { ApiClient } from './api-client.ts';
import { NODE } from './application.ts';
import { measureForParent, type Surroundings } from './child-program.ts';
import { install } from './installation.ts';
import { measureJvm } from './jvm.ts';
import type { CallFigures, ClusterFigures } from './measurements.ts';
import { livePass, recordingPass, type LiveFigures, type Recording, type Setting } from './passes.ts';
import { scriptedCalls } from './script.ts';
import type { PlayerFigures, TurnFigures } from './turn-figures.ts';
import { compareRates, type RateFigures } from './turns.ts';

export interface Task {
  readonly applications: number;
  readonly workers: number;
  readonly warmUp: number;
  /** Turns of two seconds that the operator, and the bare client, have in the comparison of rates. */
  readonly turns: number;
  /** The operator's bundle. */
  readonly bundle: string;
  /** Submissions by Spark's own JVM, with the jars of this folder. @default - none */
  readonly jvm?: { readonly jars: string; readonly runs: number };
  /** Where to put a CPU profile of the operator. @default - none is made */
  readonly profile?: string;
}

/** Nothing here takes longer. */
const MAX_SECONDS = 900;

measureForParent<Task, ClusterFigures>(() => MAX_SECONDS, measure);

async function measure(task: Task, surroundings: Surroundings): Promise<ClusterFigures> {
  surroundings.progress('installing the operator');
  const installation = install();
  const setting: Setting = { ...task, ...surroundings, installation, admin: new ApiClient(installation.admin, 16) };
  await setting.admin.json('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } });
  const recording = await recordingPass(setting);
  const live = await livePass(setting);
  const rates = await compareRates(setting, recording, live.perSecond);
  const jvm = task.jvm && await measureJvm({ ...setting, ...task.jvm, access: installation.admin });
  return {
    live: { cpu: live.cpu, perSecond: live.perSecond, toDriver: live.toDriver },
    single: live.single,
    operator: withoutCalls(rates.operator),
    bare: withoutCalls(rates.bare),
    calls: compareCalls(live, recording, rates),
    otherLoad: { live: live.otherLoad, turns: rates.otherLoad },
    complaints: [...live.complaints, ...rates.complaints],
    jvm,
  };
}

/** Calls are compared with those of other passes. */
function withoutCalls({ calls: _, ...figures }: PlayerFigures): TurnFigures {
  return figures;
}

/** What the benchmark itself calls is left out. */
function compareCalls({ ownCalls }: LiveFigures, { script }: Recording, { operator, bare }: RateFigures): CallFigures[] {
  const scripted = scriptedCalls(script);
  return [...new Set([...ownCalls.keys(), ...scripted.keys(), ...operator.calls.keys(), ...bare.calls.keys()])].sort()
    .filter((call) => call !== 'POST sparkapplications')
    .map((call) => ({
      call, operator: ownCalls.get(call) ?? 0, bare: scripted.get(call) ?? 0, server: { operator: operator.calls.get(call) ?? 0, bare: bare.calls.get(call) ?? 0 },
    }));
}
