import { canBuild, distributions, isThere, missing, refusal } from '../../../tools/local-cluster/requirements.ts';
import type { Machine } from '../../../tools/local-cluster/requirements.ts';

const MACHINE: Machine = { platform: 'linux', isRoot: true, distributions: ['debian'], missingPrograms: [], missingTools: [] };

function message(machine: Partial<Machine>, mayInstall: boolean): string | undefined {
  return refusal(missing({ ...MACHINE, ...machine }), mayInstall);
}

test('nothing is refused where nothing is missing', () => {
  expect(message({}, false)).toBeUndefined();
});

test('missing packages are installed, each once', () => {
  const found = missing({ ...MACHINE, missingPrograms: ['ctr', 'containerd', 'ip'] });
  expect(found).toEqual({ packages: ['containerd', 'iproute2'], problems: [] });
  expect(refusal(found, true)).toBeUndefined();
});

test('without permission, the refusal has the very command', () => {
  expect(message({ missingPrograms: ['ip', 'runc'] }, false)).toBe([
    'This machine lacks what a local cluster needs:',
    '  - Debian packages: apt-get install --yes --no-install-recommends iproute2 runc',
  ].join('\n'));
});

test('all that is missing is said at once', () => {
  expect(message({ isRoot: false, missingPrograms: ['iptables'], missingTools: ['go', 'python', 'jdk'] }, true)).toBe([
    'This machine lacks what a local cluster needs:',
    '  - root: namespaces, mounts and cgroups need it. Call the same command with sudo, or as root.',
    '  - Go 1.26 or newer: see https://go.dev/doc/install; `apt-get install golang-go` will do if it is at least Go 1.21',
    '  - Python 3 with pip: apt-get install python3-pip',
    '  - a JDK 17 or newer, with javac: apt-get install openjdk-17-jdk-headless',
    '  - Debian packages: apt-get install --yes --no-install-recommends iptables',
  ].join('\n'));
});

test('on another distribution the programs are named, and the packages they are in', () => {
  expect(message({ distributions: ['fedora'], missingPrograms: ['ctr'] }, true)).toContain('ctr: in Debian it is in the package containerd');
});

test('on another system the message has only the reason', () => {
  const text = message({ platform: 'darwin', isRoot: false, missingPrograms: ['ip'], missingTools: ['go'] }, true);
  expect(text).toContain('Linux: a cluster needs its namespaces and cgroups, and this is darwin.');
  expect(text!.split('\n')).toHaveLength(2);
});

test('derivatives of Debian are recognized', () => {
  expect(distributions('NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\nVERSION_ID="22"\n')).toEqual(['linuxmint', 'ubuntu', 'debian']);
  expect(distributions('ID=debian\n')).toEqual(['debian']);
});

test.each([
  ['go1.26.8\nlocal\n', true],
  ['go1.27rc1\nauto\n', true],
  ['go2.0\nauto\n', true],
  ['go1.22.1\nauto\n', true],
  ['go1.22.1\nlocal\n', false],
  ['go1.19.8\n\n', false],
])('whether %j can build our modules: %s', (goEnv, expected) => {
  expect(canBuild(goEnv)).toBe(expected);
});

test('programs are found in the PATH, and files where they are', () => {
  expect(isThere('tar')).toBe(true);
  expect(isThere('/usr/lib/cni/no-such-plugin' as 'tar')).toBe(false);
});
