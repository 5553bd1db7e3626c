import { LineCounter, parseAllDocuments, type Document } from 'yaml';
import { convertDocument } from '../convert/convert';
import { command } from '../command';
import { fileProblem } from '../errors';
import { UsageError } from '../../text/usage-error';
import type { Io } from '../io';
import { filesOf } from '../manifests/checked';
import { FILE_OPTION } from '../manifests/file-option';
import { findingsOf } from '../manifests/findings';
import { manifestKind } from '../manifests/kinds';
import { STDIN, type ManifestObject } from '../manifests/read';
import { titleOf } from '../output/title';
import { Report } from '../manifests/report';
import { Source } from '../manifests/source';
import { KUBECTL_YAML } from '../../text/kubectl-yaml';

/** `sparkctl convert`. */
export default command({
  usage: 'FILE… [options]',
  description: [
    'Converts SparkApplications and ScheduledSparkApplications of sparkoperator.k8s.io/v1beta1 to v1beta2. Comments and',
    'the order of fields stay; objects of other versions or kinds stay unchanged. Fields without a counterpart are',
    'reported, and the result is checked. A FILE can hold several documents; - is the standard input.',
  ].join('\n'),
  options: {
    ...FILE_OPTION,
    write: { short: 'w', help: 'replace each file instead of printing it' },
  },
  examples: [
    ['sparkctl convert pi.yaml', 'print the converted manifest'],
    ['sparkctl convert --write jobs/*.yaml && git diff', 'convert all files of a folder, and show the changes'],
    ['kubectl get sparkapplications.v1beta1.sparkoperator.k8s.io -A -o yaml | sparkctl convert -', 'convert the objects of a cluster'],
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
      const converted = convertText(text, file === STDIN ? '<stdin>' : file, report);
      if (converted === undefined) continue;
      if (!values.write) {
        texts.push(converted);
      } else if (converted !== text) {
        await io.writeFile(file, converted).catch((error: unknown) => report.error({ file }, fileProblem(error)));
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
    report.error({ file }, fileProblem(error));
    return undefined;
  }
}

/**
 * Converts the text of a file to v1beta2. A text without v1beta1 objects stays unchanged, character
 * by character; undefined if it cannot be parsed.
 */
function convertText(text: string, file: string, report: Report): string | undefined {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { ...KUBECTL_YAML, lineCounter: lines }) as Document[];
  const sources = documents.map((document) => new Source(file, document, lines));
  for (const [index, { errors: [error] }] of documents.entries()) {
    if (error) return void report.error(sources[index]!.at(error.pos[0]), `invalid YAML: ${error.message}`);
  }
  let isChanged = false;
  for (const [index, document] of documents.entries()) {
    for (const { base, notes } of convertDocument(document)) {
      isChanged = true;
      const source = base.filter((step) => typeof step === 'number').reduce<Source>((outer, step) => outer.item(step), sources[index]!);
      const object = (base.length === 0
        ? document.toJS()
        : [...base].reduce((value, step) => value[step], document.toJS())) as ManifestObject;
      for (const { severity, field, message } of notes) report[severity](source.place(field), `${titleOf(object)}: ${field} ${message}`);
      if (notes.some(({ severity }) => severity === 'error')) continue;
      const findings = findingsOf(object, manifestKind(object)!);
      for (const { severity, field, message } of findings) {
        report[severity](source.place(field), `${titleOf(object)}: ${severity === 'error' ? 'after the conversion, ' : ''}${message}`);
      }
    }
  }
  return isChanged ? joined(documents) : text;
}

function joined(documents: readonly Document[]): string {
  return documents.map((document, index) => {
    const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
    return index > 0 && !document.directives?.docStart ? `---\n${text}` : text;
  }).join('');
}
