/* What docs/operator.md says about turning shards off, with the rights that SparkOperator gives before and after. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { Testing } from 'cdk8s';
import { Lane } from './helpers/lane';
import { Owners } from './helpers/owners';
import { install, type Installation } from '../helpers/installation';
import { apply, kubectl } from '../helpers/kubectl';
import { SparkOperator } from '../../src';

const SHARDS = 4;
const REPLICAS = ['one', 'two'];
const RENEW_DEADLINE_SECONDS = 2;
const TIMES = ['--leader-election-lease-duration=3s', `--leader-election-renew-deadline=${RENEW_DEADLINE_SECONDS}s`, '--leader-election-retry-period=400ms'];

/** The commands under a heading of the page, with what comes before and after the update. */
function documented(heading: string, namespace: string): { readonly before: string[]; readonly after: string[] } {
  const page = readFileSync(join(__dirname, '../../docs/operator.md'), 'utf8');
  const block = page.slice(page.indexOf(`#### ${heading}`)).match(/```sh\n([^`]*)```/)![1]!;
  const commands = block.replaceAll('-n spark-operator', `-n ${namespace}`).replaceAll('=spark-operator:', `=${namespace}:`).trim().split('\n').filter((line) => !line.startsWith('#'));
  const update = commands.findIndex((command) => command.startsWith('kubectl apply '));
  return { before: commands.slice(0, update), after: commands.slice(update + 2) };
}

const run = async (commands: readonly string[]) => {
  for (const command of commands) await kubectl(command.split(' ').slice(1));
};

/** Applies the rights alone, as the pods are played here. */
async function applyRights({ namespace, jobs }: Installation): Promise<void> {
  const chart = Testing.chart();
  new SparkOperator(chart, 'operator', { namespace, jobNamespaces: [jobs], replicas: REPLICAS.length });
  await apply(Testing.synth(chart).filter(({ kind }) => /^(Cluster)?Role(Binding)?$/.test(kind)));
}

test('replicas with shards go on without the rights for them if they have these besides, and lose the shards if not', async () => {
  const installation = await install('shards-rights', { shards: SHARDS, replicas: REPLICAS.length });
  const { namespace } = installation;
  const owners = new Owners(namespace, 'spark-operator-controller-lock');
  const lane = Lane.over(installation);
  try {
    const operators = REPLICAS.map((name) => lane.startAs(installation, { flags: TIMES, environment: { POD_NAME: name } }));
    const isLost = ({ msg }: { readonly msg: string }) => msg === 'the Lease is lost; the work is ended';
    await owners.untilSplit(SHARDS, REPLICAS, 30);

    const { before, after } = documented('Turning shards off', namespace);
    await run(before);
    await applyRights(installation);
    await pass(RENEW_DEADLINE_SECONDS * 2_000);
    await owners.untilSplit(SHARDS, REPLICAS);
    expect(operators.flatMap(({ log }) => log.filter(isLost))).toEqual([]);

    await run(after);
    await Promise.all(operators.map((operator) => operator.logged(isLost)));
  } finally {
    await lane.close();
    owners.close();
    await installation.remove();
  }
});
