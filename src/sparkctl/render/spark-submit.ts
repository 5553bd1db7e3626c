import { join } from 'node:path';
import type { Output } from './output';
import { titleOf, type Submission } from './submission';
import { yamlText } from '../../text/yaml';
import { planSparkSubmit } from '../../plan/plan';
import { sparkSubmitArguments } from '../../plan/spark-submit/arguments';
import type { SubmissionWarning } from '../../plan/warnings';
import { hereDocument, quoted } from '../quote';

type Role = 'driver' | 'executor';
const ROLES: readonly Role[] = ['driver', 'executor'];

/**
 * How spark-submit is run, as a command for a POSIX shell. The pod templates are files: in the folder that the user names, else in a temporary one
 * that the command makes and removes.
 */
export const SPARK_SUBMIT: Output<string> = {
  render(submission, { master, templatesFolder }) {
    const { prepared } = submission;
    const { driverTemplate, executorTemplate, resources, warnings: told } = planSparkSubmit(prepared);
    const warnings = [...told, ...resources.map(missing)];
    const texts = { driver: yamlText(driverTemplate), executor: yamlText(executorTemplate) };
    const paths = Object.fromEntries(ROLES.map((role) => [role, pathOf(submission, role, templatesFolder)])) as Record<Role, string>;
    const args = sparkSubmitArguments({ ...prepared, master, templates: paths });
    const options = args.length - prepared.application.arguments.length - 1;
    const command = (word: (argument: string, index: number) => string) => commandOf(args.map(word), options);
    const title = `# ${titleOf(submission)}\n`;
    if (templatesFolder !== undefined) {
      return { content: `${title}${command(quoted)}\n`, warnings, files: Object.fromEntries(ROLES.map((role) => [paths[role], texts[role]])) };
    }
    const words = inTemporaryFolder(args, paths);
    return { content: `${title}${inSubshell(texts, command((_, index) => words[index]!))}`, warnings };
  },
  join: (commands) => commands.join('\n'),
};

/** The operator creates it before it runs spark-submit; a command for spark-submit cannot. */
function missing({ kind, metadata }: { readonly kind: string; readonly metadata: { readonly name: string } }): SubmissionWarning {
  return { field: 'spec.monitoring', message: `needs the ${kind} ${metadata.name}, which only the operator creates` };
}

/** In the user's folder a file for each application: a namespace has no dot in its name. */
function pathOf({ prepared: { metadata } }: Submission, role: Role, folder: string | undefined): string {
  return folder === undefined ? `$templates/${role}.yaml` : join(folder, `${metadata.namespace}.${metadata.name}.${role}.yaml`);
}

/**
 * Quotes the arguments; only where they name the pod templates, the shell puts its own variable in. Those come before all arguments of the
 * application, which may say the same.
 */
function inTemporaryFolder(args: readonly string[], paths: Readonly<Record<Role, string>>): string[] {
  const words = args.map(quoted);
  for (const role of ROLES) {
    const key = `spark.kubernetes.${role}.podTemplateFile=`;
    words[args.indexOf(`${key}${paths[role]}`)] = `${key}"${paths[role]}"`;
  }
  return words;
}

/** In a shell of its own, so that nothing of it is left, and its exit code is that of spark-submit. */
function inSubshell(templates: Readonly<Record<Role, string>>, command: string): string {
  return [
    '(',
    'set -e',
    'templates=$(mktemp -d)',
    'trap \'rm -r "$templates"\' EXIT',
    ...ROLES.map((role) => `cat > "$templates/${role}.yaml" ${hereDocument(templates[role])}`),
    command,
    ')',
    '',
  ].join('\n');
}

/** One option with its value a line, then one argument a line. */
function commandOf(words: readonly string[], options: number): string {
  const lines = ['spark-submit'];
  for (let index = 0; index < options; index += 2) lines.push(`${words[index]} ${words[index + 1]}`);
  return [...lines, ...words.slice(options)].join(' \\\n  ');
}
