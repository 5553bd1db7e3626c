import { CLUSTER_OPTIONS, SELECTION_OPTIONS } from '../cluster';
import { command, type Context } from '../command';
import type { Options, Values } from '../options';
import { examine } from '../doctor/examine';
import { countsOf, dataOf, textOf } from '../doctor/report';
import { UsageError } from '../../text/usage-error';
import { bundledCrds } from '../setup/bundled';

const OPTIONS = {
  ...CLUSTER_OPTIONS,
  'namespace': { short: 'n', value: 'NAME', help: "namespace of applications to look at (default: those of the operator's flags)" },
  'all-namespaces': { ...SELECTION_OPTIONS['all-namespaces'], help: 'look at the applications of all namespaces' },
  'operator-namespace': { value: 'NAME', help: 'namespace of the operator (default: wherever there is one)' },
  'output': { short: 'o', value: 'FORMAT', choices: ['json', 'yaml'], help: 'for scripts, in place of what people read' },
} as const satisfies Options;

/** `sparkctl doctor`. */
export const doctor = command({
  usage: '[options]',
  description: [
    'Looks for what keeps applications from running: cluster, nodes, CRDs, operator, rights, webhook, service accounts,',
    'quotas, images, and applications that do not go on. Of each it says how it is and what to do. It changes nothing:',
    'the webhook is tried by a dry run. It reports what the user cannot read.',
  ].join('\n'),
  options: OPTIONS,
  examples: [
    ['sparkctl doctor', 'why nothing runs'],
    ['sparkctl doctor -n team-a', 'the same for one namespace'],
    ["sparkctl doctor -o json | jq '.findings[] | select(.level == \"error\")'", 'what is wrong, for a script'],
  ],
  exitCodes: { 0: 'there are no errors, though there may be warnings, and things that the user cannot read', 1: 'there are errors, or the cluster has not given an answer' },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], { connect, io, now, signal, terminal, version }: Context): Promise<number> {
  if (words.length > 0) throw new UsageError(`doctor takes no ${words[0]}; write --namespace=${words[0]} for the applications there`);
  if (values['all-namespaces'] && values.namespace !== undefined) throw new UsageError('-A is all namespaces, and -n one of them; leave one of the two out');
  const { client, connection, namespace } = await connect(values);
  const findings = await examine({
    client,
    server: connection.server,
    namespaces: values['all-namespaces'] ? 'all' : values.namespace === undefined ? undefined : [values.namespace],
    current: namespace,
    operatorNamespace: values['operator-namespace'],
    version,
    crds: await bundledCrds(),
    now: now(),
    signal,
  });
  io.stdout(values.output === undefined ? textOf(findings, terminal) : dataOf(findings, values.output));
  return countsOf(findings).error > 0 ? 1 : 0;
}
