import pino from 'pino';
import { parseConfiguration, usage, UsageError } from '../flags/configuration';
import type { LogEncoder } from '../flags/values';
import type { Logger } from '../kube/logger';
import { startOperator } from '../operator/operator';
import { environment } from '../operator/environment';
import { startWebhookProcess } from '../operator/webhook-process';
import { consoleLine } from '../text/console-line';

/** The package's version, put in by the bundler. */
declare const PACKAGE_VERSION: string;

/** Starts what the command line asks for: flags, then configuration, then the parts. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args[0] === 'console') return startConsole(args.slice(1));
  const configuration = parseConfiguration(args, environment(process.env, args));
  if (configuration === 'help') return void console.log(usage());
  if (configuration === 'version') return void console.log(PACKAGE_VERSION);
  const logger = newLogger(configuration.logLevel, configuration.logEncoder);
  logger.info({ version: PACKAGE_VERSION, node: process.versions.node, ...configuration }, 'starting');
  for (const [flag, reason] of Object.entries(configuration.withoutEffect)) {
    logger.warn({ flag: `--${flag}` }, `a flag has no effect here: ${reason}`);
  }
  const start = configuration.command === 'webhook' ? startWebhookProcess : startOperator;
  stopOnSignal(await start(configuration, logger, PACKAGE_VERSION), logger);
}

/** The console in the cluster is a program of its own, of which the others know nothing. */
async function startConsole(args: readonly string[]): Promise<void> {
  const { CONSOLE_USAGE, parseConsole, startConsoleProcess } = await import('../console/process');
  if (args.includes('--help') || args.includes('-h')) return void console.log(CONSOLE_USAGE);
  const logger = newLogger('info', 'json');
  stopOnSignal(await startConsoleProcess(parseConsole(args), logger, PACKAGE_VERSION), logger);
}

function newLogger(level: string, encoder: LogEncoder): Logger {
  const options: pino.LoggerOptions = {
    level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) },
  };
  const logger = encoder === 'json' ? pino(options) : pino(options, { write: (line: string) => void process.stdout.write(consoleLine(line)) });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'unexpected error, the operator ends and is started again by Kubernetes');
    process.exit(1);
  });
  return logger as Logger;
}

function stopOnSignal(running: { stop(): Promise<unknown> }, logger: Logger): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      logger.info({ signal }, 'stopping');
      await running.stop();
      logger.info({}, 'stopped');
      process.exit(0);
    });
  }
}

main().catch((error: unknown) => {
  const lines = error instanceof UsageError ? error.message : `cannot start: ${error instanceof Error ? error.message : String(error)}`;
  console.error(lines);
  process.exit(error instanceof UsageError ? 2 : 1);
});
