import type { Load, WriteFigures } from './measurements.ts';

const STATUS = 'PUT sparkapplications/status';

/** What the operator wrote for one of so many applications. */
export function writesOf(loads: readonly Pick<Load, 'calls'>[], applications: number): WriteFigures {
  const counts = { status: 0, created: 0, others: 0, events: 0 };
  for (const [call, count] of loads.flatMap(({ calls }) => Object.entries(calls))) {
    const kind = kindOf(call);
    if (kind) counts[kind] += count / applications;
  }
  return counts;
}

/** What kind of a write a call is; undefined: it only reads. */
function kindOf(call: string): keyof WriteFigures | undefined {
  const [method, resource] = call.split(' ');
  if (method === 'GET' || method === 'LIST') return undefined;
  if (resource === 'events') return 'events';
  if (call === STATUS) return 'status';
  return method === 'POST' ? 'created' : 'others';
}
