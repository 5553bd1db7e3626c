import { CLUSTER_OPTIONS, SELECTION_OPTIONS } from '../cluster';
import { command } from '../command';
import { examine } from '../doctor/examine';
import { countsOf, dataOf, omittedText, textOf } from '../doctor/report';
import { UsageError } from '../../text/usage-error';
import { bundledCrds } from '../setup/bundled';

/** `sparkctl doctor`. */
export default command({
  usage: '[options]',
  description: [
    'Finds problems that prevent applications from running: of the cluster, nodes, CRDs, operator, permissions, webhook,',
    'service accounts, quotas, images and schedules, and stuck applications, with the time after which the operator gives',
    'up on them.',
    'It prints each finding with its remedy, problems first. It changes nothing: it tests the webhook by a dry run. It',
    'reports objects that the user cannot read.',
    '',
    'JSON and YAML have findings, each with check, level (error, warning, ok, not allowed), message and often remedy,',
    'object (kind, namespace, name), applications and connects (namespace/name); and counts by level (error, warning,',
    'ok, notAllowed).',
  ].join('\n'),
  options: {
    ...CLUSTER_OPTIONS,
    'namespace': { short: 'n', value: 'NAME', help: "namespace of the applications and schedules to check (default: those of the operator's flags)" },
    'all-namespaces': { ...SELECTION_OPTIONS['all-namespaces'], help: 'check the applications and schedules of all namespaces' },
    'operator-namespace': { value: 'NAME', help: 'namespace of the operator (default: search all namespaces)' },
    'quiet': { short: 'q', help: 'only problems; nothing if there are none' },
    'output': { short: 'o', value: 'FORMAT', choices: ['json', 'yaml'], help: 'output format for scripts' },
  },
  examples: [
    ['sparkctl doctor', 'why nothing runs'],
    ['sparkctl doctor -n team-a', 'the same for one namespace'],
    ['sparkctl doctor -A --quiet', 'only the problems of the whole cluster'],
    ["sparkctl doctor -o json | jq -r '.findings[] | select(.level == \"error\") | .message'", 'what is wrong, for a script'],
  ],
  exitCodes: {
    0: 'there are no errors, but possibly warnings, and objects that the user cannot read',
    1: 'there are errors, or the cluster does not answer',
  },
  async run(values, words, { connect, io, now, signal, terminal, version }) {
    if (words.length > 0) throw new UsageError(`doctor takes no ${words[0]}; write --namespace=${words[0]} for the applications there`);
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
    io.stdout(values.output === undefined ? textOf(findings, terminal, values.quiet) : dataOf(findings, values.output, values.quiet));
    if (values.quiet) io.stderr(omittedText(findings));
    return countsOf(findings).error > 0 ? 1 : 0;
  },
});
