import pino from 'pino';
import { parseConfiguration, usage, UsageError } from './configuration';
import type { Logger } from '../kube/logger';
import { startOperator } from './operator';
import { surroundings } from './surroundings';
import { startWebhookProcess } from './webhook-process';

/** The package's version, put in by the bundler. */
declare const PACKAGE_VERSION: string;

/** Starts what the command line asks for: flags, then configuration, then the parts. */
async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const configuration = parseConfiguration(args, surroundings(process.env, args));
  if (configuration === 'help') return void console.log(usage());
  if (configuration === 'version') return void console.log(PACKAGE_VERSION);
  const logger = pino({ level: configuration.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } });
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'unexpected error, the operator ends and is started again by Kubernetes');
    process.exit(1);
  });
  logger.info({ version: PACKAGE_VERSION, node: process.versions.node, ...configuration }, 'starting');
  for (const [flag, reason] of Object.entries(configuration.withoutEffect)) logger.warn({ flag: `--${flag}` }, `a flag has no effect here: ${reason}`);
  const start = configuration.command === 'webhook' ? startWebhookProcess : startOperator;
  const operator = await start(configuration, logger as Logger, PACKAGE_VERSION);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      logger.info({ signal }, 'stopping');
      await operator.stop();
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
