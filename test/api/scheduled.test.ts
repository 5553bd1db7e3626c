/* Schedules by the operator's bundle against a real API server, with the rights that SparkOperator gives it. There is no node: the tests play the kubelet. */
import { install, type Installation } from '../helpers/installation';
import { apply, bindToNowhere, get, kubectl, list, SOON, watch, watchObject, watchOnce } from '../helpers/kubectl';
import { OperatorProcess } from '../helpers/operator-process';
import { firstEventOf } from '../helpers/traces';

const SCHEDULED_AT = 'sparkoperator.k8s.io/scheduled-at';
const NEVER = '0 0 1 1 *';

let installation: Installation;
let jobs: string;
let operator: OperatorProcess;

beforeAll(async () => {
  installation = await install('scheduled');
  jobs = installation.jobs;
  operator = await start();
});

afterAll(async () => {
  await operator?.stop();
  await installation?.remove();
});

function start(): Promise<OperatorProcess> {
  return new OperatorProcess([`--kubeconfig=${installation.kubeconfig}`, `--namespaces=${jobs}`, '--log-level=debug']).ready('scheduled-spark-application');
}

async function put(name: string, spec: object, annotations: object = {}): Promise<void> {
  await apply({
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'ScheduledSparkApplication',
    metadata: { name, namespace: jobs, annotations, labels: { team: 'data' } },
    spec: {
      schedule: NEVER,
      ...spec,
      template: { type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py', driver: { serviceAccount: 'spark' }, executor: { instances: 1 } },
    },
  });
}

const merge = (kind: string, name: string, patch: object, ...options: string[]) => kubectl(['patch', kind, name, '-n', jobs, ...options, '--type=merge', '-p', JSON.stringify(patch)]);
const edit = (name: string, spec: object) => merge('scheduledsparkapp', name, { spec });
const ask = (name: string, token: string) => kubectl(['annotate', 'scheduledsparkapp', name, '-n', jobs, '--overwrite', `sparkoperator.k8s.io/run-now=${token}`]);
const runsOf = (name: string): Promise<any[]> => list(jobs, 'sparkapp', `sparkoperator.k8s.io/scheduled-app-name=${name}`);

/** Waits until the status of a schedule fits. */
async function statusOf(name: string, fits: (status: any) => boolean): Promise<any> {
  let last = '';
  const found = await watchObject(jobs, 'scheduledsparkapp', name, ({ status = {} }) => {
    last = JSON.stringify(status);
    return fits(status) ? status : undefined;
  });
  if (!found) throw new Error(`${name} is not as expected after ${SOON} s: ${last}\n${JSON.stringify(operator.log.slice(-20))}`);
  return found;
}

/** The driver of a run ends; it is there when the run has been submitted. */
async function end(run: string, exitCode = 0): Promise<void> {
  await watch(['pod', '-n', jobs, '-l', `sparkoperator.k8s.io/app-name=${run}`, '-o', 'jsonpath={.metadata.name}{"\\n"}'], (line) => line || undefined, SOON);
  const terminated = { exitCode, startedAt: new Date().toISOString(), finishedAt: new Date().toISOString() };
  const containerStatuses = [{ name: 'spark-kubernetes-driver', image: 'i', imageID: '', ready: false, restartCount: 0, state: { terminated } }];
  await merge('pod', `${run}-driver`, { status: { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses } }, '--subresource=status');
}

test('a schedule of seconds runs on time, through an operator that is killed, and no time has two runs', async () => {
  // A run that is created a second time after its deletion causes two events.
  const added: string[] = [];
  const format = 'jsonpath={.type} {.object.metadata.name} {.object.metadata.annotations.last}{"\\n"}';
  const following = watchOnce(['sparkapp', '-n', jobs, '-l', 'sparkoperator.k8s.io/scheduled-app-name=ticks', '--output-watch-events', '-o', format], (line) => {
    const [type, name, last] = line.split(' ');
    if (type === 'ADDED') added.push(name!);
    return last || undefined;
  }, 110);
  // The operator misses less than two times while it starts: with more, each run would wait for the end of the previous one.
  await put('ticks', { schedule: '@every 6s', catchUpPolicy: 'All', concurrencyPolicy: 'Allow' });
  let begun: string | undefined;
  for (let kill = 0; kill < 3; kill++) {
    const before = begun;
    begun = (await statusOf('ticks', ({ lastRunName }) => lastRunName !== undefined && lastRunName !== before)).lastRunName;
    await operator.stop('SIGKILL');
    operator = await start();
  }
  const { lastRunName } = await statusOf('ticks', ({ lastRunName: last, nextRun }) => last !== begun && Date.parse(nextRun) > Date.now());
  await edit('ticks', { suspend: true });
  await statusOf('ticks', ({ conditions }) => conditions?.some(({ type, status }: any) => type === 'Suspended' && status === 'True'));

  const runs = await runsOf('ticks');
  const run = runs.find(({ metadata }) => metadata.name === lastRunName);
  expect(run.metadata).toMatchObject({
    labels: { 'team': 'data', 'sparkoperator.k8s.io/scheduled-app-name': 'ticks' }, ownerReferences: [{ kind: 'ScheduledSparkApplication', name: 'ticks', controller: true }],
  });
  const times = runs.map(({ metadata }) => Date.parse(metadata.annotations[SCHEDULED_AT])).sort();
  expect(new Set(times).size).toBe(times.length);
  expect(runs.map(({ metadata }) => metadata.name).sort()).toEqual(times.map((time) => `ticks-${time / 1000}`));
  await kubectl(['annotate', 'sparkapp', lastRunName, '-n', jobs, 'last=yes']);
  expect(await following).toBe('yes');
  expect(added.sort()).toEqual(runs.map(({ metadata }) => metadata.name).sort());
  // It may still be on its way.
  const message = await watch(['events', '-n', jobs, '--field-selector=reason=ScheduledRunStarted,involvedObject.name=ticks', '-o', 'jsonpath={.message}{"\\n"}'], (line) => line || undefined, SOON);
  expect(message).toMatch(/^Started ticks-\d+, the run of /);
  await kubectl(['delete', 'scheduledsparkapp', 'ticks', '-n', jobs, '--wait=false']);
});

test('known failure 14: a schedule is edited, cannot be read, recovers, and is suspended', async () => {
  await put('edited', { schedule: '0 3 * * *' });
  expect(await statusOf('edited', ({ nextRun }) => nextRun !== undefined)).toMatchObject({ scheduleState: 'Scheduled', nextRun: expect.stringMatching(/T03:00:00Z$/) });
  await edit('edited', { schedule: '15 4 * * *', timeZone: 'Asia/Kolkata' });
  await statusOf('edited', ({ nextRun }) => /T22:45:00Z$/.test(nextRun));
  await edit('edited', { timeZone: 'Asia/Calcuttta' });
  expect(await statusOf('edited', ({ scheduleState }) => scheduleState === 'FailedValidation')).toMatchObject({ reason: expect.stringContaining('"Asia/Calcuttta" is not a known time zone') });
  await edit('edited', { timeZone: 'UTC' });
  await statusOf('edited', ({ scheduleState, nextRun, reason }) => scheduleState === 'Scheduled' && /T04:15:00Z$/.test(nextRun) && reason === undefined);
  await edit('edited', { suspend: true });
  await statusOf('edited', ({ nextRun, conditions }) => nextRun === undefined && conditions[0].status === 'True');
  expect((await firstEventOf(jobs, 'ScheduledSparkApplicationInvalid', 'edited')).message).toContain('spec.timeZone');
  expect(await runsOf('edited')).toEqual([]);
});

test('a run that is asked for begins once; those that have ended are kept up to the limits', async () => {
  await put('asked', { suspend: true, concurrencyPolicy: 'Forbid', successfulRunHistoryLimit: 1, failedRunHistoryLimit: 1 });
  await statusOf('asked', ({ observedGeneration }) => observedGeneration === 1);
  const names: string[] = [];
  for (const [token, exitCode] of [['one', 0], ['two', 1], ['three', 0]] as const) {
    await ask('asked', token);
    const { lastRunName } = await statusOf('asked', ({ lastRunNow }) => lastRunNow === token);
    names.push(lastRunName);
    if (token === 'one') {
      await ask('asked', 'not now');
      await statusOf('asked', ({ lastRunNow }) => lastRunNow === 'not now');
      expect((await firstEventOf(jobs, 'ScheduledRunSkipped', 'asked')).message).toContain(`${lastRunName} has not ended, and spec.concurrencyPolicy is Forbid`);
    }
    await end(lastRunName, exitCode);
    await statusOf('asked', ({ pastSuccessfulRunNames = [], pastFailedRunNames = [] }) => [...pastSuccessfulRunNames, ...pastFailedRunNames].includes(lastRunName));
  }
  expect(new Set(names).size).toBe(3);
  await kubectl(['wait', '--for=delete', `sparkapp/${names[0]}`, '-n', jobs, `--timeout=${SOON}s`]);
  expect((await runsOf('asked')).map(({ metadata }) => metadata.name).sort()).toEqual([names[1], names[2]].sort());
  expect((await get(jobs, 'scheduledsparkapp', 'asked')).status).toMatchObject({ pastSuccessfulRunNames: [names[2]], pastFailedRunNames: [names[1]] });
});

test('Replace waits for the driver of the current run', async () => {
  await put('replaced', { suspend: true, concurrencyPolicy: 'Replace' });
  await statusOf('replaced', ({ observedGeneration }) => observedGeneration === 1);
  await ask('replaced', 'first');
  const { lastRunName: first } = await statusOf('replaced', ({ lastRunNow }) => lastRunNow === 'first');
  await watch(['pod', '-n', jobs, '-l', `sparkoperator.k8s.io/app-name=${first}`, '-o', 'jsonpath={.metadata.name}{"\\n"}'], (line) => line || undefined, SOON);
  await bindToNowhere(jobs, `${first}-driver`);
  await ask('replaced', 'second');
  const { conditions } = await statusOf('replaced', (status) => status.conditions?.some(({ reason, status: is }: any) => reason === 'Replacing' && is === 'True'));
  expect(conditions.find(({ type }: any) => type === 'Waiting').message).toMatch(new RegExp(`when ${first}(-driver)? is gone$`));
  await kubectl(['wait', '--for=delete', `sparkapp/${first}`, '-n', jobs, `--timeout=${SOON}s`]);
  expect(await runsOf('replaced')).toEqual([]);
  await kubectl(['delete', 'pod', `${first}-driver`, '-n', jobs, '--grace-period=0', '--force', '--ignore-not-found']);
  const { lastRunName: second } = await statusOf('replaced', ({ lastRunNow }) => lastRunNow === 'second');
  expect((await runsOf('replaced')).map(({ metadata }) => metadata.name)).toEqual([second]);
});
