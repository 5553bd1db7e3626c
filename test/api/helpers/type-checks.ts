import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ApiServer } from '../../helpers/api-server';
import { SOON } from '../../helpers/kubectl';

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

/**
 * Has Kubernetes check the types in the expressions of ValidatingAdmissionPolicies, by the controller that the clusters of the tests
 * run without. @returns `typeChecking` of each status, `{}` without a warning
 */
export async function checkTypes(api: ApiServer, policies: readonly string[]): Promise<object[]> {
  const flags = ['--controllers=validatingadmissionpolicy-status-controller', '--leader-elect=false', '--secure-port=0'];
  const child = spawn('kube-controller-manager', [`--kubeconfig=${process.env.KUBECONFIG}`, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (text) => { log = `${log}${text}`.slice(-5_000); });
  const closed = once(child, 'close');
  const ended = closed.then(() => { throw new Error(`the controller has ended: ${log}`); });
  ended.catch(() => {}); // also when the checks are done
  try {
    return await Promise.race([Promise.all(policies.map((name) => typeCheckingOf(api, name))), ended]);
  } finally {
    child.kill('SIGKILL');
    await closed;
  }
}

async function typeCheckingOf(api: ApiServer, name: string): Promise<object> {
  for await (const { object } of api.watch(`${POLICIES}?watch=true&timeoutSeconds=${SOON}&fieldSelector=metadata.name%3D${name}`)) {
    if (object.status?.typeChecking) return object.status.typeChecking;
  }
  throw new Error(`the policy ${name} has not been checked in ${SOON} s`);
}
