import { join } from 'node:path';
import type { Output } from './output';
import { titleOf, type Submission } from './submission';
import { yamlText } from '../../text/yaml';
import { planSparkSubmit } from '../../plan/plan';
import { sparkSubmitArguments } from '../../plan/spark-submit/arguments';
import { ROLES, type Role } from '../../plan/properties/role';
import type { Problem } from '../../model/problem';
import { hereDocument, quoted } from '../quote';


/**
 * Output of the spark-submit command for a POSIX shell. The pod templates are files in the user's
 * folder, or in a temporary one that the command creates and removes.
 */
export const SPARK_SUBMIT: Output<string> = {
  render(submission, { master, templatesFolder }) {
    const { prepared } = submission;
    const { driverTemplate, executorTemplate, resources, warnings: submissionWarnings } = planSparkSubmit(prepared);
    const warnings = [...submissionWarnings, ...resources.map(missing)];
    const texts = { driver: yamlText(driverTemplate), executor: yamlText(executorTemplate) };
    const paths = Object.fromEntries(ROLES.map((role) => [role, pathOf(submission, role, templatesFolder)])) as Record<Role, string>;
    const args = sparkSubmitArguments({ ...prepared, master, templates: paths });
    const options = args.length - prepared.application.arguments.length - 1;
    const command = (word: (argument: string, index: number) => string) => commandOf(args.map(word), options);
    const title = `# ${titleOf(submission)}\n`;
    if (templatesFolder !== undefined) {
      return {
        content: `${title}${command(quoted)}\n`, warnings,
        files: Object.fromEntries(ROLES.map((role) => [paths[role], texts[role]])),
      };
    }
    const words = inTemporaryFolder(args, paths);
    return { content: `${title}${inSubshell(texts, command((_, index) => words[index]!))}`, warnings };
  },
  join: (commands) => commands.join('\n'),
};

/** Warns about an object that the operator creates before it runs spark-submit. */
function missing({ kind, metadata }: { readonly kind: string; readonly metadata: { readonly name: string } }): Problem {
  return { path: 'spec.monitoring', reason: `needs the ${kind} ${metadata.name}, which only the operator creates`, severity: 'warning' };
}

/**
 * Returns the path of a pod template. In the user's folder each application has its own file: a
 * namespace contains no dot.
 */
function pathOf({ prepared: { metadata } }: Submission, role: Role, folder: string | undefined): string {
  return folder === undefined ? `$templates/${role}.yaml` : join(folder, `${metadata.namespace}.${metadata.name}.${role}.yaml`);
}

/**
 * Quotes the arguments, but lets the shell expand its variable in the paths of the pod templates.
 * Only their first occurrences change: an application can have equal arguments, which come later.
 */
function inTemporaryFolder(args: readonly string[], paths: Readonly<Record<Role, string>>): string[] {
  const words = args.map(quoted);
  for (const role of ROLES) {
    const key = `spark.kubernetes.${role}.podTemplateFile=`;
    words[args.indexOf(`${key}${paths[role]}`)] = `${key}"${paths[role]}"`;
  }
  return words;
}

/**
 * Wraps the command in a subshell, which removes its temporary files and keeps the exit code of
 * spark-submit.
 */
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

/** Formats a command with one option or argument per line. */
function commandOf(words: readonly string[], options: number): string {
  const lines = ['spark-submit'];
  for (let index = 0; index < options; index += 2) lines.push(`${words[index]} ${words[index + 1]}`);
  return [...lines, ...words.slice(options)].join(' \\\n  ');
}
