/**
 * Waits inside of the cluster's network until the cluster is ready. A program of its own, since one process that asks
 * twenty times a second costs less than starting kubectl twice.
 *   probe.ts <kubeconfig> <seconds> <check>…
 * Exits with 0 when all checks hold, or with 1 and what is missing.
 */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_URL, NODE_ADDRESS, NODE_NAME } from './addresses.ts';
import { readKubeconfig } from './kubeconfig.ts';

const POLL_MS = 50;
const REQUEST_TIMEOUT_MS = 5000;

interface Answer {
  readonly status: number;
  readonly body: string;
}

const [kubeconfig, seconds, ...checks] = process.argv.slice(2);
const { authority: ca, certificate: cert, key } = readKubeconfig(kubeconfig!);
const agent = new Agent({ keepAlive: true, ca, cert, key });

/** Each resolves to nothing, or to what is still missing. */
const CHECKS: Record<string, () => Promise<string | undefined>> = {
  'api': async () => {
    const answer = await api('/readyz');
    return answer.status === 200 ? undefined : `the API server answers ${answer.status}: ${answer.body.split('\n')[0]}`;
  },
  // Pods are refused as long as there is no service account for them.
  'service-account': async () => {
    const answer = await api('/api/v1/namespaces/default/serviceaccounts/default');
    return answer.status === 200 ? undefined : 'the controller manager has not created the default service account';
  },
  'node': async () => {
    const answer = await api(`/api/v1/nodes/${NODE_NAME}`);
    if (answer.status !== 200) return 'the kubelet has not registered its node';
    const node = JSON.parse(answer.body);
    const ready = node.status.conditions?.find((condition: { type: string }) => condition.type === 'Ready');
    if (ready?.status !== 'True') return `the node is not ready: ${ready?.message ?? 'no condition yet'}`;
    // Set for a moment by the node controller, and no pod is scheduled before it is gone.
    return node.spec.taints?.length > 0 ? `the node is tainted: ${node.spec.taints[0].key}` : undefined;
  },
  'dns': async () => {
    const answer = await get(`http://${NODE_ADDRESS}:8181/ready`);
    return answer.status === 200 ? undefined : 'CoreDNS is not ready';
  },
};

function api(path: string): Promise<Answer> {
  return get(`${API_URL}${path}`);
}

async function get(url: string): Promise<Answer> {
  const request = url.startsWith('https:')
    ? httpsRequest(url, { agent, timeout: REQUEST_TIMEOUT_MS })
    : httpRequest(url, { timeout: REQUEST_TIMEOUT_MS });
  request.on('timeout', () => request.destroy(new Error('no answer')));
  request.on('error', () => {}); // after the response, reading the body fails
  const [response] = await once(request.end(), 'response') as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}

async function missing(check: string): Promise<string | undefined> {
  try {
    return await CHECKS[check]!();
  } catch (error) {
    return `${check}: ${(error as Error).message || (error as NodeJS.ErrnoException).code}`;
  }
}

const deadline = Date.now() + Number(seconds) * 1000;
for (const check of checks) {
  for (let problem = await missing(check); problem !== undefined; problem = await missing(check)) {
    if (Date.now() > deadline) {
      console.error(problem);
      process.exit(1);
    }
    await sleep(POLL_MS);
  }
}
process.exit(0);
