import { openBrowser } from '../browser';
import { CLUSTER_OPTIONS } from '../cluster';
import { command, type Context } from '../command';
import type { Values } from '../options';
import { CommandError, Interrupted, interruptionOr } from '../errors';
import { UsageError } from '../../text/usage-error';
import { forwardUi } from '../forward/forward';
import { subjectOf, titleOfSubject } from '../log/subject';
import { portRangeOf } from '../port-range';
import { printable } from '../../text/printable';
import { canI } from '../lacking-permission';
import { onlyTarget } from '../target';
import { WEB_URL_HINT, webUrl } from '../../rules/web-url';
import { forwardPort } from '../../kube/port-forward';
import { silentLogger } from '../../kube/logger';
import { SPARK_APPLICATIONS } from '../../model/resources';
import type { LocalConsole } from '../console';

const OPTIONS = {
  ...CLUSTER_OPTIONS,
  'namespace': {
    ...CLUSTER_OPTIONS.namespace,
    help: "namespace to show, or of NAME (default: all if you can list them, else that of the kubeconfig's context)",
  },
  'all-namespaces': { short: 'A', help: 'without NAME: show all namespaces, and fail if you cannot list them' },
  'port': { value: 'PORT', help: 'port on 127.0.0.1; 0 for any free one', default: '0' },
  'spark-ui-port': {
    value: 'PORT',
    help: 'without NAME: port on 127.0.0.1 for the Spark UI of a driver, '
      + 'or a range such as 8081-8084 for several drivers (default: any free ones)',
  },
  'history-server': { value: 'URL', help: 'without NAME: URL of the History Server, for links to applications (default: no links)' },
  'no-open': { help: 'print the address without opening a browser' },
} as const;

/** `sparkctl ui`: serves the console on this machine, or opens the Spark UI of one driver. */
export default command({
  usage: '[NAME] [options]',
  description: [
    'Serves a page with all applications and schedules, only on this machine and with your own permissions: their states',
    'and reasons, logs, plots, and the Spark UI of drivers. The page can suspend, resume, rerun and delete them. The',
    'command prints an address with a token, which gives your permissions to every user who knows it. Ctrl-C ends it.',
    '',
    'With the NAME of a SparkApplication it opens the Spark UI of its driver, like `sparkctl forward`: once a driver',
    'runs, and until the application has ended. connect/NAME is the server of a SparkConnect,',
    'schedule/NAME the newest run of a ScheduledSparkApplication.',
  ].join('\n'),
  options: OPTIONS,
  examples: [
    ['sparkctl ui', 'opens the console in the browser'],
    ['sparkctl ui etl', 'opens the Spark UI of a running job'],
    ['sparkctl ui -n team-a --port=8080 --no-open', 'one namespace, on a port of your own'],
    [
      'sparkctl ui --port=8080 --spark-ui-port=8081 --no-open',
      'on another machine, behind ssh -L 8080:127.0.0.1:8080 -L 8081:127.0.0.1:8081',
    ],
  ],
  exitCodes: { 1: 'the port is taken, the cluster is unreachable, or NAME has no driver any more', 130: 'Ctrl-C ended it' },
  async run(values, words, context) {
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`--port=${values.port}: write a number from 0 to 65535`);
    if (words.length > 0 && values['spark-ui-port'] !== undefined) {
      throw new UsageError(`--spark-ui-port is for the console; with ${printable(words[0]!)} write --port`);
    }
    if (words.length > 0 && values['history-server'] !== undefined) {
      throw new UsageError('--history-server is for the console; omit it with NAME');
    }
    if (words.length > 0 && values['all-namespaces']) {
      throw new UsageError('--all-namespaces is for the console; with NAME write --namespace');
    }
    return words.length > 0 ? openSparkUi(words, port, values, context) : serveConsole(port, values, context);
  },
});

async function openSparkUi(
  words: readonly string[], localPort: number, values: Values<typeof OPTIONS>, { io, connect, terminal, now, signal }: Context,
): Promise<number> {
  const { client, connection, namespace } = await connect(values);
  const target = onlyTarget(words, namespace, ['application', 'connect', 'schedule']);
  const note = (message: string) => io.stderr(printable(`sparkctl ui: ${message}\n`));
  const print = (text: string) => {
    io.stdout(text);
    if (isOpened(values, terminal)) openBrowser(text.trim());
  };
  const subject = await subjectOf(client, target, signal);
  try {
    await forwardUi(subject, { localPort, address: '127.0.0.1', portOption: '--port' }, { client, connection, note, print, now, signal });
  } catch (error) {
    throw interruptionOr(error, signal, titleOfSubject(subject));
  }
  return 0;
}

async function serveConsole(
  port: number, values: Values<typeof OPTIONS>, { io, version, connect, startConsole, terminal, signal }: Context,
): Promise<never> {
  const sparkUiPorts = values['spark-ui-port'] === undefined ? undefined : portRangeOf('spark-ui-port', values['spark-ui-port']);
  const historyServer = values['history-server'] === undefined ? undefined : historyServerIn(values['history-server']);
  const isEverywhere = values['all-namespaces'];
  const { client, connection, namespace } = await connect(values);
  let running: LocalConsole;
  try {
    running = await startConsole({
      client,
      dial: (driver, gone) => forwardPort(connection, { namespace: driver.namespace, name: driver.pod }, driver.port, {
        signal: AbortSignal.any([signal, gone]),
      }),
      port,
      ...(sparkUiPorts && { sparkUiPorts }),
      ...(historyServer !== undefined && { historyServer }),
      ...(values.namespace !== undefined && !isEverywhere && { namespace: values.namespace }),
      fallback: namespace,
      cluster: values.context ?? new URL(connection.server).host,
      version,
      logger: silentLogger,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new CommandError(`port ${port} is taken; set --port to another one, or omit it for any free one`);
  }
  if (isEverywhere && running.namespace !== undefined) {
    await running.stop();
    const check = canI({ verb: 'list', resource: SPARK_APPLICATIONS.plural });
    throw new CommandError(
      `you cannot list the SparkApplications of all namespaces; ask for the permission that \`${check}\` checks, or omit -A`,
    );
  }
  io.stdout(`${running.url}\n`);
  const served = running.namespace === undefined ? 'all namespaces' : `the namespace ${running.namespace}`;
  io.stderr(printable(`Serving ${served} until Ctrl-C. Every user who knows the address has your permissions.\n`));
  if (!running.canList) {
    const check = canI({ verb: 'list', resource: SPARK_APPLICATIONS.plural, namespace: running.namespace });
    io.stderr(printable(`You cannot list the SparkApplications there: ask for the permission that \`${check}\` checks.\n`));
  }
  if (isOpened(values, terminal)) openBrowser(running.newUrl());
  await new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
  await running.stop();
  throw new Interrupted('the applications continue in the cluster');
}

/** @throws {UsageError} */
function historyServerIn(text: string): string {
  const url = webUrl(text);
  if (url === undefined) throw new UsageError(`--history-server=${printable(text)} is not the URL of a web server; ${WEB_URL_HINT}`);
  return url;
}

/** Returns whether to open a browser: not if a program reads the output. */
function isOpened(values: Values<typeof OPTIONS>, { isTerminal }: Context['terminal']): boolean {
  return isTerminal && !values['no-open'];
}
