import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../run.ts';
import { KUBERNETES_VERSION } from '../versions.ts';
import type { Part } from './parts.ts';

/** The Go programs of this folder, as cached parts. */
export type Program = 'controlplane' | 'coredns' | 'kwok' | 'pause';

const LABELS: Record<Program, string> = {
  controlplane: `building Kubernetes ${KUBERNETES_VERSION} from its sources (some minutes, once)`,
  coredns: 'building CoreDNS from its sources (about a minute, once)',
  kwok: 'building kwok from its sources (about two minutes, once)',
  pause: 'building the pause program',
};

/** Without their version, kubectl and the controller manager complain about themselves. */
function linkerFlags(program: Program): string {
  if (program !== 'controlplane') return '-s -w';
  const [major, minor] = KUBERNETES_VERSION.slice(1).split('.');
  const set = (name: string, value: string) => `-X k8s.io/component-base/version.${name}=${value}`;
  return ['-s -w', set('gitVersion', KUBERNETES_VERSION), set('gitMajor', major!), set('gitMinor', minor!)].join(' ');
}

/** The version of Go is no input: go.mod names the oldest that will do, and with any of them the program is as good. */
export function programPart(tool: string, program: Program): Part {
  const sources = join(tool, program);
  const inputs: Record<string, string | Buffer> = { flags: linkerFlags(program), architecture: process.arch };
  for (const file of readdirSync(sources)) inputs[file] = readFileSync(join(sources, file));
  return {
    name: program,
    inputs,
    needs: { programs: [], tools: ['go'] },
    label: LABELS[program],
    async build(folder, log) {
      await run('go', [
        'build', '-mod=readonly', '-buildvcs=false', '-trimpath', '-ldflags', linkerFlags(program), '-o', join(folder, program), '.',
      ], {
        cwd: sources,
        // Static, so that pause runs in an empty image, and none of them asks for a C compiler.
        env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
        log,
        purpose: `build ${program}`,
        hint: 'Go needs access to a module proxy (see `go env GOPROXY`) for what is not in its cache yet.',
      });
    },
  };
}

export const KUBERNETES_PROGRAMS = [
  'etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy', 'kubectl',
] as const;
