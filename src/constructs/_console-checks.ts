import { wrongNumber, wrongSize } from '../props/_check';
import { found, wrongName } from '../props/_names';
import { CONSOLE_NAME, consoleAmounts } from './_operator-console';
import { WEBHOOK_NAME } from './_webhook-flags';
import type { OperatorConsole } from './operator-console';
import type { SparkOperatorProps } from './spark-operator-props';
import type { Violation } from '../model/problem';

/**
 * What is wrong in the properties of the console.
 *
 * @internal
 */
export function consoleViolations({ console, serviceAccountName = 'spark-operator', webhook }: SparkOperatorProps): Violation[] {
  if (!console) return [];
  const account = console.serviceAccountName ?? CONSOLE_NAME;
  const others = [serviceAccountName, ...(webhook?.deployment ? [webhook.deployment.serviceAccountName ?? WEBHOOK_NAME] : [])];
  return found([
    console.clusterName?.trim() === '' ? { path: 'console.clusterName', value: console.clusterName, reason: 'is empty; write what the cluster is called, or leave it out' } : undefined,
    ...(console.hosts ?? []).map((host, index) => wrongHost(`console.hosts[${index}]`, host)),
    wrongName('console.tlsSecretName', console.tlsSecretName),
    wrongNumber('console.replicas', console.replicas, 0),
    wrongName('console.serviceAccountName', console.serviceAccountName),
    others.includes(account)
      ? { path: 'console.serviceAccountName', value: account, reason: 'is the service account of the operator or its webhook, whose rights the console must not have; take another one' } : undefined,
    ...resourceViolations(console),
  ]);
}

function wrongHost(path: string, value: string): Violation | undefined {
  return wrongName(path, value) && { path, value, reason: 'is no name of a host; write it in lower case, without scheme, port and path, such as spark.example.org' };
}

function resourceViolations({ resources = {} }: OperatorConsole): Violation[] {
  const { cpuRequestMillis, cpuLimitMillis, memoryRequest, memoryLimit } = resources;
  const wrong = found([
    wrongNumber('console.resources.cpuRequestMillis', cpuRequestMillis, 1),
    wrongNumber('console.resources.cpuLimitMillis', cpuLimitMillis, 1),
    wrongSize('console.resources.memoryRequest', memoryRequest),
    wrongSize('console.resources.memoryLimit', memoryLimit),
  ]);
  if (wrong.length > 0) return wrong;
  const { cpu, memory } = consoleAmounts(resources);
  const isTooMuch = cpu.request > (cpu.limit ?? Infinity) || memory.request > memory.limit;
  return isTooMuch ? [{ path: 'console.resources', value: undefined, reason: 'reserves more than there may be; a limit has to be as large as its request' }] : [];
}
