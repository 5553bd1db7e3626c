import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../build/parts.ts';
import { run } from '../run.ts';
import { NODE_IMAGE } from '../versions.ts';
import { blobFile, packImage, readImage } from './layout.ts';
import type { ImageConfig } from './layout.ts';

/** The packages whose files Node needs, and those that name the system. There is no shell. */
const PACKAGES = ['base-files', 'libc6', 'libgcc-s1', 'libstdc++6'];
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** Files of those packages that a program does not use: character sets, documents, scripts for a login. */
const SUPERFLUOUS = /^\/(usr\/share|usr\/lib\/[^/]+\/(gconv|audit)|usr\/bin|usr\/sbin|etc\/(profile|skel|update-motd\.d)|var)/;

const CONFIG: ImageConfig = {
  Env: ['PATH=/usr/local/bin:/usr/bin:/bin', `SSL_CERT_FILE=${CERTIFICATES}`, 'NODE_VERSION=24'],
  Cmd: ['node'],
  User: '1000:1000',
  WorkingDir: '/home/node',
};

/** The base of the operator's image: Node on the few libraries that it needs, taken out of our Debian. */
export function nodeImage(debian: Part, repositoryRoot: string): Part {
  const node = nodeBinary(repositoryRoot);
  return {
    name: 'image-node',
    inputs: {
      node: node.version, packages: PACKAGES.join(' '), superfluous: SUPERFLUOUS.source, config: JSON.stringify(CONFIG), revision: '1',
    },
    requires: [debian],
    needs: { programs: ['tar'], tools: [] },
    label: 'packing the image with Node',
    async build(folder, log, [debianFolder]) {
      const system = blobFile(debianFolder!, readImage(debianFolder!).layers[0]!.digest);
      const root = join(folder, 'root');
      mkdirSync(root);
      await extractPackages(system, root, log);
      writeAccounts(root);
      mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
      copyFileSync(node.file, join(root, 'usr/local/bin/node'));
      chmodSync(join(root, 'usr/local/bin/node'), 0o755);
      await packImage(folder, { reference: NODE_IMAGE, root, config: CONFIG, log });
    },
  };
}

/** The Node that the repository installs; or else the one that runs this. */
function nodeBinary(repositoryRoot: string): { readonly file: string; readonly version: string } {
  const file = join(repositoryRoot, 'node_modules/node/bin/node');
  if (!existsSync(file)) return { file: process.execPath, version: process.versions.node };
  return { file, version: JSON.parse(readFileSync(join(repositoryRoot, 'node_modules/node/package.json'), 'utf8')).version };
}

async function extractPackages(system: string, root: string, log: string): Promise<void> {
  const contents = (await run('tar', ['--list', '--file', system])).split('\n');
  const lists = contents.filter((path) => PACKAGES.some((name) => isFileList(path, name)));
  const listed = await run('tar', ['--extract', '--to-stdout', '--file', system, ...lists]);
  const wanted = wantedPaths(listed.split('\n'));
  const paths = contents.filter((path) => wanted.has(path.replace(/\/$/, '')));
  const pathsFile = join(root, 'paths');
  writeFileSync(pathsFile, paths.join('\n'));
  await run('tar', ['--extract', '--file', system, '--directory', root, '--no-recursion', '--files-from', pathsFile], {
    log, purpose: 'take packages out of Debian',
  });
  rmSync(pathsFile);
}

function isFileList(path: string, packageName: string): boolean {
  const file = path.replace('./var/lib/dpkg/info/', '');
  return file === `${packageName}.list` || (file.startsWith(`${packageName}:`) && file.endsWith('.list'));
}

/** Returns the paths of a package. Its list has `/lib/…` for files in `/usr/lib/…`, with a link in the root. */
export function wantedPaths(listed: readonly string[]): Set<string> {
  const kept = listed.filter((path) => path !== '' && !SUPERFLUOUS.test(path));
  return new Set([
    './bin', './sbin', './lib', './lib64', `.${CERTIFICATES}`, './etc/ssl/certs', './etc/ssl', './tmp', './usr/lib/os-release',
    ...kept.map((path) => `.${path.replace(/^\/(bin|sbin|lib|lib64)\//, '/usr/$1/')}`),
  ]);
}

function writeAccounts(root: string): void {
  const write = (file: string, lines: string[]) => writeFileSync(join(root, 'etc', file), `${lines.join('\n')}\n`);
  write('passwd', ['root:x:0:0:root:/root:/sbin/nologin', 'node:x:1000:1000:node:/home/node:/sbin/nologin', 'nobody:x:65534:65534:nobody:/:/sbin/nologin']); // words: ok
  write('group', ['root:x:0:', 'node:x:1000:', 'nogroup:x:65534:']);
  write('nsswitch.conf', ['passwd: files', 'group: files', 'hosts: files dns']);
  mkdirSync(join(root, 'home/node'), { recursive: true });
}
