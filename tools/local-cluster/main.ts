import { USAGE, parseCommandLine } from './cli.ts';
import type { Command } from './cli.ts';
import { formatError } from './errors.ts';
import { terminalProgress } from './progress.ts';
import { stopCommands } from './run.ts';

/** The command line of the local cluster. Results go to stdout; what is under way, and errors, to stderr. */

type Handler = (command: any) => Promise<number | void>;

/** Loaded on demand: `exec` shall not wait for what only `up` needs. */
const HANDLERS: Record<Exclude<Command['verb'], 'help'>, () => Promise<Handler>> = {
  up: async () => (await import('./commands/up.ts')).up,
  down: async () => (await import('./commands/down.ts')).down,
  status: async () => (await import('./commands/status.ts')).status,
  exec: async () => (await import('./commands/exec.ts')).exec,
  forward: async () => (await import('./commands/forward.ts')).forward,
};

async function main(): Promise<number> {
  const command = parseCommandLine(process.argv.slice(2));
  if (command.verb === 'help') {
    console.log(USAGE);
    return 0;
  }
  if (command.verb !== 'exec' && command.verb !== 'forward') exitOnSignals(command.verb);
  const handler = await HANDLERS[command.verb]();
  return (await handler({ ...command, progress: terminalProgress() })) ?? 0;
}

/** Ends what this process has started, and runs the `exit` handlers that give locks back. */
function exitOnSignals(verb: string): void {
  for (const [signal, code] of [['SIGINT', 130], ['SIGTERM', 143]] as const) {
    process.once(signal, () => {
      stopCommands();
      const advice = verb === 'up' ? ' Another `up` continues from here; `down` removes what is there.' : '';
      console.error(`\nStopped by ${signal}.${advice}`);
      process.exit(code);
    });
  }
}

main().then(
  (code) => { process.exitCode = code; },
  (error) => {
    console.error(formatError(error, process.env.DEBUG !== undefined));
    stopCommands(); // a build that continued beside the one that failed
    process.exit(1);
  },
);
