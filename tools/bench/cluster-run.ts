import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { down, spawnIn, status, stopCommands, ToolError, up, type Progress } from '../local-cluster/index.ts';
import type { Message } from './child-program.ts';

/** The root of the repository. */
export const root = join(import.meta.dirname, '../..');

/** A control plane of the benchmark's own, and the program that measures in its network: the API server is only to be reached there. */
export class ClusterRun {
  private readonly name: string;
  private readonly progress: Progress;
  private readonly scale: boolean;
  private child: ChildProcess | undefined;
  private started = false;

  /**
   * @param benchmark a word of at most 20 letters; those of other benchmarks and of other checkouts are left alone
   * @param scale whether there are to be tens of thousands of pods
   */
  constructor(benchmark: string, progress: Progress, { scale = false } = {}) {
    this.scale = scale;
    this.name = `${benchmark}-${createHash('sha256').update(root).digest('hex').slice(0, 6)}`;
    this.progress = progress;
  }

  /** Starts the control plane anew and runs the program, which finds its `task` and sends figures. Whatever comes of it, nothing is left. */
  async measure<Task extends object, Figures>(program: string, task: Task, install: boolean): Promise<Figures> {
    this.started = true;
    const forget = this.stopOnSignals();
    try {
      await down({ name: this.name, progress: this.progress });
      await up({ name: this.name, controlPlane: true, scale: this.scale, install, progress: this.progress });
      return await this.run<Task, Figures>(program, task);
    } finally {
      // What was measured is not to be lost for that, and neither is why it could not be.
      await this.stop().catch((error: unknown) => this.progress.note(`the cluster ${this.name} could not be taken down: ${String(error)}`));
      forget();
    }
  }

  /** @returns what ends that: one process can measure one thing after the other, and a signal means the one that is under way */
  private stopOnSignals(): () => void {
    const handlers = ([['SIGINT', 130], ['SIGTERM', 143]] as const).map(([signal, code]) => {
      const handler = async () => {
        stopCommands();
        await this.stop().catch(() => undefined);
        process.exit(code);
      };
      process.once(signal, handler);
      return () => process.off(signal, handler);
    });
    return () => handlers.forEach((end) => end());
  }

  private run<Task extends object, Figures>(program: string, task: Task): Promise<Figures> {
    return new Promise((resolve, reject) => {
      const child = this.child = spawnIn(this.name, [process.execPath, program], { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      child.on('message', (message: Message<Figures>) => {
        if ('progress' in message) this.progress.note(`… ${message.progress}`);
        else if ('figures' in message) resolve(message.figures);
        else reject(new ToolError(message.error));
      });
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`the part in the cluster ended with ${signal ?? code}`)));
      child.send(task);
    });
  }

  private async stop(): Promise<void> {
    this.child?.kill('SIGTERM');
    if (this.started && (await status(this.name)).exists) await down({ name: this.name, progress: this.progress });
  }
}
