import type { KubeObject } from '../../kube/objects';
import { printable } from '../../text/printable';
import { findingsOf } from '../manifests/findings';
import { readManifests, type ManifestObject } from '../manifests/read';
import { Report } from '../manifests/report';
import type { KindName } from '../target';

/** Width of the comment, in columns. */
const WIDTH = 100;

/** Returns the comment on top of the text for an editor. @param problems of the edited text */
export function commentOf(title: string, problems: readonly string[]): string {
  const lines = problems.length === 0
    ? [
      `${title}: save the changes and end the editor to send them. An unchanged or empty file changes nothing.`,
      'A changed spec stops the current run of an application, and runs it again.',
    ]
    : ['Nothing was changed yet. Correct this, or save an unchanged or empty file to give up:', ...problems];
  return lines.flatMap((line) => printable(line).split('\n')).flatMap((line) => wrapped(line)).map((line) => `# ${line}\n`).join('');
}

function wrapped(line: string): string[] {
  return line.match(new RegExp(`.{1,${WIDTH}}(?:\\s|$)|\\S+`, 'g'))?.map((part) => part.trimEnd()) ?? [];
}

/** Returns a text without the comment on top. */
export function withoutComment(text: string): string {
  return text.replace(/^(?:#.*(?:\r?\n|$))*/, '');
}

/** Problem of an edited text. */
export interface TextProblem {
  readonly message: string;
  /** Line of the text without the comment on top. @default - the message names a field */
  readonly line?: number;
}

/** Returns the messages of problems with their lines in the file, which begins with the comment. */
export function messagesOf(title: string, problems: readonly TextProblem[]): readonly string[] {
  const below = (above: number) => problems.map(({ line, message }) => (line === undefined ? message : `line ${line + above}: ${message}`));
  // A line number adds no line to the comment: the first guess has as many digits.
  return below(commentOf(title, below(10)).split('\n').length - 1);
}

/** Object of an edited text, or the reasons why it cannot be sent. */
export type Edited = { readonly object: KubeObject } | { readonly problems: readonly TextProblem[] };

/**
 * Reads and checks an edited text. Problems that the object had before do not matter: they are not
 * of the user who edits it.
 */
export async function editedObject(text: string, original: KubeObject, kind: KindName): Promise<Edited> {
  const problems: TextProblem[] = [];
  const report = new Report({ stderr: () => {} }, ({ line }, _, message) => problems.push({ line, message }));
  const found: ManifestObject[] = [];
  for await (const { object } of readManifests(['text'], { readFile: async () => text, readStdin: async () => text }, report)) found.push(object);
  const [object] = found;
  if (problems.length > 0) return { problems };
  if (!object || found.length > 1) return { problems: [{ message: `the text has ${found.length} objects; write one` }] };
  const edited = object as ManifestObject & KubeObject;
  const fixed = fixedProblems(edited, original);
  if (fixed.length > 0) return { problems: fixed.map((message) => ({ message })) };
  const before = new Set(errorsOf(original as KubeObject & ManifestObject, kind));
  const added = errorsOf(edited, kind).filter((message) => !before.has(message));
  return added.length > 0 ? { problems: added.map((message) => ({ message })) } : { object: edited };
}

function errorsOf(object: ManifestObject, kind: KindName): string[] {
  return findingsOf(object, kind).filter(({ severity }) => severity === 'error').map(({ message }) => message);
}

/** Returns the problems of fields that name the object. */
function fixedProblems({ apiVersion, kind, metadata }: KubeObject, original: KubeObject): string[] {
  const given: Partial<KubeObject['metadata']> = metadata ?? {};
  return ([
    ['apiVersion', apiVersion, original.apiVersion],
    ['kind', kind, original.kind],
    ['metadata.name', given.name, original.metadata.name],
    ['metadata.namespace', given.namespace, original.metadata.namespace],
  ] as const).filter(([, value, wanted]) => value !== wanted).map(([field, , wanted]) => `${field} cannot be changed: write ${wanted}`);
}
