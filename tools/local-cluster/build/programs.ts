import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../run.ts';
import { KUBERNETES_VERSION, OLDEST_KUBERNETES_VERSION } from '../versions.ts';
import { folderInputs } from './content.ts';
import type { Part } from './parts.ts';

/** The Go programs of this folder, as cached parts. `controlplane-oldest` is the folder `controlplane`, made of the oldest Kubernetes. */
export type Program = 'controlplane' | 'controlplane-oldest' | 'coredns' | 'coscheduler' | 'kwok' | 'pause';

const LABELS: Record<Program, string> = {
  'controlplane': `building Kubernetes ${KUBERNETES_VERSION} from its sources (some minutes, once)`,
  'controlplane-oldest': `building Kubernetes ${OLDEST_KUBERNETES_VERSION} from its sources (some minutes, once)`,
  'coredns': 'building CoreDNS from its sources (about a minute, once)',
  'coscheduler': 'building a scheduler with the coscheduling plugin from its sources (some minutes, once)',
  'kwok': 'building kwok from its sources (about two minutes, once)',
  'pause': 'building the pause program',
};

/** Without their version, kubectl and the controller manager complain about themselves. */
function linkerFlags(program: Program): string {
  const kubernetes = { 'controlplane': KUBERNETES_VERSION, 'controlplane-oldest': OLDEST_KUBERNETES_VERSION }[program as string];
  if (kubernetes === undefined) return '-s -w';
  const [major, minor] = kubernetes.slice(1).split('.');
  const set = (name: string, value: string) => `-X k8s.io/component-base/version.${name}=${value}`;
  return ['-s -w', set('gitVersion', kubernetes), set('gitMajor', major!), set('gitMinor', minor!)].join(' ');
}

/** The version of Go is no input: go.mod names the oldest that will do, and with any of them the program is as good. */
export function programPart(tool: string, program: Program): Part {
  const isOldest = program === 'controlplane-oldest';
  const binary = isOldest ? 'controlplane' : program;
  const sources = join(tool, binary);
  const inputs: Record<string, string | Buffer> = { flags: linkerFlags(program), architecture: process.arch };
  const others = isOldest ? ['go.mod', 'go.sum'] : ['oldest.mod', 'oldest.sum'];
  for (const file of readdirSync(sources).filter((name) => !others.includes(name))) inputs[file] = readFileSync(join(sources, file));
  return {
    name: program,
    inputs,
    needs: { programs: [], tools: ['go'] },
    label: LABELS[program],
    async build(folder, log) {
      await compile({
        sources, log,
        flags: [...(isOldest ? ['-modfile=oldest.mod', '-tags=oldest'] : []), '-ldflags', linkerFlags(program)],
        target: '.',
        output: join(folder, binary),
      });
    },
  };
}

/** Static, so that pause runs in an empty image, and none of them asks for a C compiler. */
export const GO_ENVIRONMENT = { CGO_ENABLED: '0', GOWORK: 'off' };

interface Compilation {
  readonly sources: string;
  readonly flags: readonly string[];
  readonly target: string;
  readonly output: string;
  readonly log: string;
}

let compilations: Promise<void> = Promise.resolve();

/**
 * Compiles a package in the module of a folder, one at a time: Go uses all processors for one, and compiles what the next one has in
 * common with it only once.
 */
export function compile(compilation: Compilation): Promise<void> {
  const compiled = compilations.then(() => goBuild(compilation));
  compilations = compiled.catch(() => undefined);
  return compiled;
}

async function goBuild({ sources, flags, target, output, log }: Compilation): Promise<void> {
  await run('go', ['build', '-mod=readonly', '-buildvcs=false', '-trimpath', ...flags, '-o', output, target], {
    cwd: sources,
    env: { ...process.env, ...GO_ENVIRONMENT },
    log,
    purpose: `build ${basename(output)}`,
    hint: 'Go needs access to a module proxy (see `go env GOPROXY`) for what is not in its cache yet.',
  });
}

/** Program of another module, whose version the go.mod of a folder has. The go.mod names it as a tool. */
export interface ModuleProgram {
  /** The folder in `tools/local-cluster`, and the name of the part. */
  readonly name: string;
  /** Package of the program. */
  readonly target: string;
  readonly program: string;
  readonly label: string;
}

const MODULE_FLAGS = ['-ldflags', '-s -w'];

/** The program as a cached part. */
export function modulePart(tool: string, { name, target, program, label }: ModuleProgram): Part {
  const sources = join(tool, name);
  return {
    name,
    inputs: { ...folderInputs(sources), architecture: process.arch, flags: MODULE_FLAGS.join(' '), target },
    needs: { programs: [], tools: ['go'] },
    label,
    build: (folder, log) => compile({ sources, log, flags: MODULE_FLAGS, target, output: join(folder, program) }),
  };
}

/** Finds the files of a module that the go.mod of a folder requires. They are read-only. */
export async function moduleFolder(sources: string, module: string): Promise<string> {
  const found = await run('go', ['list', '-mod=readonly', '-m', '-f', '{{.Dir}}', module], {
    cwd: sources, env: { ...process.env, ...GO_ENVIRONMENT }, purpose: `find the module ${module}`,
  });
  return found.trim();
}

export const KUBERNETES_PROGRAMS = [
  'etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy', 'kubectl',
] as const;
