import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { callsBetween, type CallCounts } from './api-counts.ts';
import type { ApiClient } from './api-client.ts';
import { NAMESPACES } from './application.ts';
import type { Task } from './inside.ts';
import { kubeconfig, type Installation } from './installation.ts';
import { busyProcessors, difference, usage, type CpuTime } from './machine.ts';
import type { CpuFigures } from './measurements.ts';
import { Onlooker } from './onlooker.ts';
import { Operator } from './operator.ts';
import type { Spread } from './population/timeline.ts';
import { startRecorder } from './recorder.ts';
import { scriptOf, type Script, type Slots } from './script.ts';
import { checkSubmitted, createApplications } from './stock.ts';

/** What all passes work with. */
export interface Setting extends Task {
  /** For files that nobody needs afterwards. */
  readonly folder: string;
  readonly installation: Installation;
  /** The API server, as an administrator. */
  readonly admin: ApiClient;
  readonly progress: (text: string) => void;
}

/** A pass that takes longer has failed. */
export const MAX_PASS_SECONDS = 240;
/** Applications of the pass in which each waits for the one before. */
const SINGLE = 100;

/** Starts an operator with the rights and flags that `SparkOperator` gives it. `server` is the API server, unless it is said. */
export function startOperator(
  setting: Pick<Setting, 'installation' | 'folder' | 'bundle' | 'workers'>, namespace: string, server?: string, profile?: string,
): Operator {
  const { installation: { serviceAccount, flags }, folder, bundle, workers } = setting;
  return new Operator({
    file: bundle,
    kubeconfig: kubeconfig(folder, namespace, serviceAccount, server ?? `https://${serviceAccount.host}:${serviceAccount.port}`),
    namespace,
    flags,
    workers,
    profile,
  });
}

export interface Recording {
  readonly script: Script;
  readonly slots: Slots;
}

/** Sees what the operator sends for one application, through something that writes it down. */
export async function recordingPass(setting: Setting): Promise<Recording> {
  const { admin, installation, progress } = setting;
  const namespace = NAMESPACES.record;
  progress('recording the calls of a submission');
  const recorder = await startRecorder(installation.serviceAccount);
  const operator = startOperator(setting, namespace, recorder.url);
  try {
    await operator.ready();
    // Those of the first ones wait for connections, which makes other overlaps.
    for (let index = 0; ; index++) {
      recorder.take();
      const [application] = await createApplications(admin, namespace, index, 1);
      await operator.hasSubmitted(index + 1, 20);
      await operator.idle();
      if (index === 4) return scriptOf(recorder.take(), application!, namespace);
    }
  } finally {
    await operator.stop();
    recorder.close();
  }
}

/** What the operator costs while applications are created. */
export interface LiveFigures {
  /** Many at once. */
  readonly cpu: CpuFigures;
  readonly perSecond: number;
  /** From the answer to a creation to the driver Pod. */
  readonly toDriver: Spread;
  /** One after the other. */
  readonly single: { readonly cpu: CpuFigures; readonly toDriver: Spread };
  /** Calls for one application, by the operator's own count. */
  readonly ownCalls: CallCounts;
  readonly otherLoad: number;
  readonly complaints: readonly string[];
}

/** The operator at work while applications are created: its CPU time, its calls and its rate. */
export async function livePass(setting: Setting): Promise<LiveFigures> {
  const { admin, applications, warmUp, progress, profile } = setting;
  const namespace = NAMESPACES.live;
  const operator = startOperator(setting, namespace, undefined, profile);
  const onlooker = await Onlooker.open(setting, namespace);
  try {
    await operator.ready();
    progress(`warming up with ${warmUp} applications`);
    await createApplications(admin, namespace, 0, warmUp);
    await operator.hasSubmitted(warmUp, MAX_PASS_SECONDS);
    await operator.idle();

    progress(`${applications} applications, created as fast as possible`);
    const [{ calls: before }, usageBefore] = [await operator.metrics(), usage()];
    if (profile) operator.signal('SIGUSR2');
    const began = Date.now();
    const cpuBefore = operator.cpu();
    onlooker.created(await createApplications(admin, namespace, warmUp, applications));
    await operator.hasSubmitted(warmUp + applications, MAX_PASS_SECONDS);
    const perSecond = applications * 1000 / (operator.submitted.at(-1)! - began);
    await operator.idle();
    const cpu = perApplication(difference(operator.cpu(), cpuBefore), applications);
    const otherLoad = busyProcessors(usageBefore, usage()).others;
    if (profile) {
      operator.signal('SIGUSR2');
      await appears(profile);
    }
    const ownCalls = callsBetween(before, (await operator.metrics()).calls, applications);

    const toDriver = await onlooker.toDriver();
    const single = await oneByOne(setting, operator, onlooker, warmUp + applications);
    await checkSubmitted(admin, namespace, warmUp + applications + SINGLE);
    return { cpu, perSecond, toDriver, single, ownCalls, otherLoad, complaints: operator.complaints };
  } finally {
    onlooker.close();
    await operator.stop();
  }
}

async function oneByOne({ admin, progress }: Setting, operator: Operator, onlooker: Onlooker, first: number): Promise<LiveFigures['single']> {
  progress(`${SINGLE} applications, one after the other`);
  const before = operator.cpu();
  for (let index = first; index < first + SINGLE; index++) {
    onlooker.created(await createApplications(admin, NAMESPACES.live, index, 1));
    await operator.hasSubmitted(index + 1, 20);
  }
  await operator.idle();
  return { cpu: perApplication(difference(operator.cpu(), before), SINGLE), toDriver: await onlooker.toDriver() };
}

function perApplication({ user, system }: CpuTime, count: number): CpuFigures {
  return { user: user / count, system: system / count };
}

/** Waits until a file is there, for a while. */
export async function appears(file: string): Promise<void> {
  for (let attempt = 0; attempt < 100 && !existsSync(file); attempt++) await sleep(100);
}
