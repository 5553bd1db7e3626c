/* The bundles of `sparkctl render` and the operator, with a real API server. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { install, type Installation } from '../helpers/installation';
import { apply, kubectl, tryKubectl, waitForState } from '../helpers/kubectl';
import { OperatorProcess } from '../helpers/operator-process';

const root = join(__dirname, '../..');
let installation: Installation;
let operator: OperatorProcess;

beforeAll(async () => {
  installation = await install('sparkctl');
  operator = await new OperatorProcess([`--kubeconfig=${installation.kubeconfig}`, `--namespaces=${installation.jobs}`]).ready();
});

afterAll(async () => {
  await operator?.stop();
  await installation?.remove();
});

/** Returns the output for a manifest. */
function render(manifest: string, ...options: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'runtime/sparkctl.cjs'), 'render', '-', ...options], { input: manifest, encoding: 'utf8' });
  expect({ status, stderr: stderr.split('\n').filter((line) => line.includes('error:')) }).toEqual({ status: 0, stderr: [] });
  return stdout;
}

test.each(['pi.yaml', 'nightly-report.yaml', 'training.yaml'])('prints the objects that the operator has created for a live application (%s)', async (file) => {
  const { jobs } = installation;
  const { metadata, spec, ...manifest } = parse(readFileSync(join(root, 'test/fixtures/applications', file), 'utf8'));
  const priority = spec.driver.priorityClassName;
  if (priority) await apply({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: priority }, value: 1 });
  await apply({ ...manifest, metadata: { ...metadata, namespace: jobs }, spec: { ...spec, driver: { ...spec.driver, serviceAccount: 'spark' } } });
  await waitForState(jobs, metadata.name, 'SUBMITTED');

  const objects = render(await kubectl(['get', 'sparkapplication', metadata.name, '-n', jobs, '-o', 'yaml']));
  expect(await tryKubectl(['diff', '-f', '-'], objects)).toEqual({ code: 0, stdout: '', stderr: '' });

  // The comparison detects a difference.
  const changed = await tryKubectl(['diff', '-f', '-'], objects.replace(/( +image: )\S+/, '$1example.org/other:1'));
  expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining('example.org/other:1') });
});
