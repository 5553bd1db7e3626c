import { CLUSTER_OPTIONS, type Cluster } from '../cluster';
import { command } from '../command';
import { filesOf, readKinds, reportFindings, type KnownManifest } from '../manifests/checked';
import { reportElsewhere } from '../manifests/elsewhere';
import { FILE_OPTION } from '../manifests/file-option';
import { reportRepeated } from '../manifests/repeated';
import { titleOf } from '../output/title';
import { Report, type Place, type Severity } from '../manifests/report';
import { refusal } from '../manifests/send';
import { problemText } from '../problem';

/** `sparkctl validate`. */
export default command({
  usage: 'FILE… [options]',
  description: [
    'Checks SparkApplications, ScheduledSparkApplications and SparkConnects in manifests by the rules of the CRDs and of',
    'the operator: fields, pod templates, schedules, sizes, Spark properties. It needs no cluster. A cluster can reject',
    'more: its quotas, policies and webhooks are asked with --server only. A FILE can hold several documents; - is the',
    'standard input. Documents of other kinds are skipped. Values of wrong types come first: once they are corrected,',
    'the other rules are checked.',
  ].join('\n'),
  options: {
    ...FILE_OPTION,
    ...CLUSTER_OPTIONS,
    server: { help: 'also validate in a cluster, with its webhooks, without changes' },
    output: { short: 'o', value: 'FORMAT', choices: ['text', 'json'], default: 'text', help: 'output format' },
  },
  examples: [
    ['sparkctl validate jobs/*.yaml', 'before a commit, or in CI: prints each error with file, line and column'],
    ['kubectl get sparkapplications -A -o yaml | sparkctl validate -', 'objects of a cluster that this operator would reject'],
    ['sparkctl validate pi.yaml --server', 'also check quotas, policies and webhooks of a cluster'],
    ['sparkctl validate jobs/*.yaml -o json', 'for a program'],
  ],
  exitCodes: { 1: 'there are errors; warnings do not matter' },
  async run(values, words, { connect, io, signal }) {
    const files = filesOf(words);
    const messages: Message[] = [];
    const report = new Report(
      io, values.output === 'json' ? (place, severity, message) => messages.push({ ...place, severity, message }) : undefined,
    );
    const manifests = await readKinds(files, ['application', 'schedule', 'connect'], io, report);
    const valid = manifests.filter((manifest) => {
      const before = report.errors;
      reportFindings(manifest, report);
      reportElsewhere(manifest, values.namespace, report);
      return report.errors === before;
    });
    reportRepeated(manifests, values.namespace, report);
    if (values.server && valid.length > 0) await askServer(valid, await connect(values), report, signal);
    const isValid = report.errors === 0;
    if (values.output === 'json') {
      io.stdout(`${JSON.stringify({ valid: isValid, objects: manifests.length, messages }, undefined, 2)}\n`);
    } else if (isValid) {
      io.stdout(`${manifests.length} checked: no errors.\n`);
    }
    return isValid ? 0 : 1;
  },
});

interface Message extends Place {
  readonly severity: Severity;
  readonly message: string;
}

async function askServer(manifests: readonly KnownManifest[], cluster: Cluster, report: Report, signal: AbortSignal): Promise<void> {
  for (const manifest of manifests) {
    const error = await refusal(manifest, cluster, signal);
    if (error === undefined) continue;
    const problem = problemText(error);
    if (problem === undefined) throw error;
    report.error(manifest.source.place(), `${titleOf(manifest.object)}: the cluster rejects it: ${problem}`);
  }
}
