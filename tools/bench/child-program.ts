import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '../local-cluster/errors.ts';
import { endAll } from './children.ts';

/** What a program that measures tells its parent. */
export type Message<Figures> = { readonly progress: string } | { readonly figures: Figures } | { readonly error: string };

/** What a program that measures works with. */
export interface Surroundings {
  /** For files that nobody needs afterwards. */
  readonly folder: string;
  readonly progress: (text: string) => void;
}

/**
 * Makes this process one that measures: its parent sends a task and gets the figures. It ends with its parent, and its own children with it.
 *
 * @param maxSeconds no task takes longer; a process that hangs must not keep the machine busy
 */
export function measureForParent<Task, Figures>(maxSeconds: (task: Task) => number, measure: (task: Task, surroundings: Surroundings) => Promise<Figures>): void {
  const end = (message: Message<Figures>) => process.send!(message, () => process.exit(0));
  process.once('message', async (task: Task) => {
    const seconds = maxSeconds(task);
    setTimeout(() => end({ error: `the benchmark takes longer than ${seconds} s` }), seconds * 1000).unref();
    const folder = mkdtempSync(join(tmpdir(), 'bench-'));
    process.once('exit', () => {
      endAll();
      rmSync(folder, { recursive: true, force: true });
    });
    try {
      end({ figures: await measure(task, { folder, progress: (progress) => process.send!({ progress } satisfies Message<Figures>) }) });
    } catch (error) {
      end({ error: error instanceof ToolError ? error.message : (error as Error).stack ?? String(error) });
    }
  });
  // The parent is gone, or wants us to be.
  process.once('disconnect', () => process.exit(1));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
}
