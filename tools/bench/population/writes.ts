import type { Load, WriteFigures } from './measurements.ts';

const STATUS = 'PUT sparkapplications/status';
/** There is one for each attempt. */
const DRIVER = 'POST pods';

/**
 * What the operator wrote for one of so many applications.
 *
 * Its counters do not tell which write of a status is the first of an attempt, with which it takes the application over. Each attempt has one, and one driver: as many of the
 * status writes as there were drivers count as that, and all others as status writes. One more of the first kind than there should be is so found among the second.
 */
export function writesOf(loads: readonly Pick<Load, 'calls'>[], applications: number): WriteFigures {
  const counts = { status: 0, created: 0, deleted: 0, others: 0, events: 0 };
  let drivers = 0;
  for (const [call, count] of loads.flatMap(({ calls }) => Object.entries(calls))) {
    const kind = kindOf(call);
    if (kind) counts[kind] += count / applications;
    if (call === DRIVER) drivers += count / applications;
  }
  const handOver = Math.min(drivers, counts.status);
  return { handOver, ...counts, status: counts.status - handOver };
}

/** The sum of what was written in several phases for an application that went through all of them. */
export function addWrites(...all: readonly WriteFigures[]): WriteFigures {
  const sum = (kind: keyof WriteFigures) => all.reduce((total, writes) => total + writes[kind], 0);
  return { handOver: sum('handOver'), status: sum('status'), created: sum('created'), deleted: sum('deleted'), others: sum('others'), events: sum('events') };
}

/** What kind of a write a call is; undefined: it only reads. */
function kindOf(call: string): Exclude<keyof WriteFigures, 'handOver'> | undefined {
  const [method, resource] = call.split(' ');
  if (method === 'GET' || method === 'LIST') return undefined;
  if (resource === 'events') return 'events';
  if (call === STATUS) return 'status';
  if (method === 'DELETE') return 'deleted';
  return method === 'POST' ? 'created' : 'others';
}
