/*
 * Prints the credentials of a connection: kube-config.test.ts runs it from a bundle, as jest cannot
 * load the client-node package.
 *
 * argv[2] is JSON: { options, afterSeconds?: number[], refusals?: number }. It reads the
 * credentials again after each number of seconds, and after the given number of refusals, which it
 * also prints.
 */
import { connect } from '../../../src/kube/kube-config';

interface Order {
  readonly options: Parameters<typeof connect>[0];
  readonly afterSeconds?: readonly number[];
  readonly refusals?: number;
}

async function main(): Promise<object> {
  const { options, afterSeconds = [], refusals = 0 } = JSON.parse(process.argv[2]!) as Order;
  let time = 0;
  performance.now = () => time;
  const connection = connect(options);
  const ask = async () => {
    // Twice at once: both must share one read.
    const [{ headers, tls, agent }] = await Promise.all([connection.credentials(), connection.credentials()]);
    const text = Object.fromEntries(Object.entries(tls).map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString() : value]));
    return { headers, tls: text, proxy: agent?.constructor.name, identity: tls };
  };
  const refused: string[] = [];
  while (refused.length < refusals) refused.push(await ask().then(() => 'none', (error) => error.message));
  const asked = [await ask()];
  for (const seconds of afterSeconds) {
    time += seconds * 1_000;
    asked.push(await ask());
  }
  return {
    ...(refusals > 0 && { refused }),
    server: connection.server,
    namespace: connection.namespace,
    credentials: asked.map(({ identity, ...others }) => others),
    sameTls: asked.every(({ identity }) => identity === asked[0]!.identity),
  };
}

void main().then((result) => console.log(JSON.stringify(result)), (error) => console.log(JSON.stringify({ error: error.message })))
  .finally(() => process.exit()); // a program that hangs would keep it
