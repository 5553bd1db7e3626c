import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** What a command printed, and how it ended. */
export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs kubectl against the cluster of the tests: KUBECONFIG names it, and TEST_CONTEXT the context in it if not the current one.
 * Both are set by tools/test; without them the test fails instead of touching some other cluster.
 */
export async function tryKubectl(args: readonly string[], input?: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = execFile('kubectl', [...context(), ...args], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') reject(error);
      else resolve({ code: (error?.code as number | undefined) ?? 0, stdout, stderr });
    });
    child.stdin?.end(input ?? '');
  });
}

function context(): string[] {
  if (!process.env.KUBECONFIG || !process.env.TEST_CLUSTER) throw new Error('no test cluster: run `npm run test:api` or `npm run test:e2e`');
  return process.env.TEST_CONTEXT ? [`--context=${process.env.TEST_CONTEXT}`] : [];
}

/** As `tryKubectl`, for what has to succeed. @returns what was printed to standard output */
export async function kubectl(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await tryKubectl(args, input);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${code}: ${stderr || stdout}`);
  return stdout;
}

/** Applies objects, or a whole file of them. */
export function apply(manifests: string | object | readonly object[]): Promise<string> {
  const text = typeof manifests === 'string' ? manifests : JSON.stringify(Array.isArray(manifests) ? { apiVersion: 'v1', kind: 'List', items: manifests } : manifests);
  return kubectl(['apply', '-f', '-'], text);
}

/** An object as JSON. */
export async function get<T = any>(namespace: string, kind: string, name: string): Promise<T> {
  return JSON.parse(await kubectl(['get', kind, name, '-n', namespace, '-o', 'json']));
}

/** The objects of a kind in a namespace. */
export async function list<T = any>(namespace: string, kind: string, selector = ''): Promise<T[]> {
  return JSON.parse(await kubectl(['get', kind, '-n', namespace, '-l', selector, '-o', 'json'])).items;
}

/** Waits until the status of an application fits; when it does not, the error tells what it is instead. */
export async function waitForStatus(namespace: string, name: string, fits: (status: any) => boolean, seconds: number): Promise<any> {
  const child = spawn('kubectl', [...context(), 'get', 'sparkapp', name, '-n', namespace, '--watch', '-o', 'jsonpath={.status}{"\\n"}'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let last = '';
  let errors = '';
  child.stderr.on('data', (text) => { errors += text; });
  const timer = setTimeout(() => child.kill(), seconds * 1000);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      last = line || last;
      if (line && fits(JSON.parse(line))) return await get(namespace, 'sparkapp', name);
    }
    throw new Error(`${name} did not get there in ${seconds} s; its status is ${last || 'empty'} ${errors}`);
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}

/** Waits until an application is in a state. */
export function waitForState(namespace: string, name: string, state: string, seconds: number): Promise<any> {
  return waitForStatus(namespace, name, (status) => status.applicationState?.state === state, seconds);
}

/** Waits until an object meets a condition of `kubectl wait`, such as `condition=Ready` or `delete`. */
export function waitFor(namespace: string, object: string, condition: string, seconds: number): Promise<string> {
  return kubectl(['wait', object, '-n', namespace, `--for=${condition}`, `--timeout=${seconds}s`]);
}
