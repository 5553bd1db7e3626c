/* The FlowSchema of docs/operate/scaling.md: a real API server takes it, and what the operator asks goes by it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { install, type Installation } from '../helpers/installation';
import { apply, kubectl, tryKubectl } from '../helpers/kubectl';

const [, MANIFEST] = /```yaml\n(apiVersion: flowcontrol[^]*?)```/.exec(readFileSync(join(__dirname, '../../docs/operate/scaling.md'), 'utf8'))!;

let installation: Installation;

beforeAll(async () => { installation = await install('scaling'); });

afterAll(async () => {
  await kubectl(['delete', 'flowschema', 'spark-operator-of-the-test', '--ignore-not-found']);
  await installation?.remove();
});

test('calls of the operator go by it', async () => {
  const flowSchema = parse(MANIFEST!);
  const [{ subjects: [{ serviceAccount }] }] = flowSchema.spec.rules;
  expect(serviceAccount).toEqual({ name: 'spark-operator', namespace: 'spark-operator' });
  flowSchema.metadata.name = 'spark-operator-of-the-test';
  serviceAccount.namespace = installation.namespace;
  await apply(flowSchema);
  const uid = (await kubectl(['get', 'flowschema', flowSchema.metadata.name, '-o', 'jsonpath={.metadata.uid}'])).trim();

  // The API server takes a moment to follow a new one.
  const subject = `system:serviceaccount:${installation.namespace}:spark-operator`;
  for (const deadline = Date.now() + 60_000; !await goesBy(subject, uid);) {
    if (Date.now() > deadline) throw new Error(`requests of ${subject} do not go by the FlowSchema`);
  }
});

/** Whether a FlowSchema applies to a user's request: the API server names it in a header of its answer, which kubectl prints at this level. */
async function goesBy(user: string, uid: string): Promise<boolean> {
  const { stderr } = await tryKubectl(['get', 'sparkapplications', '-n', installation.jobs, '--as', user, '--as-group=system:serviceaccounts', '--as-group=system:authenticated', '-v=8']);
  return stderr.toLowerCase().split('x-kubernetes-pf-flowschema-uid').slice(1).some((rest) => rest.slice(0, 60).includes(uid));
}
