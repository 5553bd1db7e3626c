import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from '../local-cluster/run.ts';
import { DEPENDENCIES, generateBindings, installed } from './bindings.ts';

/**
 * Makes the bindings for Go below `folder`, those of what the package depends on included, and builds a program with them. Go fetches and keeps jsii's runtime.
 *
 * @param program a file of the package main
 * @returns the executable
 */
export async function buildGo(root: string, program: string, folder: string): Promise<string> {
  const sources = await generateBindings(root, 'go', [...DEPENDENCIES.map((name) => installed(root, name)), root], folder);
  const modules = readdirSync(sources).map((name) => {
    const text = readFileSync(join(sources, name, 'go.mod'), 'utf8');
    return { folder: join(sources, name), path: /^module (\S+)$/m.exec(text)![1]!, go: /^go (\S+)$/m.exec(text)![1]! };
  });
  const main = join(folder, 'main');
  mkdirSync(main);
  copyFileSync(program, join(main, basename(program)));
  writeFileSync(join(main, 'go.mod'), `module main\n\ngo ${modules[0]!.go}\n\n${modules.map((module) => `replace ${module.path} => ${module.folder}\n`).join('')}`);
  const env = { ...process.env, GOWORK: 'off', CGO_ENABLED: '0' };
  const hint = 'Go needs access to a module proxy (see `go env GOPROXY`) for what is not in its cache yet.';
  await run('go', ['build', '-mod=mod', '-buildvcs=false', '-o', 'program', '.'], { cwd: main, env, purpose: 'build the Go program', hint });
  // All packages of ours, also those that the program does not use.
  await run('go', ['build', '-mod=mod', `${modules.find((module) => module.path.includes('spark'))!.path}/...`], { cwd: main, env, purpose: 'build the Go package', hint });
  return join(main, 'program');
}
