import type { ProfileFigures } from '../../measurements.ts';
import { percent } from '../format.ts';
import { plain, table } from '../markdown.ts';

const SHOWN = 12;

/** Where the operator's CPU time goes; nothing when it was not taken apart. */
export function profileLines(profile: ProfileFigures | undefined, phase: string): string[] {
  if (!profile) return [];
  const rows = Array.from({ length: SHOWN }, (_, index) => [...cells(profile.modules[index]), ...cells(profile.functions[index])]).filter((row) => row.some((cell) => cell !== ''));
  return [
    `<details><summary>Where the operator's CPU time goes (${plain(phase)})</summary>`, '',
    ...table(['by module', '', 'by function, without what it calls', ''], rows),
    'By the clock: what was interrupted by other processes looks dearer than it is.', '', '</details>', '',
  ];
}

function cells(item: { readonly name: string; readonly share: number } | undefined): [string, string] {
  return item ? [plain(item.name), percent(item.share)] : ['', ''];
}
