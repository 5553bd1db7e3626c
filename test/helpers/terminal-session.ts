import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Chunk, Step } from '../../tools/recording/frames.ts';
import { kubectl } from './kubectl';

const BUNDLE = join(__dirname, '../../runtime/sparkctl.cjs');

/** Output of a command to the terminal, and its exit code. */
export interface Ended {
  readonly code: number | null;
  /** As the terminal got it, with colours. */
  readonly output: string;
}

/** A user at a terminal who has `sparkctl` on the path, a folder, and a kubeconfig with a namespace. */
export class TerminalSession {
  /** The steps so far. */
  readonly steps: Step[] = [];

  /** @param columns characters in a line of the terminal */
  static async start(folder: string, namespace: string, columns: number): Promise<TerminalSession> {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(BUNDLE, join(bin, 'sparkctl'));
    const context = process.env.TEST_CONTEXT ? [`--context=${process.env.TEST_CONTEXT}`] : [];
    const config = parse(await kubectl(['config', 'view', '--raw', '--minify', '--flatten', ...context]));
    config.contexts[0].context.namespace = namespace;
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, stringify(config), { mode: 0o600 });
    return new TerminalSession(folder, columns, { KUBECONFIG: kubeconfig, PATH: [bin, dirname(process.execPath), process.env.PATH].join(':'), HOME: folder, SHELL: '/bin/sh', TERM: 'xterm-256color' });
  }

  private constructor(private readonly folder: string, private readonly columns: number, private readonly environment: NodeJS.ProcessEnv) {}

  /** Runs a command line by a shell, at a terminal that `script` of util-linux makes. */
  run(command: string): Promise<Ended> {
    const begin = performance.now();
    const output: Chunk[] = [];
    this.steps.push({ command, output });
    return new Promise((resolve, reject) => {
      const child = spawn('script', ['--quiet', '--return', '--flush', '--command', `stty cols ${this.columns} rows 40 && ${command}`, '/dev/null'], { cwd: this.folder, env: this.environment });
      let errors = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => output.push({ at: performance.now() - begin, text }));
      child.stderr.setEncoding('utf8').on('data', (text: string) => { errors += text; });
      child.on('error', reject);
      // Its standard input stays open until then: its end would be Ctrl-D.
      child.on('close', (code) => resolve({ code, output: output.map(({ text }) => text).join('') + errors }));
    });
  }
}
