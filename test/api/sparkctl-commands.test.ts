/* Bundled commands that read and change objects, with a real API server and the operator. */
import { install, type Installation } from '../helpers/installation';
import { apply, kubectl, SOON, waitForState } from '../helpers/kubectl';
import { OperatorProcess } from '../helpers/operator-process';
import { runSparkctl } from '../helpers/sparkctl-process';

let installation: Installation;
let operator: OperatorProcess;
let jobs: string;

beforeAll(async () => {
  installation = await install('sparkctl-commands');
  ({ jobs } = installation);
  operator = await new OperatorProcess([`--kubeconfig=${installation.kubeconfig}`, `--namespaces=${jobs}`]).ready();
  await apply([
    application('pi', { team: 'data' }),
    { apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'ScheduledSparkApplication', metadata: { name: 'nightly', namespace: jobs }, spec: { schedule: '30 2 * * *', timeZone: 'Europe/Berlin', template: application('x').spec } },
  ]);
});

afterAll(async () => {
  await operator?.stop();
  await installation?.remove();
});

function application(name: string, labels = {}) {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', metadata: { name, namespace: jobs, labels },
    spec: { type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py', driver: { serviceAccount: 'spark' }, executor: { instances: 2 } },
  };
}

async function sparkctl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runSparkctl([...args, '-n', jobs]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

test('an application from its submission to its deletion', async () => {
  await waitForState(jobs, 'pi', 'SUBMITTED');
  expect(await sparkctl('status', 'pi')).toMatch(/^State: +SUBMITTED(?: \(Unschedulable\))?\nWhy: +The driver has waited for \d+s/m);
  expect(await sparkctl('list', '-l', 'team=data')).toMatch(/^NAME .*\npi +SUBMITTED(?: \(Unschedulable\))? +0\/2 +1 /);
  expect(await sparkctl('describe', 'pi')).toMatch(/\nEvents:\n[^]*SparkApplicationSubmitted/);
  expect(await sparkctl('event', 'pi')).toContain('SparkApplicationSubmitted');

  const waiting = runSparkctl(['wait', 'pi', '-n', jobs, '--timeout=180s', '--for=SUSPENDED']);
  expect(await sparkctl('suspend', 'pi')).toBe(`SparkApplication ${jobs}/pi suspended\n`);
  expect(await waiting).toMatchObject({ code: 0 });
  expect(await sparkctl('status', 'pi')).toMatch(/^To do: +sparkctl resume pi/m);
  await sparkctl('resume', 'pi');
  await waitForState(jobs, 'pi', 'SUBMITTED');

  const before = await submission();
  await sparkctl('rerun', 'pi');
  expect(await runSparkctl(['wait', 'pi', '-n', jobs, '--timeout=180s', '--for=SUBMITTED', '-q'])).toMatchObject({ code: 0 });
  expect(await submission()).not.toBe(before);

  expect(await sparkctl('delete', '-l', 'team=data')).toBe(`SparkApplication ${jobs}/pi deleted\n`);
  expect(await runSparkctl(['status', 'pi', '-n', jobs])).toMatchObject({ code: 1, stderr: expect.stringContaining('`sparkctl list') });
});

const submission = () => kubectl(['get', 'sparkapplication', 'pi', '-n', jobs, '-o', 'jsonpath={.status.submissionID}']);

test('a schedule', async () => {
  expect(await sparkctl('list', 'schedules')).toMatch(/\nnightly +30 2 \* \* \* +Europe\/Berlin +no +in /);
  expect((await sparkctl('schedule', 'next', 'nightly', '-c', '3')).trim().split('\n')).toHaveLength(4);
  const run = (await sparkctl('run', 'nightly', '-o', 'name')).trim();
  await kubectl(['wait', run, '-n', jobs, '--for=jsonpath={.status.applicationState.state}=SUBMITTED', `--timeout=${SOON}s`]);
  expect(await sparkctl('delete', 'schedule/nightly')).toBe(`ScheduledSparkApplication ${jobs}/nightly deleted\n`);
});

test('without permission: the message names it', async () => {
  const { code, stderr } = await runSparkctl(['list', '-n', jobs, '--kubeconfig', installation.kubeconfig]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) });
  const denied = await runSparkctl(['delete', 'connect/x', '-n', 'kube-system', '--kubeconfig', installation.kubeconfig]);
  expect(denied).toMatchObject({ code: 1, stderr: expect.stringMatching(/: you cannot delete sparkconnects in kube-system; .*`kubectl auth can-i delete sparkconnects -n kube-system`/) });
});

test('without an operator: what has become of the driver, and how old the status is', async () => {
  await apply([application('left')]);
  await waitForState(jobs, 'left', 'SUBMITTED');
  await kubectl(['patch', 'pod', 'left-driver', '-n', jobs, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: { phase: 'Running' } })]);
  await waitForState(jobs, 'left', 'RUNNING');
  await operator.stop();
  await kubectl(['delete', 'pod', 'left-driver', '-n', jobs, '--force', '--grace-period=0']);
  expect(await sparkctl('list')).toMatch(/^left +RUNNING \(driver is gone\)/m);
  expect(await sparkctl('list', '--attention', '-o', 'name')).toContain('/left\n');
  expect(await sparkctl('status', 'left')).toMatch(/^Why: +The pod left-driver of its driver does not exist any more\. Its status is \d+s old, and no operator has recorded that/m);
});
