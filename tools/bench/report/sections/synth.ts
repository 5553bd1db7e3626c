import { middle } from '../../synth/measurements.ts';
import type { PartFigures } from '../figures.ts';
import { mebibytes, number, time } from '../format.ts';
import { paragraph, table } from '../markdown.ts';
import { show, type Plot } from '../plots.ts';

/** What the constructs cost. */
export function synthSection({ sizes }: PartFigures['synth'], plots: readonly Plot[]): string[] {
  return [
    '## Synth', '',
    ...paragraph(`Programs that synthesize applications as a data pipeline has them, each a process of its own, start and end of Node included; the one in the middle of ${sizes[0]?.runs.length ?? 0} runs.`),
    ...table(['applications', 'whole', 'loading', 'constructs', 'checks and manifests', 'each', 'manifests', 'peak memory'], sizes.map(({ applications, runs }) => {
      const { whole, load, construct, write, size, memory } = middle(runs);
      return [number(applications), time(whole), time(load), time(construct), time(write), time((construct + write) / applications), mebibytes(size), mebibytes(memory)];
    })),
    ...show(plots, 'synth'),
  ];
}
