import { Document, LineCounter, parseAllDocuments } from 'yaml';
import { convertDocument, type Conversion } from '../convert/convert';
import { command } from '../command';
import { fileProblem } from '../errors';
import { UsageError } from '../../text/usage-error';
import type { Io } from '../io';
import { filesOf } from '../manifests/checked';
import { FILE_OPTION } from '../manifests/file-option';
import { findingsOf } from '../manifests/findings';
import { manifestKind } from '../manifests/kinds';
import { documentValue, EMPTY, fileName, isKubernetesObject, STDIN, type ManifestObject } from '../manifests/read';
import { titleOf } from '../output/title';
import { Report } from '../manifests/report';
import { Source } from '../manifests/source';
import { KUBECTL_YAML } from '../../text/kubectl-yaml';
import { printable } from '../../text/printable';

/** `sparkctl convert`. */
export default command({
  usage: 'FILE… [options]',
  description: [
    'Converts SparkApplications and ScheduledSparkApplications of sparkoperator.k8s.io/v1beta1, and SparkApplications of',
    'Apache\'s operator (spark.apache.org), to v1beta2. Comments and the order of fields stay; objects of other versions',
    'or kinds stay unchanged. Fields without a counterpart are reported, and the result is checked. A FILE can hold',
    'several documents; - is the standard input.',
  ].join('\n'),
  options: {
    ...FILE_OPTION,
    write: { short: 'w', help: 'replace files without errors instead of printing them' },
  },
  examples: [
    ['sparkctl convert pi.yaml', 'print the converted manifest'],
    ['sparkctl convert --write jobs/*.yaml && git diff', 'convert all files of a folder, and show the changes'],
    ['kubectl get sparkapplications.v1beta1.sparkoperator.k8s.io -A -o yaml | sparkctl convert -', 'convert the objects of a cluster'],
    ['kubectl get sparkapplications.spark.apache.org -o yaml | sparkctl convert -', 'convert applications of Apache\'s operator'],
  ],
  exitCodes: { 1: 'a file or an object could not be converted, or would be rejected; the others were converted' },
  async run(values, words, { io }) {
    const files = filesOf(words);
    if (values.write && files.includes(STDIN)) throw new UsageError('--write: the standard input cannot be replaced; omit one of them');
    const report = new Report(io);
    const texts: string[] = [];
    for (const file of files) {
      const text = await textOf(file, io, report);
      if (text === undefined) continue;
      const before = report.errors;
      const converted = convertText(text, fileName(file), report);
      if (!values.write) {
        if (converted !== undefined) texts.push(converted);
      } else if (report.errors > before) {
        io.stderr(printable(`${file} was not changed, as it has errors.\n`));
      } else if (converted !== undefined && converted !== text) {
        await io.writeFile(file, converted).then(
          () => io.stdout(printable(`${file} converted\n`)), (error: unknown) => report.error({ file }, fileProblem(error)),
        );
      }
    }
    if (texts.length > 0) io.stdout(texts.map((text, index) => (index > 0 && !text.startsWith('---') ? `---\n${text}` : text)).join(''));
    return report.errors > 0 ? 1 : 0;
  },
});

async function textOf(file: string, io: Io, report: Report): Promise<string | undefined> {
  try {
    return await (file === STDIN ? io.readStdin() : io.readFile(file));
  } catch (error) {
    report.error({ file: fileName(file) }, fileProblem(error));
    return undefined;
  }
}

/**
 * Converts the text of a file to v1beta2. A text without objects to convert stays unchanged,
 * character by character; undefined if it cannot be parsed.
 */
function convertText(text: string, file: string, report: Report): string | undefined {
  if (text.trim() === '') return void report.error({ file }, EMPTY);
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { ...KUBECTL_YAML, lineCounter: lines }) as Document[];
  const reported = report.errors;
  for (const document of documents) {
    const source = new Source(file, document, lines);
    const value = documentValue(document, source, report);
    if (value !== undefined) isKubernetesObject(value, source, report);
  }
  if (report.errors > reported) return undefined;
  // A converted document has no positions of fields that are dropped or renamed.
  const written = documents.map((document) => document.clone());
  let isChanged = false;
  const results = documents.flatMap((document, index) => {
    const conversions = convertDocument(document);
    for (const conversion of conversions) {
      isChanged ||= !conversion.isUnchanged;
      const [before, after] = [written[index]!, document].map((each) => sourceAt(conversion.base, new Source(file, each, lines)));
      reportConversion(conversion, document, { before: before!, after: after! }, report);
    }
    return [document, ...conversions.flatMap(({ added }) => added.map((object) => new Document(object, KUBECTL_YAML)))];
  });
  return isChanged ? joined(results) : text;
}

/** Returns the source of an object in a document. @param base its path */
function sourceAt(base: Conversion['base'], document: Source): Source {
  return base.filter((step) => typeof step === 'number').reduce<Source>((outer, step) => outer.item(step), document);
}

/** Reports the notes on a converted object, and its errors and fields without effect. */
function reportConversion(
  { base, notes, isUnchanged }: Conversion, document: Document, { before, after }: { readonly before: Source; readonly after: Source },
  report: Report,
): void {
  const object = [...base].reduce((value, step) => value[step], document.toJS()) as ManifestObject;
  for (const { severity, field, message } of notes) report[severity](before.place(field), `${titleOf(object)}: ${field} ${message}`);
  if (isUnchanged) return;
  const failed = notes.filter(({ severity }) => severity === 'error').map(({ field }) => field);
  for (const { severity, field, message } of findingsOf(object, manifestKind(object)!)) {
    if (failed.some((each) => field === each || field.startsWith(`${each}.`))) continue;
    report[severity](after.place(field), `${titleOf(object)}: ${severity === 'error' ? 'after the conversion, ' : ''}${message}`);
  }
}

function joined(documents: readonly Document[]): string {
  return documents.map((document, index) => {
    const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
    return index > 0 && !document.directives?.docStart ? `---\n${text}` : text;
  }).join('');
}
