import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { followObject, pathsOf, readAll, readObject } from './api-reads';
import { canCall } from './api-server';
import { applyObjects, createToken, objectsOf } from './api-writes';

/** Output and exit code of a command. */
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
    child.stdin?.on('error', () => {}); // kubectl has ended before it read all; how, the result tells
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
export async function apply(manifests: string | object | readonly object[]): Promise<void> {
  const items = objectsOf(manifests);
  if (canCall()) await applyObjects(items);
  else await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}

/** Returns a token of a service account. @param seconds for which it lasts */
export async function tokenOf(namespace: string, account: string, seconds = 3_600): Promise<string> {
  return canCall() ? createToken(namespace, account, seconds) : (await kubectl(['create', 'token', account, '-n', namespace, `--duration=${seconds}s`])).trim();
}

/** An object as JSON. */
export async function get<T = any>(namespace: string, kind: string, name: string): Promise<T> {
  const [path] = pathsOf(namespace, kind) ?? [];
  return path !== undefined ? readObject(`${path}/${name}`) : JSON.parse(await kubectl(['get', kind, name, '-n', namespace, '-o', 'json']));
}

/** The objects of a kind in a namespace. */
export async function list<T = any>(namespace: string, kind: string, selector = ''): Promise<T[]> {
  const paths = pathsOf(namespace, kind);
  return paths ? readAll(paths, selector) as Promise<T[]> : JSON.parse(await kubectl(['get', kind, '-n', namespace, '-l', selector, '-o', 'json'])).items;
}

/** Binds a pod to a node that is not there: deleted, it stays until a kubelet would have stopped it. The cluster's pod garbage collector leaves it alone for 40 s. */
export async function bindToNowhere(namespace: string, pod: string): Promise<void> {
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name: pod }, target: { kind: 'Node', name: `of-${pod}` } };
  await kubectl(['create', '--raw', `/api/v1/namespaces/${namespace}/pods/${pod}/binding`, '-f', '-'], JSON.stringify(binding));
}

/** Seconds that a wait may take on a machine that has much to do. Waits end with what they wait for, so that only failing tests take as long. */
export const SOON = 180;
/** The same for Spark: JVMs of several applications start and work at a time. */
export const SPARK_TIME = 480;

/** Waits until the status of an application fits; when it does not, the error reports the status. */
export function waitForStatus(namespace: string, name: string, fits: (status: any) => boolean, seconds = SOON): Promise<any> {
  return follow(namespace, name, (status) => (fits(status) ? 'there' : 'not yet'), seconds);
}

/** Waits until an application is in a state, or has ended in another one. If it is SUBMITTED, also waits for its driver, which that state precedes by milliseconds. */
export async function waitForState(namespace: string, name: string, state: string, seconds = SOON): Promise<any> {
  const application = await follow(namespace, name, ({ applicationState }) => {
    if (applicationState?.state === state) return 'there';
    return ['COMPLETED', 'FAILED'].includes(applicationState?.state) ? 'never' : 'not yet';
  }, seconds);
  if (state === 'SUBMITTED') await waitForDriver(namespace, application);
  return application;
}

/** Waits until the driver of a submitted application exists. */
export async function waitForDriver(namespace: string, { status: { submissionID, driverInfo } }: any): Promise<void> {
  const found = await watchObject(namespace, 'pod', driverInfo.podName, ({ metadata: { labels } }) => (
    labels['sparkoperator.k8s.io/submission-id'] === submissionID || undefined
  ), SOON);
  if (!found) throw new Error(`there is no Pod ${driverInfo.podName} of submission ${submissionID}`);
}

async function follow(namespace: string, name: string, look: (status: any) => 'there' | 'not yet' | 'never', seconds: number): Promise<any> {
  let last = '';
  const found = await watchObject(namespace, 'sparkapp', name, ({ status }) => {
    last = status ? JSON.stringify(status) : last;
    const answer = status ? look(status) : 'not yet';
    return answer === 'not yet' ? undefined : answer;
  }, seconds);
  const current = await get(namespace, 'sparkapp', name);
  // The current object decides, not what kubectl has printed of it.
  if (found === 'there' || (found === undefined && current.status && look(current.status) === 'there')) return current;
  const problem = found === 'never' ? 'has ended otherwise' : `did not get there in ${seconds} s`;
  throw new Error(`${name} ${problem}; its status is ${JSON.stringify(current.status) ?? 'empty'}, the last one that kubectl printed ${last || 'none'}\n${await whatIsThereOf(namespace, name)}`);
}

/**
 * Follows one object until `find` makes something of it.
 *
 * @returns what it made; undefined if the time was up before
 */
export function watchObject<T>(namespace: string, kind: string, name: string, find: (object: any) => T | undefined, seconds = SOON): Promise<T | undefined> {
  const [collection] = pathsOf(namespace, kind) ?? [];
  if (collection !== undefined) return followObject(collection, name, find, seconds);
  let text = '';
  return watch([kind, only(name), '-n', namespace, '-o', 'json'], (line) => {
    // kubectl prints each object over many lines.
    text += line;
    if (line !== '}') return undefined;
    const object = JSON.parse(text);
    text = '';
    return find(object);
  }, seconds);
}

/**
 * Selects one object for `watch`. With the name itself kubectl begins its watch without a version and drops the first event, which it takes for the state
 * that it has printed: a change in between would never be seen (kubectl, pkg/cmd/get/get.go).
 */
export const only = (name: string): string => `--field-selector=metadata.name=${name}`;

/**
 * Follows `kubectl get --watch` until `find` makes something of a line. One object is selected by `only`.
 *
 * @returns what it made; undefined if the time was up before
 * @throws Error if kubectl cannot be started
 */
export async function watch<T>(args: readonly string[], find: (line: string) => T | undefined, seconds: number): Promise<T | undefined> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    const found = await watchOnce(args, find, (end - Date.now()) / 1000);
    if (found !== undefined) return found;
    // kubectl ends with its watch, which the API server can end at any time.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.min(500, end - Date.now()))));
  }
  return undefined;
}

/** The same with a single watch, where each event counts. */
export async function watchOnce<T>(args: readonly string[], find: (line: string) => T | undefined, seconds: number): Promise<T | undefined> {
  const child = spawn('kubectl', [...context(), 'get', '--watch', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure ??= error;
    lines.close();
  });
  const timer = setTimeout(() => child.kill(), seconds * 1000);
  try {
    for await (const line of lines) {
      const found = find(line);
      if (found !== undefined) return found;
    }
    if (failure) throw failure;
    return undefined;
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}

/** Returns information about an application that does not do as expected: its events, its pods and the ends of their logs. */
export async function whatIsThereOf(namespace: string, name: string): Promise<string> {
  const pods = ['-n', namespace, '-l', `sparkoperator.k8s.io/app-name=${name}`];
  const commands = [
    ['get', 'events', '-n', namespace, '--field-selector', `involvedObject.name=${name}`],
    ['describe', 'pods', ...pods],
    ['logs', ...pods, '--all-containers', '--prefix', '--tail=40', '--ignore-errors'],
  ];
  const results = await Promise.all(commands.map((args) => tryKubectl(args)));
  return results.map(({ stdout, stderr }, index) => `--- kubectl ${commands[index]!.join(' ')}\n${stdout}${stderr}`).join('\n');
}

/** Waits until an object meets a condition of `kubectl wait`, such as `condition=Ready` or `delete`. */
export function waitFor(namespace: string, object: string, condition: string, seconds = SOON): Promise<string> {
  return kubectl(['wait', object, '-n', namespace, `--for=${condition}`, `--timeout=${seconds}s`]);
}
