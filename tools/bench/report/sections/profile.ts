import type { BenchFigures } from '../figures.ts';
import { percent } from '../format.ts';
import { paragraph, plain, table } from '../markdown.ts';
import type { BenchProfiles, ProfileSummary } from '../profiles.ts';

const SHOWN = 12;

/** Where the operator's CPU time goes; nothing when it was not taken apart. */
export function profileLines(profile: ProfileSummary | undefined, phase: string): string[] {
  if (!profile) return [];
  const rows = Array.from({ length: SHOWN }, (_, index) => [...cells(profile.modules[index]), ...cells(profile.functions[index])]).filter((row) => row.some((cell) => cell !== ''));
  return [
    `<details><summary>Where the operator's CPU time goes (${plain(phase)})</summary>`, '',
    ...table(['by module', '', 'by function, without what it calls', ''], rows),
    'By the clock: what was interrupted by other processes looks dearer than it is.', '', '</details>', '',
  ];
}

/** The same of a run of its own, beside figures that were measured without a profiler. */
export function profilesSection({ parts }: BenchFigures, { day, quick, version, phases }: BenchProfiles): string[] {
  const isSame = Object.values(parts).every((part) => part.version === version);
  return [
    '## Where the time goes', '',
    ...paragraph(
      `In a run of its own on ${day}, under a profiler and with ${quick ? 'small sizes' : 'the same sizes'}, as that makes the operator slower: none of the other figures is of it.`,
      isSame ? 'It was the same version of the operator.' : `**It was another version** (\`${plain(version)}\`) than that of the other figures.`,
    ),
    ...phases.flatMap(({ phase, profile }) => profileLines(profile, phase)),
  ];
}

function cells(item: { readonly name: string; readonly share: number } | undefined): [string, string] {
  return item ? [plain(item.name), percent(item.share)] : ['', ''];
}
