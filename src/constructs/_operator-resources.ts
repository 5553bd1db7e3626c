import { Size } from 'cdk8s';
import { wrongSize } from '../props/_check';
import { found } from '../rules/names';
import { coresQuantity, sizeQuantity, wrongCores, wrongCpuRequest } from './_quantity';
import type { OperatorResources } from './operator-pod';
import type { Problem } from '../model/problem';

/**
 * Cores of the operator's CPU request, and of its webhook's.
 * @internal
 */
export const OPERATOR_CPU = 0.1;

/**
 * Cores of the console's CPU request.
 * @internal
 */
export const CONSOLE_CPU = 0.05;

/** CPU in cores, memory in MiB. */
interface Amounts {
  readonly cpu: { readonly request: number; readonly limit?: number };
  readonly memory: { readonly request: number; readonly limit: number };
}

/** A default request is never more than the user's limit. */
function amountsOf({ cpuRequest, cpuLimit, memoryRequest, memoryLimit }: OperatorResources, defaultCpu: number): Amounts {
  const limit = memoryLimit?.toMebibytes() ?? Math.max(512, memoryRequest?.toMebibytes() ?? 0);
  return {
    cpu: { request: cpuRequest ?? Math.min(defaultCpu, cpuLimit ?? defaultCpu), limit: cpuLimit },
    memory: { request: memoryRequest?.toMebibytes() ?? Math.min(128, limit), limit },
  };
}

/**
 * Returns requests and limits of one of the operator's programs, for the manifest of its container.
 * @internal
 */
export function containerResources(resources: OperatorResources = {}, defaultCpu: number): {
  readonly requests: { [resource: string]: string };
  readonly limits: { [resource: string]: string };
} {
  const { cpu, memory } = amountsOf(resources, defaultCpu);
  const bytes = (mebibytes: number) => sizeQuantity(Size.mebibytes(mebibytes));
  return {
    requests: { cpu: coresQuantity(cpu.request), memory: bytes(memory.request) },
    limits: { ...(cpu.limit !== undefined && { cpu: coresQuantity(cpu.limit) }), memory: bytes(memory.limit) },
  };
}

/**
 * Returns the problems of CPU and memory of one of the operator's programs.
 * @internal
 */
export function resourceViolations(path: string, resources: OperatorResources = {}, defaultCpu: number): Problem[] {
  const wrong = found([
    wrongCpuRequest(`${path}.cpuRequest`, resources.cpuRequest),
    wrongCores(`${path}.cpuLimit`, resources.cpuLimit),
    ...(['memoryRequest', 'memoryLimit'] as const).map((prop) => wrongSize(`${path}.${prop}`, resources[prop])),
  ]);
  if (wrong.length > 0) return wrong;
  const { cpu, memory } = amountsOf(resources, defaultCpu);
  const exceedsLimit = cpu.request > (cpu.limit ?? Infinity) || memory.request > memory.limit;
  return exceedsLimit ? [{
    path, value: undefined, reason: 'requests more than the limit; a limit must be at least as large as its request',
  }] : [];
}
