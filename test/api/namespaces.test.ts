/* Namespaces by label, with the rights that SparkOperator gives for it. */
import { apply, get, kubectl, waitForState } from '../helpers/kubectl';
import { install, type Installation } from '../helpers/installation';
import { OperatorProcess } from '../helpers/operator-process';

const LATER = 'selected-later';
const LABEL = 'cdk8s-spark-operator.test/selected';
const SELECTOR = `${LABEL} in (yes,on),!cdk8s-spark-operator.test/excluded`;

let installation: Installation;
let operator: OperatorProcess;

beforeAll(async () => {
  installation = await install('selected', { namespaceSelectorExpression: SELECTOR });
  await kubectl(['create', 'namespace', LATER]);
  operator = await new OperatorProcess([`--kubeconfig=${installation.kubeconfig}`, `--namespaces=${installation.jobs}`, `--namespace-selector=${SELECTOR}`]).ready();
});

afterAll(async () => {
  await operator?.stop();
  await installation?.remove();
  await kubectl(['delete', 'namespace', LATER, '--wait=false']);
});

function application(namespace: string, name: string) {
  return {
    apiVersion: 'sparkoperator.k8s.io/v1beta2',
    kind: 'SparkApplication',
    metadata: { name, namespace },
    spec: { type: 'Python', sparkVersion: '4.1.1', image: 'example.org/spark:1', mainApplicationFile: 'local:///pi.py', driver: { serviceAccount: 'spark' }, executor: {} },
  };
}

test('a namespace that is named is selected without a label', async () => {
  await apply(application(installation.jobs, 'named'));
  await waitForState(installation.jobs, 'named', 'SUBMITTED');
});

test('known failure 18: a namespace that gets the label: the applications in it are run, those that are there and those to come; until it loses the label', async () => {
  await kubectl(['create', 'serviceaccount', 'spark', '-n', LATER]);
  await apply(application(LATER, 'early'));
  // The operator reconciles the marker after it.
  await apply(application(installation.jobs, 'marker-1'));
  await waitForState(installation.jobs, 'marker-1', 'SUBMITTED');
  expect((await get(LATER, 'sparkapp', 'early')).status).toBeUndefined();

  await kubectl(['label', 'namespace', LATER, `${LABEL}=yes`]);
  await waitForState(LATER, 'early', 'SUBMITTED');
  await apply(application(LATER, 'late'));
  await waitForState(LATER, 'late', 'SUBMITTED');

  await kubectl(['label', 'namespace', LATER, 'cdk8s-spark-operator.test/excluded=']);
  await operator.logged((line) => line.namespace === LATER && /no longer selected by its labels/.test(line.msg));
  await apply(application(LATER, 'too-late'));
  await apply(application(installation.jobs, 'marker-2'));
  await waitForState(installation.jobs, 'marker-2', 'SUBMITTED');
  expect((await get(LATER, 'sparkapp', 'too-late')).status).toBeUndefined();
});
