import { busyByProgram, cpuOf, memoryOf, processorsBusy } from '../../../tools/bench/machine.ts';

const usage = (at: number, busy: number, ours: [string, number][]) => ({ at, busy, stolen: at / 100, ours: new Map(ours) });
const before = usage(0, 0, [['1', 100], ['2', 0]]);
const after = usage(1000, 1500, [['1', 600], ['2', 250], ['3', 200], ['4', 1]]);

test('processors and memory by program, also of one that began meanwhile, or ended', () => {
  const names: Record<string, string> = { 1: 'etcd', 3: 'kwok', 4: 'sh' };
  const busy = busyByProgram(before, after, { 2: 'operator' }, (pid) => names[pid], (pid) => (pid === '3' ? undefined : 10 * Number(pid)));
  expect(busy).toEqual({
    etcd: { processors: 0.5, memory: 10 }, operator: { processors: 0.25, memory: 20 }, kwok: { processors: 0.2, memory: 0 },
  });
  expect(Object.keys(busy)).toEqual(['etcd', 'operator', 'kwok']);
});

test('processors of other programs, and of the hypervisor', () => {
  const { ours, others, stolen } = processorsBusy(before, after);
  expect([ours, others, stolen].map((share) => Number(share.toFixed(3)))).toEqual([0.951, 0.549, 0.01]);
});

test('CPU time and memory of a process, and of one that is gone', () => {
  expect(cpuOf(process.pid)).toBeGreaterThan(0);
  expect(memoryOf(process.pid, 'peak')).toBeGreaterThanOrEqual(memoryOf(process.pid)! * 0.9);
  expect([cpuOf(2 ** 30), memoryOf(2 ** 30)]).toEqual([undefined, undefined]);
});
