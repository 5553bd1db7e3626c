import { spawn } from 'node:child_process';
import { CLUSTER_OPTIONS } from '../cluster';
import { command } from '../command';
import { CommandError, UsageError } from '../errors';
import { printable } from '../printable';
import { loadPage } from '../../console/server/bundled-page';
import { startOwnConsole, type OwnConsole } from '../../console/server/own-console';
import { forwardPort } from '../../kube/port-forward';
import { silentLogger } from '../../kube/logger';

/** `sparkctl ui`: serves the console on this machine. */
export const ui = command({
  usage: '[options]',
  description: [
    'Serves a page with all applications and schedules, on this machine alone and with your own rights: what runs and',
    'why something does not, logs, the Spark UI of drivers, plots; and suspends, resumes, runs again and deletes.',
    'It prints an address with a token: whoever knows it can do what you can. It runs until it is ended (Ctrl-C).',
  ].join('\n'),
  options: {
    ...CLUSTER_OPTIONS,
    'namespace': { ...CLUSTER_OPTIONS.namespace, help: "namespace that is shown (default: all if you may list them, else that of the kubeconfig's context)" },
    'port': { value: 'PORT', help: 'port on 127.0.0.1; 0 for any that is free', default: '0' },
    'no-open': { help: 'only print the address, and open no browser' },
  },
  examples: [
    ['sparkctl ui', 'opens the console in the browser'],
    ['sparkctl ui -n team-a --port=8080 --no-open', 'one namespace, on a port of your own, as behind ssh -L 8080:127.0.0.1:8080'],
  ],
  exitCodes: { 1: 'the port is taken, or the cluster cannot be reached', 130: 'it was ended by Ctrl-C' },
  async run(values, positionals, { io, version, connect, terminal, signal }) {
    if (positionals.length > 0) throw new UsageError(`ui takes no names, yet ${positionals[0]} was given; open the application in the page`);
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`--port=${values.port}: write a number from 0 to 65535`);
    const { client, connection, namespace } = await connect(values);
    let running: OwnConsole;
    try {
      running = await startOwnConsole({
        client,
        dial: (driver) => forwardPort(connection, { namespace: driver.namespace, name: driver.pod }, driver.port, { signal }),
        loadPage,
        port,
        ...(values.namespace !== undefined && { namespace: values.namespace }),
        fallback: namespace,
        cluster: values.context ?? new URL(connection.server).host,
        version,
        logger: silentLogger,
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      throw new CommandError(`port ${port} is taken; name another with --port, or leave it out for one that is free`);
    }
    io.stdout(`${running.url}\n`);
    io.stderr(printable(`Serving ${running.namespace === undefined ? 'all namespaces' : `the namespace ${running.namespace}`} until Ctrl-C. Whoever knows the address can do what you can.\n`));
    if (terminal.isTerminal && values['no-open'] !== true) openBrowser(running.newUrl());
    await new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })));
    await running.stop();
    return 130;
  },
});

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = { darwin: ['open'], linux: ['xdg-open'], win32: ['rundll32', 'url.dll,FileProtocolHandler'] };

/** Opens a browser, where there is one; the address has been printed for all others. Everybody on the machine can see its command line. */
function openBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(program, [...args, url], { stdio: 'ignore', detached: true }).on('error', () => {}).unref();
}
