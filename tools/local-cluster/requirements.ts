import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from './errors.ts';
import type { Progress } from './progress.ts';
import { capture, run } from './run.ts';
import { GO_VERSION } from './versions.ts';

/** Requirements of one run on the machine. */
export interface Needs {
  /** Programs, by the names in `PACKAGES`. */
  readonly programs: readonly Program[];
  /** Tools that are the user's choice, and never installed by us. */
  readonly tools: readonly Tool[];
}

/** The Debian package of each program. */
const PACKAGES = {
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
  'buildah': 'buildah',
  // Half the CPU time of Chromium without a window, which draws all but the window.
  'chromium-headless-shell': 'chromium-headless-shell',
  'containerd': 'containerd',
  'ctr': 'containerd',
  'debootstrap': 'debootstrap',
  'dpkg-deb': 'dpkg',
  'fish': 'fish',
  'ip': 'iproute2',
  'iptables': 'iptables',
  'mount': 'mount',
  'umount': 'mount',
  'nsenter': 'util-linux',
  'runc': 'runc',
  'setsid': 'util-linux',
  'tar': 'tar',
  'unshare': 'util-linux',
  'zsh': 'zsh',
  '/usr/share/keyrings/debian-archive-keyring.gpg': 'debian-archive-keyring',
} as const;

export type Program = keyof typeof PACKAGES;

const TOOLS = {
  git: { what: 'git', install: 'apt-get install git' },
  go: { what: `Go ${GO_VERSION} or newer`, install: 'see https://go.dev/doc/install; `apt-get install golang-go` will do if it is at least Go 1.21' },
  python: { what: 'Python 3 with pip', install: 'apt-get install python3-pip' },
  venv: { what: "Python's virtual environments", install: 'apt-get install python3-venv' },
  jdk: { what: 'a JDK 17 or newer, with javac', install: 'apt-get install openjdk-17-jdk-headless' },
  maven: { what: 'Maven 3', install: 'apt-get install maven' },
} as const;

export type Tool = keyof typeof TOOLS;

export const CONTROL_PLANE_PROGRAMS: readonly Program[] = ['ip', 'mount', 'umount', 'nsenter', 'setsid', 'unshare'];
export const NODE_PROGRAMS: readonly Program[] = [...CONTROL_PLANE_PROGRAMS, 'containerd', 'ctr', 'runc', '/usr/lib/cni/bridge', 'iptables'];

/** Facts of the machine. */
export interface Machine {
  readonly platform: string;
  readonly isRoot: boolean;
  /** The ID and ID_LIKE of os-release, such as `debian`. */
  readonly distributions: readonly string[];
  readonly missingPrograms: readonly Program[];
  readonly missingTools: readonly Tool[];
}

export interface Missing {
  /** Debian packages that we can install. */
  readonly packages: readonly string[];
  /** All other things, a line for each, with what to do about it. */
  readonly problems: readonly string[];
}

export function missing(machine: Machine): Missing {
  if (machine.platform !== 'linux') {
    return { packages: [], problems: [`Linux: a cluster needs its namespaces and cgroups, and this is ${machine.platform}. Use a virtual machine.`] };
  }
  const packages = [...new Set(machine.missingPrograms.map((program) => PACKAGES[program]))].sort();
  const isDebian = machine.distributions.some((id) => id === 'debian' || id === 'ubuntu');
  return {
    packages: isDebian ? packages : [],
    problems: [
      ...(machine.isRoot ? [] : ['root: namespaces, mounts and cgroups need it. Call the same command with sudo, or as root.']),
      ...machine.missingTools.map(installLine),
      ...(isDebian ? [] : machine.missingPrograms.map((program) => `${program}: in Debian it is in the package ${PACKAGES[program]}`)),
    ],
  };
}

export function installCommand(packages: readonly string[]): string {
  return `apt-get install --yes --no-install-recommends ${packages.join(' ')}`;
}

/** The machine lacks requirements of a cluster. The message lists them, and how to install them. */
export class MissingRequirements extends ToolError {}

/** Returns all that is missing at once, or undefined if the run can continue (after the packages are installed). */
export function refusal({ packages, problems }: Missing, mayInstall: boolean): string | undefined {
  if (problems.length === 0 && (packages.length === 0 || mayInstall)) return undefined;
  const lines = problems.map((problem) => `  - ${problem}`);
  if (packages.length > 0) lines.push(`  - Debian packages: ${installCommand(packages)}`);
  return ['This machine lacks what a local cluster needs:', ...lines].join('\n');
}

/** Checks all needs before any work starts, and installs missing packages if `mayInstall` allows it. */
export async function ensure(needs: Needs, mayInstall: boolean, progress: Progress): Promise<void> {
  const found = missing(await inspect(needs));
  const text = refusal(found, mayInstall);
  if (text !== undefined) throw new MissingRequirements(text);
  if (found.packages.length > 0) await install(found.packages, progress);
}

/** How to install those of the tools that are missing, a line for each: for work that needs neither root nor Linux. */
export async function missingTools(tools: readonly Tool[]): Promise<string[]> {
  return (await unusable(tools)).map(installLine);
}

function installLine(tool: Tool): string {
  return `${TOOLS[tool].what}: ${TOOLS[tool].install}`;
}

async function unusable(tools: readonly Tool[]): Promise<Tool[]> {
  const checks = await Promise.all(tools.map(async (tool) => ({ tool, usable: await TOOL_CHECKS[tool]() })));
  return checks.filter(({ usable }) => !usable).map(({ tool }) => tool);
}

async function inspect(needs: Needs): Promise<Machine> {
  const missingPrograms = needs.programs.filter((program) => !isThere(program));
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    distributions: distributions(existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''),
    missingPrograms,
    missingTools: await unusable(needs.tools),
  };
}

export function distributions(osRelease: string): string[] {
  return [...osRelease.matchAll(/^(?:ID|ID_LIKE)="?([^"\n]*)"?$/gm)].flatMap((match) => match[1]!.split(' '));
}

/** Root's programs are often not in a user's PATH, but sudo finds them; the commands that we start do too. */
export function isThere(program: string): boolean {
  const candidates = program.startsWith('/') ? [program] : searchPath().map((folder) => join(folder, program));
  return candidates.some((candidate) => {
    try {
      accessSync(candidate, program.includes('.') ? constants.R_OK : constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function searchPath(): string[] {
  return (process.env.PATH ?? '').split(':').filter((folder) => folder !== '');
}

const TOOL_CHECKS: Record<Tool, () => Promise<boolean>> = {
  git: async () => (await output('git', ['--version'])) !== undefined,
  go: async () => {
    const version = await output('go', ['env', 'GOVERSION', 'GOTOOLCHAIN']);
    return version !== undefined && canBuild(version);
  },
  python: async () => (await output('python3', ['-m', 'pip', '--version'])) !== undefined,
  venv: async () => (await output('python3', ['-c', 'import ensurepip, venv'])) !== undefined,
  jdk: async () => {
    const version = await output('javac', ['-version']);
    return version !== undefined && Number(/javac (\d+)/.exec(version)?.[1]) >= 17;
  },
  maven: async () => (await output('mvn', ['--version'])) !== undefined,
};

/** Whether a Go builds our modules, by its version and GOTOOLCHAIN. From 1.21 on it fetches a newer toolchain by itself. */
export function canBuild(goEnv: string): boolean {
  const [version = '', toolchain = ''] = goEnv.split('\n');
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(version.trim()) ?? [];
  const [neededMajor, neededMinor] = GO_VERSION.split('.').map(Number);
  const isAtLeast = (wantedMajor: number, wantedMinor: number) => Number(major) > wantedMajor
    || (Number(major) === wantedMajor && Number(minor) >= wantedMinor);
  if (isAtLeast(neededMajor!, neededMinor!)) return true;
  return isAtLeast(1, 21) && !toolchain.trim().startsWith('local');
}

async function output(command: string, args: readonly string[]): Promise<string | undefined> {
  try {
    // From the root folder: a go.mod around here must not decide about the toolchain.
    const result = await capture(command, args, { cwd: '/' });
    return result.code === 0 ? `${result.stdout}${result.stderr}` : undefined;
  } catch {
    return undefined;
  }
}

/** Ends with the last installation: apt allows one at a time. */
let lastInstallation: Promise<unknown> = Promise.resolve();

function install(packages: readonly string[], progress: Progress): Promise<void> {
  const installation = lastInstallation.then(() => installNow(packages, progress));
  lastInstallation = installation.catch(() => undefined);
  return installation;
}

async function installNow(packages: readonly string[], progress: Progress): Promise<void> {
  const command = installCommand(packages);
  progress.note(`Installing missing Debian packages: ${command}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const [program = '', ...args] = command.split(' ');
  await progress.step('installing Debian packages', async () => {
    const attempt = await capture(program, args, { env });
    if (attempt.code === 0) return;
    // A fresh machine has no package lists yet, or old ones.
    await run('apt-get', ['update'], { env, purpose: 'read the package lists' });
    await run(program, args, { env, purpose: 'install missing packages', hint: `Install them by hand: ${command}` });
  });
}
