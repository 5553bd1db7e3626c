import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../build/parts.ts';
import { capture, run } from '../run.ts';
import { DEBIAN_SUITE } from '../versions.ts';
import { packImage } from './layout.ts';

/** The packages of a Debian system on which Spark runs. python3-minimal would not do: PySpark needs json. */
const PACKAGES = ['ca-certificates', 'libnss-wrapper', 'openjdk-17-jre-headless', 'procps', 'python3', 'tini'];

/** Files that only serve people at a terminal, or a later installation. */
const SUPERFLUOUS = [
  'usr/share/bash-completion', 'usr/share/doc', 'usr/share/info', 'usr/share/lintian', 'usr/share/locale', 'usr/share/man',
  'var/cache/apt', 'var/cache/debconf', 'var/lib/apt/lists', 'var/log',
];

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** A small Debian, the lowest layer of all our images that need a system. Uid 185 is Spark's in its own images too. */
export function debianImage(): Part {
  return {
    name: 'image-debian',
    inputs: { packages: PACKAGES.join(' '), superfluous: SUPERFLUOUS.join(' '), suite: DEBIAN_SUITE, architecture: process.arch, revision: '1' },
    needs: { programs: ['debootstrap', '/usr/share/keyrings/debian-archive-keyring.gpg', 'tar'], tools: [] },
    label: 'installing a minimal Debian with Java and Python (about a minute, once)',
    async build(folder, log) {
      const root = join(folder, 'root');
      mkdirSync(root);
      const mirror = await debianMirror();
      await run('debootstrap', [
        '--variant=minbase', `--include=${PACKAGES.join(',')}`, `--keyring=${KEYRING}`, DEBIAN_SUITE, root, ...(mirror === undefined ? [] : [mirror]),
      ], {
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
        log,
        purpose: 'install Debian',
        hint: 'It comes from the Debian mirror of this machine\'s apt sources. Is that one within reach?',
      });
      clean(root);
      addSparkUser(root);
      await packImage(folder, { reference: `spark.test/debian:${DEBIAN_SUITE}`, root, config: { Cmd: ['/bin/bash'] }, log });
    },
  };
}

/** The mirror that this machine's apt uses for the same suite, or undefined for the default of debootstrap. */
async function debianMirror(): Promise<string | undefined> {
  const result = await capture('apt-get', ['indextargets', '--format', '$(REPO_URI) $(CODENAME) $(COMPONENT)', 'Created-By: Packages'])
    .catch(() => undefined);
  return result?.code === 0 ? mirrorOf(result.stdout, DEBIAN_SUITE) : undefined;
}

export function mirrorOf(indexTargets: string, suite: string): string | undefined {
  const lines = indexTargets.split('\n').map((line) => line.split(' '));
  return lines.find(([, codename, component]) => codename === suite && component === 'main')?.[0];
}

function clean(root: string): void {
  for (const path of SUPERFLUOUS) {
    const folder = join(root, path);
    if (!existsSync(folder)) continue;
    for (const entry of readdirSync(folder)) rmSync(join(folder, entry), { recursive: true });
  }
  // Files of the machine that built it.
  for (const file of ['etc/hostname', 'etc/resolv.conf', 'etc/machine-id']) rmSync(join(root, file), { force: true });
  writeFileSync(join(root, 'etc/machine-id'), '');
}

function addSparkUser(root: string): void {
  appendFileSync(join(root, 'etc/passwd'), 'spark:x:185:0:Apache Spark:/opt/spark/work-dir:/bin/bash\n');
}
