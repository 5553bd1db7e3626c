import type { MigrationReport } from './examine';
import type { Step } from './steps';
import { doctorData, textOf } from '../../doctor/report';
import type { Terminal } from '../../terminal';
import { painter } from '../../../text/colours';
import { printable } from '../../../text/printable';
import { wrapped } from '../../../text/wrapped';

/** Width of the column before a step. */
const INDENT = '   ';

/** Returns the findings and the steps as text. */
export function reportText({ findings, steps }: MigrationReport, terminal: Terminal): string {
  if (!steps) return textOf(findings, terminal);
  const paint = painter(terminal);
  return [
    textOf(findings, terminal),
    paint('Steps', 'bold'), ...stepLines(steps.there, terminal),
    '', paint('The way back', 'bold'), ...stepLines(steps.back, terminal), '',
  ].join('\n');
}

function stepLines(steps: readonly Step[], { columns = Infinity }: Terminal): string[] {
  return steps.flatMap(({ title, commands, note }, index) => [
    printable(`${`${index + 1}.`.padEnd(INDENT.length)}${title}`),
    // A command stays in one line, to be copied.
    ...commands.map((line) => printable(`${INDENT}${line}`)),
    ...(note === undefined ? [] : wrapped(`# ${note}`, Math.max(columns - INDENT.length, 20)).map((line, each) => (
      printable(`${INDENT}${each === 0 ? '' : '# '}${line}`)
    ))),
  ]);
}

/** Returns the findings and the steps as JSON. */
export function reportJson({ findings, steps }: MigrationReport): string {
  return `${JSON.stringify({ ...doctorData(findings), ...(steps && { steps: steps.there, back: steps.back }) }, undefined, 2)}\n`;
}
