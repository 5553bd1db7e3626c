import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { down, spawnIn, stopCommands, ToolError, up, type Progress } from '../local-cluster/index.ts';
import { readText } from './api-client.ts';
import type { Task } from './context.ts';
import type { Figures, Scenario } from './figures.ts';

/** The root of the repository. */
export const root = join(import.meta.dirname, '../..');

/** Options of the cluster of a scenario. */
export interface ClusterOptions {
  /** Whether there are tens of thousands of pods. */
  readonly scale: boolean;
  /** Minutes after which the scenario is given up. */
  readonly minutes: number;
  /** Whether missing Debian packages can be installed. */
  readonly install: boolean;
  readonly progress: Progress;
}

/** Measures a scenario in a new control plane, and removes the control plane. A signal does so, too. */
export async function inCluster<Name extends Scenario>(
  task: Task & { readonly scenario: Name }, { scale, minutes, install, progress }: ClusterOptions,
): Promise<{ readonly figures: Figures[Name]; readonly doubts: readonly string[] }> {
  // Clusters of other checkouts have other names.
  const name = `bench-${task.scenario}-${createHash('sha256').update(root).digest('hex').slice(0, 6)}`;
  let child: ChildProcess | undefined;
  const stop = async () => {
    child?.kill('SIGKILL');
    await down({ name, progress }).catch((error: unknown) => progress.note(`the cluster ${name} could not be removed: ${String(error)}`));
  };
  const handlers = ([['SIGINT', 130], ['SIGTERM', 143]] as const).map(([signal, code]) => {
    const handler = () => {
      stopCommands();
      void stop().finally(() => process.exit(code));
    };
    process.once(signal, handler);
    return () => process.off(signal, handler);
  });
  try {
    await down({ name, progress });
    await up({ name, controlPlane: true, scale, install, progress });
    child = spawnIn(name, [process.execPath, join(import.meta.dirname, 'inside.ts'), JSON.stringify(task)], {
      cwd: root, stdio: ['pipe', 'pipe', 'inherit'], timeout: minutes * 60_000, killSignal: 'SIGKILL',
    });
    const [text, [code, signal]] = await Promise.all([readText(child.stdout as any), once(child, 'exit')]);
    if (code !== 0) {
      const problem = `the scenario ${task.scenario} ended with ${signal ?? `exit code ${code}`}`;
      throw new ToolError(problem, `See its messages above; it has ${minutes} minutes.`);
    }
    return JSON.parse(text);
  } finally {
    await stop();
    for (const forget of handlers) forget();
  }
}
