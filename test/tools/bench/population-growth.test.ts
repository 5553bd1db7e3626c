import { cpuGrowth, type Work } from '../../../tools/bench/population/growth.ts';

/** What applications took, in milliseconds for each: of the operator, and of programs beside it. */
function work(applications: number, operator: number, programs: Readonly<Record<string, number>> = {}): Work {
  const processors = Object.entries({ operator, ...programs }).map(([program, each]) => ({ program, cpu: each * applications, busy: 0.1, memory: 1 }));
  return { size: { applications }, load: { cpu: { user: operator * applications, system: 0 }, processors } } as unknown as Work;
}

test('what all programs take more is the machine, what remains is the operator', () => {
  const { times, own, beside } = cpuGrowth(work(1000, 15, { 'etcd': 14, 'kube-apiserver': 80, 'benchmark': 8 }), work(9000, 30, { 'etcd': 21, 'kube-apiserver': 160, 'benchmark': 16 }));
  expect({ times, own, beside }).toEqual({ times: 2 / 1.5, own: 2, beside: { program: 'etcd', times: 1.5 } });
});

test('a machine that has become faster makes it no better', () => {
  expect(cpuGrowth(work(100, 10, { etcd: 10 }), work(100, 10, { etcd: 5 })).times).toBe(2);
});

test('programs that are not known to do the same do not count, and without others it is compared with nothing', () => {
  expect(cpuGrowth(work(100, 10, { 'kube-scheduler': 1, 'etcd': 0 }), work(100, 12, { 'kube-scheduler': 3 }))).toMatchObject({ times: 1.2, beside: { program: 'none', times: 1 } });
});

test('tells people all that it is made of', () => {
  expect(cpuGrowth(work(100, 10, { etcd: 4 }), work(100, 18, { etcd: 6 })).text).toBe('1.20 times (1.80: 18.0 ms to 10.0 ms; etcd at the same time: 1.50)');
});
