import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuOfCgroup, limitingHierarchies, parseHierarchies } from '../../../tools/local-cluster/sandbox/cgroups.ts';
import { identify, isAlive, ownIdentity, parseStat } from '../../../tools/local-cluster/sandbox/identity.ts';
import { findProcesses, namespaceOf, ownAncestry } from '../../../tools/local-cluster/sandbox/processes.ts';

test('the name of a program does not confuse the reading of its state', () => {
  const fields = ['S', '41', ...Array.from({ length: 17 }, (_, index) => String(index)), '123456', '0'];
  expect(parseStat(`42 (a (strange) name) ${fields.join(' ')}\n`)).toEqual({ state: 'S', parent: 41, started: 123456 });
});

test('a process is only alive as itself', () => {
  const own = ownIdentity();
  expect(identify(process.pid)).toEqual(own);
  expect(isAlive(own)).toBe(true);
  expect(isAlive({ ...own, started: own.started + 1 })).toBe(false);
  expect(isAlive({ ...own, boot: 'another' })).toBe(false);
});

test('a process finds itself by its namespaces, among its ancestors', () => {
  const namespace = namespaceOf('self', 'pid');
  const found = findProcesses((pid) => ownAncestry().has(pid) && namespaceOf(pid, 'pid') === namespace);
  expect(found.map(({ pid }) => pid)).toContain(process.pid);
});

const V2 = 'cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n';
const HYBRID = `proc /proc proc rw 0 0
cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0
cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0
cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0
`;

test('pods get their limits from version 2 where it is the only one', () => {
  expect(limitingHierarchies(parseHierarchies(V2))).toEqual([{ root: '/sys/fs/cgroup', version: 2, controllers: [] }]);
});

test('beside version 1, version 2 only has to be tidied up', () => {
  const hierarchies = parseHierarchies(HYBRID);
  expect(hierarchies).toHaveLength(3);
  expect(limitingHierarchies(hierarchies).map(({ root }) => root)).toEqual(['/sys/fs/cgroup/memory', '/sys/fs/cgroup/cpuset']);
});

test('the CPU time of a cgroup is read in both versions', () => {
  const root = mkdtempSync(join(tmpdir(), 'cgroups-'));
  try {
    mkdirSync(join(root, 'pods'));
    writeFileSync(join(root, 'pods/cpu.stat'), 'usage_usec 1500000\nuser_usec 1\n');
    expect(cpuOfCgroup('/pods', root)).toBe(1500);
    mkdirSync(join(root, 'cpuacct/pods'), { recursive: true });
    writeFileSync(join(root, 'cpuacct/pods/cpuacct.usage'), '2500000000\n');
    expect(cpuOfCgroup('/pods', root)).toBe(2500);
  } finally {
    rmSync(root, { recursive: true });
  }
});
