import type { ChildProcess, SpawnOptions } from 'node:child_process';
import type { Clock, Timer } from '../../kube/clock';
import { OutputTail } from './output';

/** `spawn` of node:child_process, as far as it is used. */
export type Spawn = (command: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** How a process is run. */
export interface ProcessOptions {
  readonly environment: { readonly [name: string]: string };
  readonly workingFolder: string;
  /** Longer it may not take, in milliseconds. */
  readonly timeout: number;
  /** Between the request to end and the end by force, in milliseconds. */
  readonly grace: number;
  /** Ends it. */
  readonly signal?: AbortSignal;
  readonly spawn: Spawn;
  readonly clock: Clock;
}

/** How a process ended. */
export interface ProcessEnd {
  /** The exit code; null if a signal ended it. */
  readonly code: number | null;
  /** The signal that ended it. */
  readonly signal: string | null;
  /** Whether it was ended because it took too long. */
  readonly timedOut: boolean;
  /** The last lines of what it printed. */
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

/** What still holds the outputs open after the end of the process and its group is not waited for longer, in milliseconds. */
const OUTPUT_GRACE = 1_000;

/**
 * Runs a program in a process group of its own, without a shell. When it takes too long or is aborted, the whole group is asked to end
 * and then killed; nothing of the group outlives the program.
 *
 * @throws the error of `spawn` if the program cannot be started, and the signal's reason once it is aborted and the group is gone
 */
export async function runInGroup(command: string, args: readonly string[], options: ProcessOptions): Promise<ProcessEnd> {
  const { environment, workingFolder, timeout, grace, signal, spawn, clock } = options;
  signal?.throwIfAborted();
  const child = spawn(command, args, {
    cwd: workingFolder, env: { ...environment }, detached: true, shell: false, stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  let timedOut = false;
  const timers: Timer[] = [];
  const end = () => {
    killGroup(child, 'SIGTERM');
    timers.push(clock.setTimeout(() => killGroup(child, 'SIGKILL'), grace));
  };
  timers.push(clock.setTimeout(() => {
    timedOut = true;
    end();
  }, timeout));
  signal?.addEventListener('abort', end, { once: true });
  try {
    const { code, signal: endedBy } = await ended(child, clock, timers);
    signal?.throwIfAborted();
    return { code, signal: endedBy, timedOut, stdout: stdout.lines(), stderr: stderr.lines() };
  } finally {
    signal?.removeEventListener('abort', end);
    for (const timer of timers) {
      clock.clearTimeout(timer);
    }
  }
}

function collect(stream: ChildProcess['stdout']): OutputTail {
  const tail = new OutputTail();
  stream?.on('data', (chunk: Buffer) => tail.write(chunk));
  return tail;
}

/** Resolves when the process has ended and all of its output is here; one that left the group and keeps the output is not waited for. */
function ended(child: ChildProcess, clock: Clock, timers: Timer[]): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      killGroup(child, 'SIGKILL');
      timers.push(clock.setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve({ code, signal });
      }, OUTPUT_GRACE));
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) {
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // All of the group have ended.
  }
}
