import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A program that runs until it is stopped or has done its work. */
export class RunningProgram {
  stdout = '';
  stderr = '';
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly ended: Promise<number | null>;

  constructor(program: string, args: readonly string[]) {
    this.child = spawn(program, args);
    this.child.stdout.on('data', (text) => { this.stdout += text; });
    this.child.stderr.on('data', (text) => { this.stderr += text; });
    this.ended = once(this.child, 'close').then(([code]) => code);
  }

  /** The exit code. */
  code(): Promise<number | null> {
    return this.ended;
  }

  signal(name: 'SIGINT' | 'SIGKILL'): void {
    this.child.kill(name);
  }

  /** Resolves when it has printed what fits. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const ended = this.ended.then((code) => { throw new Error(`it has ended with ${code} without ${pattern}: ${this.stdout.slice(-2_000)}${this.stderr}`); });
    ended.catch(() => {});
    for (;;) {
      const found = pattern.exec(this.stdout);
      if (found) return found;
      await Promise.race([once(this.child.stdout, 'data'), ended]);
    }
  }
}

const CONTEXT = process.env.TEST_CONTEXT ? [`--context=${process.env.TEST_CONTEXT}`] : [];

/** The command line as it ships, against the cluster of the tests. */
export function startSparkctl(...args: string[]): RunningProgram {
  return new RunningProgram(process.execPath, [join(__dirname, '../../runtime/sparkctl.cjs'), ...args, ...CONTEXT]);
}

/** kubectl, against the cluster of the tests. */
export function startKubectl(...args: string[]): RunningProgram {
  return new RunningProgram('kubectl', [...CONTEXT, ...args]);
}
