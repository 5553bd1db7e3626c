import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { obtainKwok, type Progress } from '../../local-cluster/index.ts';
import { ClusterRun } from '../cluster-run.ts';
import { machineFacts, type MachineFacts } from '../machine.ts';
import type { ProfileFigures } from '../measurements.ts';
import { BUNDLE, ProfiledBundle } from '../profiled-bundle.ts';
import type { Task } from './inside.ts';
import type { PopulationFigures, PopulationRun } from './measurements.ts';
import type { Options } from './options.ts';
import { planOf, profileOf } from './plan.ts';

/** Phases whose profile is made. */
const PROFILED = ['lifecycle', 'steady', 'restart'];

/** Measures a population, in a cluster of its own, of which nothing is left. Everything has to be compiled before. */
export async function measurePopulation(options: Options, progress: Progress, machine: MachineFacts = machineFacts()): Promise<PopulationFigures> {
  const { install, profile, quick, applications, executors, steadySeconds, workers, deadline } = options;
  const kwok = await obtainKwok({ install, progress });
  const profiled = profile ? new ProfiledBundle('bench-population') : undefined;
  const figures = await new ClusterRun('bench-population', progress, { scale: true }).measure<Task, PopulationRun>(join(import.meta.dirname, 'inside.ts'), {
    ...planOf(applications, steadySeconds, { quick }), executors, workers, deadline, kwok, bundle: profiled?.bundle ?? BUNDLE, profile: profiled?.profile,
  }, install);
  return { ...figures, machine, quick, executors, workers, ...(profiled && { profiles: profilesOf(profiled) }) };
}

function profilesOf(profiled: ProfiledBundle): Record<string, ProfileFigures> {
  const files = PROFILED.map((phase) => [phase, profileOf(profiled.profile, phase)] as const).filter(([, file]) => existsSync(file));
  return Object.fromEntries(files.map(([phase, file]) => [phase, profiled.read(file)]));
}
