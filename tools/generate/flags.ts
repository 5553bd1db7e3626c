/* docs/reference/flags.md, from the table of flags. */
import type { CompiledPackage } from './assembly.ts';

/** Parts of a flag (`src/flags/table.ts`). */
interface Flag {
  readonly help: string;
  readonly value: string;
  readonly default?: string;
  readonly defaultHelp?: string;
}

const HEAD = `<!-- Made by \`npm run generate\` from src/flags. -->
# Flags of the operator

After this page you know each flag of \`spark-operator\`, its value and its default. \`SparkOperator\` sets most of them from [its props](constructs/spark-operator.md#defaults); \`flags\` takes any other.

- \`spark-operator [flags]\` runs the operator; \`spark-operator webhook start [flags]\` only serves [the webhook](../operate/webhook.md).
- Names and values are those of kubeflow/spark-operator where the meaning is the same. \`controller start\` can precede the flags.
- Durations are written as \`90s\`, \`5m\` or \`1h30m\`. A list can be one flag with commas, or several flags.
- The operator rejects an unknown flag, and names the one that was probably meant.
`;

/** Returns the page of the operator's flags. */
export function flagsPage(pkg: CompiledPackage): { readonly path: string; readonly text: string } {
  const groups = pkg.module('flags/table').FLAG_GROUPS as Readonly<Record<string, Readonly<Record<string, Flag>>>>;
  const { NAMES_WITHOUT_EFFECT, whyWithoutEffect } = pkg.module('flags/without-effect') as {
    readonly NAMES_WITHOUT_EFFECT: readonly string[];
    readonly whyWithoutEffect: (name: string) => string;
  };
  const sections = Object.entries(groups).map(([title, flags]) => [
    `\n## ${title}\n`, '| flag | meaning | default |', '|---|---|---|', ...Object.entries(flags).map(([name, flag]) => rowOf(name, flag)),
  ].join('\n'));
  const without = NAMES_WITHOUT_EFFECT.map((name) => `| \`--${name}\` | ${cell(whyWithoutEffect(name))} |`);
  return {
    path: 'docs/reference/flags.md',
    text: `${HEAD}${sections.join('\n')}\n\n## Flags of kubeflow's operator without effect\n\n`
      + `The operator accepts them, and logs the reason.\n\n| flag | reason |\n|---|---|\n${without.join('\n')}\n`,
  };
}

function rowOf(name: string, { help, value, default: text, defaultHelp }: Flag): string {
  return `| \`--${name}=${value.replaceAll('|', '\\|')}\` | ${cell(help)} | ${cell(defaultHelp ?? (text === undefined ? '' : `\`${text}\``))} |`;
}

/** Returns a text that Markdown shows as it is. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\S*\{\{\S*?(?=[;,]?(?:\s|$))/g, '`$&`');
}
