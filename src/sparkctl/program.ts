import { CLUSTER_OPTIONS, type Cluster, type ClusterValues } from './cluster';
import type { Command, Context } from './command';
import { ARGUMENTS } from './completion/arguments';
import { COMMANDS, findCommand, type CommandEntry } from './commands';
import { CommandError, Interrupted, unknown } from './errors';
import { UsageError } from '../text/usage-error';
import { withNamesake } from './namesake';
import { withWrappedErrors } from './output/wrapped-output';
import { commandHelp, HELP, programHelp } from './help';
import { commandFirst, parseArguments } from './parse';
import { printable } from '../text/printable';
import { internalErrorText, problemText } from './problem';
import { isDnsLabel } from '../rules/names';

/** Exit code for a wrong command line. */
const USAGE = 2;

/** Exit code that shells use for a program that Ctrl-C ended: 128 plus the number of SIGINT. */
const INTERRUPTED = 130;

/**
 * Runs a command line.
 *
 * @param given the words after `sparkctl`
 * @returns the exit code
 */
export async function runProgram(
  given: readonly string[], { io, ...dependencies }: Context, commands: readonly CommandEntry[] = COMMANDS,
): Promise<number> {
  const context: Context = { ...dependencies, io: withWrappedErrors(io, dependencies.terminal) };
  // Completion scripts of shells call this; it is not for users.
  if (given[0] === '__complete') return (await import('./completion/complete')).complete(given.slice(1), context, commands);
  const ordered = commandFirst(given);
  const args = optionsFor(ordered);
  const entry = findCommand(commands, args[0]);
  let command: Command | undefined;
  try {
    command = entry && (await entry.load()).default;
    return await (command ? runCommand(entry!.name, command, args.slice(1), context) : runWithoutCommand(args, context, commands));
  } catch (error) {
    const line = ['sparkctl', ...(entry ? [entry.name] : [])].join(' ');
    if (error instanceof UsageError) {
      context.io.stderr(printable(`${line}: ${error.message}\nRun ${line} --help for its usage.\n`));
      return USAGE;
    }
    if (context.signal.aborted) {
      reportInterruption(line, error, context);
      return INTERRUPTED;
    }
    context.io.stderr(printable(`${line}: ${problemText(error) ?? internalErrorText(error, context)}\n`));
    return (error instanceof CommandError ? error.exitCode : undefined) ?? command?.failureCode ?? 1;
  }
}

/** Returns a command line in which `help` and `version`, as words, are options. */
function optionsFor([word, ...others]: readonly string[]): readonly string[] {
  if (word === 'help') return [...others, '--help'];
  if (word === 'version') return ['--version', ...others];
  return word === undefined ? [] : [word, ...others];
}

/** Prints one line about what continues: Ctrl-C ends the command, and nothing in the cluster. */
function reportInterruption(line: string, error: unknown, { io, terminal }: Context): void {
  // The terminal has printed ^C into the line.
  if (terminal.isTerminal) io.stdout('\r\x1b[K');
  const what = error instanceof Interrupted ? error.message : 'requests that the cluster has received take effect';
  io.stderr(printable(`${line}: interrupted; ${what}\n`));
}

async function runCommand(name: string, command: Command, args: readonly string[], context: Context): Promise<number> {
  const { values, positionals, rest } = command.parse?.(args) ?? parseArguments(args, { ...command.options, help: HELP });
  if (values.help === true) {
    context.io.stdout(commandHelp(name, command, context.terminal.columns));
    return 0;
  }
  const words = command.takesArguments && rest ? positionals.slice(0, positionals.length - rest.length) : positionals;
  const clusters: Cluster[] = [];
  const connect: Context['connect'] = async (given) => {
    checkNamespace(given);
    const cluster = await context.connect(given);
    clusters.push(cluster);
    return cluster;
  };
  try {
    return await command.run(values, words, { ...context, connect }, command.takesArguments ? rest : undefined);
  } catch (error) {
    const client = clusters.at(-1)?.client;
    throw client ? await withNamesake(error, client, ARGUMENTS[name]?.kinds ?? [], context.signal) : error;
  } finally {
    for (const { client } of clusters) client.close();
  }
}

function checkNamespace({ namespace }: ClusterValues): void {
  if (namespace !== undefined && !isDnsLabel(namespace)) {
    throw new UsageError(`--namespace=${namespace}: write the name of a namespace: lower case letters, digits and -`);
  }
}

async function runWithoutCommand(
  args: readonly string[], { io, version, terminal }: Context, commands: readonly CommandEntry[],
): Promise<number> {
  const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const late = args.find((arg) => names.includes(arg));
  if (late !== undefined) {
    throw new UsageError(`the command comes first; write ${['sparkctl', late, ...args.filter((arg) => arg !== late)].join(' ')}`);
  }
  const { values, positionals: [name] } = parseArguments(args, { ...CLUSTER_OPTIONS, help: HELP, version: { help: 'print the version' } });
  if (values.version === true) {
    io.stdout(`${version}\n`);
  } else if (name !== undefined) {
    throw unknown('command', name, names);
  } else {
    io.stdout(programHelp(commands, terminal.columns));
  }
  return 0;
}
