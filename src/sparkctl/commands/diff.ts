import { CLUSTER_OPTIONS, type Cluster } from '../cluster';
import { command, type Context } from '../command';
import type { Values } from '../options';
import { reportFindings, filesOf, readKinds, type KnownManifest } from '../manifests/checked';
import { FILE_OPTION } from '../manifests/file-option';
import { reportElsewhere } from '../manifests/elsewhere';
import { reportRejection } from '../manifests/rejection';
import { reportRepeated } from '../manifests/repeated';
import { Report } from '../manifests/report';
import { applied } from '../manifests/send';
import { masked } from '../output/masked';
import { titleOf } from '../output/title';
import { userPartOf } from '../output/user-part';
import { ApiError } from '../../kube/errors';
import type { KubeObject } from '../../kube/objects';
import { painter, type Colour, type Paint } from '../../text/colours';
import { printable } from '../../text/printable';
import { unifiedDiff } from '../../text/unified-diff';
import { yamlText } from '../../text/yaml';

const OPTIONS = {
  ...FILE_OPTION,
  ...CLUSTER_OPTIONS,
  'force-conflicts': { help: 'show also the changes of fields of other managers, as `sparkctl apply --force-conflicts` makes them' },
} as const;

/** Exit codes, as of kubectl diff. */
const [SAME, DIFFERENT, FAILED] = [0, 1, 2] as const;

/** `sparkctl diff`. */
export default command({
  usage: 'FILE… [options]',
  description: [
    'Prints what `sparkctl apply` would change, as a unified diff of each object in the cluster and of the result of a',
    'server-side dry run, with the defaults of the CRDs and the changes of webhooks. It changes nothing. The status and',
    'metadata of the API server are omitted, and *** replaces secrets, such as the values of environment variables. A FILE can',
    'hold several documents; - is the standard input. Documents of other kinds are skipped.',
  ].join('\n'),
  options: OPTIONS,
  examples: [
    ['sparkctl diff -f pi.yaml', 'what apply would change'],
    ['sparkctl diff jobs/*.yaml -n etl && echo "nothing to apply"', 'in a script, by the exit code'],
  ],
  failureCode: FAILED,
  exitCodes: {
    [SAME]: 'there are no differences',
    [DIFFERENT]: 'there are differences',
    [FAILED]: 'a file has an error, the cluster rejects an object, or the command line is wrong',
  },
  run,
});

async function run(values: Values<typeof OPTIONS>, words: readonly string[], context: Context): Promise<number> {
  const { connect, io, terminal } = context;
  const report = new Report(io);
  const manifests = await readKinds(filesOf(words), ['application', 'schedule', 'connect'], io, report);
  for (const manifest of manifests) {
    reportFindings(manifest, report);
    reportElsewhere(manifest, values.namespace, report);
  }
  reportRepeated(manifests, values.namespace, report);
  if (report.errors > 0) {
    io.stderr('Nothing was compared.\n');
    return FAILED;
  }
  const cluster = await connect(values);
  const paint = painter(terminal);
  let code: number = SAME;
  for (const manifest of manifests) {
    const lines = await differences(manifest, cluster, values['force-conflicts'], report, context);
    if (lines.length > 0) code = DIFFERENT;
    io.stdout(lines.map((line) => `${coloured(line, paint)}\n`).join(''));
  }
  return report.errors > 0 ? FAILED : code;
}

/** Returns the lines of the diff of one object; none if it is equal, or after a reported error. */
async function differences(
  manifest: KnownManifest, cluster: Cluster, force: boolean, report: Report, { signal }: Pick<Context, 'signal'>,
): Promise<string[]> {
  try {
    const { before, object } = await applied(manifest, cluster, { dryRun: true, force, signal });
    const lines = unifiedDiff(before === undefined ? '' : textOf(before), textOf(object, before));
    const title = titleOf({ ...manifest.object, metadata: object.metadata });
    return lines.length === 0 ? [] : [`--- ${title}${before ? '' : ' (does not exist)'}`, `+++ ${title} (applied)`, ...lines];
  } catch (error) {
    // An error that does not depend on this object would also affect the others.
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    reportRejection(error, manifest, report);
    return [];
  }
}

/**
 * Returns the text to compare. It contains no secrets, as jobs print it into their logs.
 *
 * @param before previous version, for the masked values that differ @default - none
 */
function textOf(object: KubeObject, before?: KubeObject): string {
  return yamlText(masked(userPartOf(object), before && userPartOf(before)));
}

const COLOURS: readonly (readonly [start: string, colour: Colour])[] = [
  ['---', 'bold'], ['+++', 'bold'], ['@@', 'cyan'], ['-', 'red'], ['+', 'green'],
];

function coloured(line: string, paint: Paint): string {
  const colour = COLOURS.find(([start]) => line.startsWith(start))?.[1];
  return colour ? paint(printable(line), colour) : printable(line);
}
