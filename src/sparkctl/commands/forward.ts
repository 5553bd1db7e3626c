import { command } from '../command';
import { CLUSTER_OPTIONS } from '../cluster';
import { interruptionOr } from '../errors';
import { UsageError } from '../../text/usage-error';
import { forwardUi } from '../forward/forward';
import { checkPermission } from '../own-permission';
import { subjectOf, titleOfSubject } from '../log/subject';
import { printable } from '../../text/printable';
import { onlyTarget } from '../target';

/** `sparkctl forward`: the Spark UI of a driver, through the API server. */
export default command({
  usage: 'NAME [options]',
  description: [
    'Makes the Spark UI of the driver of a SparkApplication reachable on this machine, and prints its URL. connect/NAME is',
    'the server of a SparkConnect, schedule/NAME the newest run of a ScheduledSparkApplication.',
    '',
    'It continues with the driver of the next attempt, and ends with Ctrl-C or when the application has ended. If the API',
    'server does not answer for about a minute, it ends with the reason.',
    '',
    'The Spark UI gets no cookies and credentials of your browser, and cannot set any. Another --port gets all bytes',
    'unchanged: do not open it in a browser, which sends it the cookies of all servers on this machine.',
  ].join('\n'),
  options: {
    'port': { value: 'PORT', help: 'port of the driver (default: spark.ui.port of the application, else 4040)' },
    'local-port': { value: 'PORT', help: 'port on this machine, 0 for any free one (default: the same, or another one if it is taken)' },
    'address': { value: 'ADDRESS', default: '127.0.0.1', help: 'address of this machine to listen on; the Spark UI has no password' },
    ...CLUSTER_OPTIONS,
  },
  examples: [
    ['sparkctl forward etl', 'the Spark UI of a running job'],
    ['sparkctl forward connect/notebooks --port=15002', 'a Spark Connect server, for clients on this machine'],
  ],
  exitCodes: {
    0: 'the application has completed',
    1: 'there is nothing to connect to, no port to listen on, or no connection to the API server any more; '
      + 'or the application has failed or was deleted',
    130: 'Ctrl-C ended it',
  },
  async run(values, words, { connect, io, now, signal }) {
    const { client, connection, namespace } = await connect(values);
    const target = onlyTarget(words, namespace, ['application', 'connect', 'schedule']);
    const problems: string[] = [];
    const port = portIn('port', 1, values.port, problems);
    const localPort = portIn('local-port', 0, values['local-port'], problems);
    if (problems.length > 0) throw new UsageError(problems.join('\n'));
    const note = (message: string) => io.stderr(printable(`sparkctl forward: ${message}\n`));
    const subject = await subjectOf(client, target, signal);
    await checkPermission(client, { group: '', resource: 'pods/portforward', verb: 'get', namespace: subject.ref.namespace }, signal);
    try {
      await forwardUi(subject, { port, localPort, address: values.address, portOption: '--local-port' }, {
        client, connection, note, print: io.stdout, now, signal,
      });
    } catch (error) {
      throw interruptionOr(error, signal, titleOfSubject(subject));
    }
    return 0;
  },
});

function portIn(name: string, least: number, text: string | undefined, problems: string[]): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port >= least && port <= 65_535) return port;
  problems.push(`--${name}=${text}: write a port, from ${least} to 65535`);
  return undefined;
}
