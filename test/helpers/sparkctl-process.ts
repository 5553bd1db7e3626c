import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Result } from './kubectl';

const BUNDLE = join(__dirname, '../../runtime/sparkctl.cjs');

/** How the command line runs. */
export interface SparkctlOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Sends SIGINT when it is aborted, as Ctrl-C does. */
  readonly interrupt?: AbortSignal;
  readonly cwd?: string;
}

/** Runs the command line as it ships, against the cluster of the tests. */
export function runSparkctl(args: readonly string[], { input = '', environment = {}, interrupt, cwd }: SparkctlOptions = {}): Promise<Result> {
  const { KUBECONFIG, PATH, TEST_CONTEXT } = process.env;
  if (!KUBECONFIG || !process.env.TEST_CLUSTER) throw new Error('no test cluster: run `npm run test:api` or `npm run test:e2e`');
  const context = TEST_CONTEXT ? [`--context=${TEST_CONTEXT}`] : [];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BUNDLE, ...context, ...args], { env: { PATH, KUBECONFIG, HOME: '/nonexistent', ...environment }, cwd });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) child[name].setEncoding('utf8').on('data', (text: string) => { output[name] += text; });
    interrupt?.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? (signal === null ? -1 : 128), ...output }));
    child.stdin.on('error', () => undefined); // it has ended before it read all
    child.stdin.end(input);
  });
}
