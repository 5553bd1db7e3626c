import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { folderInputs } from './content.ts';
import type { Part } from './parts.ts';
import { compile, moduleFolder } from './programs.ts';

/** The module of Kueue. Its version is in kueue/go.mod, which has no program of its own: the build takes the tool that it names. */
const MODULE = 'sigs.k8s.io/kueue';

/** Flags of the linker. */
const FLAGS = ['-ldflags', '-s -w'];

const TARGET = `${MODULE}/cmd/kueue`;

/** The module's own files that belong to the program. To be counted up when something else is made of them. */
const [DEFINITIONS, WEBHOOKS, RECIPE] = ['config/components/crd/bases', 'config/components/webhook/manifests.yaml', '1'] as const;

/** Kueue: the program, and the definitions and webhooks that belong to it. */
export function kueuePart(tool: string): Part {
  const sources = join(tool, 'kueue');
  return {
    name: 'kueue',
    inputs: { ...folderInputs(sources), architecture: process.arch, flags: FLAGS.join(' '), target: TARGET, recipe: [RECIPE, DEFINITIONS, WEBHOOKS].join(' ') },
    needs: { programs: [], tools: ['go'] },
    label: 'building Kueue from its sources (some minutes, once)',
    async build(folder, log) {
      await compile({ sources, log, flags: FLAGS, target: TARGET, output: join(folder, 'kueue') });
      const module = await moduleFolder(sources, MODULE);
      const definitions = join(module, DEFINITIONS);
      mkdirSync(join(folder, 'crds'));
      for (const file of readdirSync(definitions)) copyFileSync(join(definitions, file), join(folder, 'crds', file));
      copyFileSync(join(module, WEBHOOKS), join(folder, 'webhooks.yaml'));
    },
  };
}
