import { command, type Context } from '../command';
import { fileProblem } from '../errors';
import type { Io } from '../io';
import { isSparkApplication, sparkApplicationViolations } from '../manifests/check';
import { filesOf, reportNone, reportUnprocessed } from '../manifests/checked';
import { readManifests, type Manifest } from '../manifests/read';
import { titleOf } from '../output/title';
import { comparePlaces, Report } from '../manifests/report';
import { JSON_LIST, PROPERTIES, YAML } from '../render/native';
import { NotShown, type Output, type Piece } from '../render/output';
import { applicationOf } from '../render/application';
import { OPTIONS, settingsOf, type RenderValues } from '../render/options';
import type { RenderSettings } from '../render/settings';
import { SPARK_SUBMIT } from '../render/spark-submit';
import { planOf, type Submission } from '../render/submission';
import { isError, problemText } from '../../model/problem';
import { SubmissionError } from '../../plan/errors';

/** Output formats by the value of --output. */
const OUTPUTS = {
  'yaml': YAML, 'json': JSON_LIST, 'properties': PROPERTIES, 'spark-submit': SPARK_SUBMIT,
} satisfies Record<RenderValues['output'], Output<any>>;

/** `sparkctl render`: prints the objects that the operator would create, by the operator's code. */
export default command({
  usage: 'FILE… [options]',
  description: [
    'Prints the objects that the operator would create for SparkApplication manifests, by the same code and without a',
    'cluster. A FILE can hold several documents; - is the standard input. Documents of other kinds are skipped. The',
    'manifests are checked first, by the rules of the CRD. The same manifest gives the same output, byte for byte:',
    'values that only a cluster knows have placeholders.',
  ].join('\n'),
  options: OPTIONS,
  examples: [
    ['sparkctl render pi.yaml', 'the objects, in the order in which they are created'],
    ['kubectl get sparkapplication pi -o yaml | sparkctl render - | kubectl diff -f -', 'manual changes since their creation'],
    ['sparkctl render jobs/*.yaml -o properties', 'the Spark properties of each driver'],
    ['sparkctl render pi.yaml -o spark-submit > submit.sh', 'the spark-submit command, as a shell script'],
  ],
  exitCodes: { 1: 'a file or an application could not be rendered; the others were' },
  run,
});

async function run(values: RenderValues, words: readonly string[], { io }: Context): Promise<number> {
  const files = filesOf(words);
  const settings = settingsOf(values);
  const output: Output<unknown> = OUTPUTS[values.output];
  const report = new Report(io);
  const contents: unknown[] = [];
  let applications = 0;
  for await (const manifest of readManifests(files, io, report)) {
    const { object, source } = manifest;
    if (!isSparkApplication(object)) {
      reportUnprocessed(manifest, ['application'], report, false);
      continue;
    }
    applications++;
    const piece = attempt(manifest, report, () => {
      const submission = checkedSubmission(manifest, settings, report);
      return submission && output.render(submission, settings);
    });
    if (!piece) continue;
    const placed = piece.warnings.map((warning) => ({ place: source.place(warning.path), text: problemText(warning) }));
    for (const { place, text } of placed.sort((a, b) => comparePlaces(a.place, b.place))) {
      report.warning(place, `${titleOf(object)}: ${text}`);
    }
    if (await written(piece, io, report)) contents.push(piece.content);
  }
  if (applications === 0 && report.errors === 0) reportNone(files, ['application'], report);
  if (contents.length > 0) io.stdout(output.join(contents));
  return report.errors > 0 ? 1 : 0;
}

/** Returns the result of the work, or undefined once the reason of a failure has been reported. */
function attempt<T>({ object, source }: Manifest, report: Report, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (SubmissionError.is(error)) report.error(source.place(error.field), `${titleOf(object)}: ${error.message}`);
    else if (error instanceof NotShown) report.error(source.place(), `${titleOf(object)}: ${error.message}`);
    else throw error;
    return undefined;
  }
}

function checkedSubmission({ object, source }: Manifest, settings: RenderSettings, report: Report): Submission | undefined {
  const found = sparkApplicationViolations(object);
  for (const violation of found) report.error(source.place(violation.path), `${titleOf(object)}: ${problemText(violation)}`);
  if (found.length > 0) return undefined;
  const rendered = applicationOf(object, settings);
  const { namespace } = rendered.application.metadata;
  if (settings.namespace !== undefined && namespace !== settings.namespace) {
    report.error(
      source.place('metadata.namespace'),
      `${titleOf(object)}: metadata.namespace = "${namespace}" is not ${settings.namespace}, the value of --namespace; omit one of them`,
    );
    return undefined;
  }
  const { problems, submittable } = planOf(rendered, settings);
  for (const problem of problems.filter(isError)) report.error(source.place(problem.path), `${titleOf(object)}: ${problemText(problem)}`);
  if (!submittable) return undefined;
  const { prepared, submission } = submittable;
  if (submission.kind === 'spark-submit') {
    report.warning(
      source.place(),
      `${titleOf(object)}: the operator runs spark-submit for it, in a Pod of its namespace: ${submission.because}`,
    );
  }
  return {
    prepared, placeholders: rendered.placeholders, ...(submission.kind === 'spark-submit' && { bySparkSubmit: submission.because }),
  };
}

/** Writes the files of an output. @returns whether all were written */
async function written({ files = {} }: Piece<unknown>, io: Io, report: Report): Promise<boolean> {
  const before = report.errors;
  for (const [path, text] of Object.entries(files)) {
    await io.writeFile(path, text).catch((error: unknown) => report.error({ file: path }, fileProblem(error)));
  }
  return report.errors === before;
}
