import { doubtsOf } from './doubts.ts';
import type { BenchFigures } from './figures.ts';
import { plotsOf, type Plot } from './plots.ts';
import type { BenchProfiles } from './profiles.ts';
import { beginning, doubtsSection, goalsSection, limitsOfTheReport, machineSection, methodSection } from './sections/frame.ts';
import { growthSection, limitsSection } from './sections/growth.ts';
import { neighboursSection } from './sections/neighbours.ts';
import { populationSections } from './sections/population.ts';
import { profilesSection } from './sections/profile.ts';
import { publishedSection } from './sections/published.ts';
import { submissionSection } from './sections/submission.ts';
import { synthSection } from './sections/synth.ts';

/** The report as people read it, and its plots. */
export interface Report {
  /** Markdown; it shows the plots by `plots/NAME.svg`. */
  readonly text: string;
  readonly plots: readonly Plot[];
}

/**
 * Makes the report. The same figures make the same bytes.
 *
 * @param remarks what people have to say of these figures, as Markdown: what the time goes to, and what would be next. A goal that was missed has a heading of its name.
 * @param profiles of a run of its own
 */
export function renderReport(figures: BenchFigures, remarks = '', profiles?: BenchProfiles): Report {
  const plots = plotsOf(figures);
  const { submission, population, neighbours, synth } = figures.parts;
  const lines = [
    ...beginning(figures),
    ...goalsSection(figures, remarks),
    ...(remarks.trim() ? ['## Remarks', '', remarks.trim(), ''] : []),
    ...machineSection(figures),
    ...methodSection(),
    ...(submission ? submissionSection(submission.figures, plots) : []),
    ...(population ? [...populationSections(population.figures, plots), ...growthSection(population.figures, plots), ...limitsSection(population.figures, plots)] : []),
    ...(neighbours ? neighboursSection(neighbours.figures) : []),
    ...(synth ? synthSection(synth.figures, plots) : []),
    ...(profiles ? profilesSection(figures, profiles) : []),
    ...publishedSection(),
    ...limitsOfTheReport(),
    ...doubtsSection(doubtsOf(figures)),
  ];
  return { text: `${lines.join('\n').trimEnd()}\n`, plots };
}
