import { CLUSTER_OPTIONS, type Cluster, type ClusterValues } from './cluster';
import type { Context } from './command';
import { COMMANDS, findCommand, type CommandEntry } from './commands';
import { CommandError, unknown } from './errors';
import { UsageError } from '../text/usage-error';
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
  given: readonly string[], context: Context, commands: readonly CommandEntry[] = COMMANDS,
): Promise<number> {
  // Completion scripts of shells call this; it is not for users.
  if (given[0] === '__complete') return (await import('./completion/complete')).complete(given.slice(1), context, commands);
  const ordered = commandFirst(given);
  const args = ordered[0] === 'help' ? [...ordered.slice(1), '--help'] : ordered;
  const entry = findCommand(commands, args[0]);
  try {
    return await (entry ? runCommand(entry, args.slice(1), context) : runWithoutCommand(args, context, commands));
  } catch (error) {
    const line = ['sparkctl', ...(entry ? [entry.name] : [])].join(' ');
    if (error instanceof UsageError) {
      context.io.stderr(printable(`${line}: ${error.message}\nRun ${line} --help for its usage.\n`));
      return USAGE;
    }
    if (context.signal.aborted) return INTERRUPTED;
    context.io.stderr(printable(`${line}: ${problemText(error) ?? internalErrorText(error, context)}\n`));
    return error instanceof CommandError ? error.exitCode : 1;
  }
}

async function runCommand({ name, load }: CommandEntry, args: readonly string[], context: Context): Promise<number> {
  const { default: command } = await load();
  const { values, positionals } = command.parse?.(args) ?? parseArguments(args, { ...command.options, help: HELP });
  if (values.help === true) {
    context.io.stdout(commandHelp(name, command));
    return 0;
  }
  const clusters: Cluster[] = [];
  const connect: Context['connect'] = async (given) => {
    checkNamespace(given);
    const cluster = await context.connect(given);
    clusters.push(cluster);
    return cluster;
  };
  try {
    return await command.run(values, positionals, { ...context, connect });
  } finally {
    for (const { client } of clusters) client.close();
  }
}

function checkNamespace({ namespace }: ClusterValues): void {
  if (namespace !== undefined && !isDnsLabel(namespace)) {
    throw new UsageError(`--namespace=${namespace}: write the name of a namespace: lower case letters, digits and -`);
  }
}

async function runWithoutCommand(args: readonly string[], { io, version }: Context, commands: readonly CommandEntry[]): Promise<number> {
  const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const late = args.find((arg) => names.includes(arg));
  if (late !== undefined) {
    throw new UsageError(`the command comes first; write ${['sparkctl', late, ...args.filter((arg) => arg !== late)].join(' ')}`);
  }
  const { values, positionals: [name] } = parseArguments(args, { ...CLUSTER_OPTIONS, help: HELP, version: { help: 'print the version' } });
  if (values.version === true) {
    io.stdout(`${version}\n`);
  } else if (values.help === true || name === undefined) {
    io.stdout(programHelp(commands));
  } else {
    throw unknown('command', name, names);
  }
  return 0;
}
