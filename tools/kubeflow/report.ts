import { basename } from 'node:path';
import type { KnownException } from './exceptions.ts';

/** The fields of Ginkgo's JSON report that are read here. The report is an array of these. */
export interface SuiteReport {
  readonly SpecialSuiteFailureReasons?: readonly string[] | null;
  readonly SpecReports: readonly SpecReport[] | null;
}

/** One node of the suite: a specification, or what runs before and after all of them. */
export interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly State: string;
  /** Nanoseconds. */
  readonly RunTime: number;
  readonly Failure?: {
    readonly Message: string;
    readonly ForwardedPanic?: string;
    readonly Location?: { readonly FileName: string; readonly LineNumber: number };
  };
}

/** How a specification ended. */
export type Outcome = 'passed' | 'known exception' | 'failed';

/** Result of one specification. */
export interface Result {
  readonly name: string;
  readonly outcome: Outcome;
  readonly seconds: number;
  /** Reason of a failure or an exception. */
  readonly reason?: string;
}

/** Returns the result of each specification. Those that a focus leaves out are not among them. */
export function evaluate(suites: readonly SuiteReport[], exceptions: readonly KnownException[], hasFocus: boolean): Result[] {
  const nodes = suites.flatMap(({ SpecReports }) => SpecReports ?? []);
  const names = new Set(nodes.map(nameOf));
  const failures: Result[] = [
    ...suites.flatMap(({ SpecialSuiteFailureReasons }) => SpecialSuiteFailureReasons ?? []).map((reason) => failure('the suite', reason)),
    ...exceptions.filter(({ specification }) => !names.has(specification)).map(({ specification }) => failure(
      specification, 'the suite has no such specification; remove it from tools/kubeflow/exceptions.ts',
    )),
  ];
  const results = nodes.filter((node) => isReported(node, hasFocus)).map((node) => resultOf(node, exceptions));
  const all = [...results, ...failures];
  return all.length > 0 ? all : [failure('the suite', 'no specification ran')];
}

/** Nodes around the specifications are reported if they fail. A node that the focus leaves out is skipped without a message. */
function isReported({ LeafNodeType, State, Failure }: SpecReport, hasFocus: boolean): boolean {
  if (LeafNodeType !== 'It') return State !== 'passed' && State !== 'skipped';
  return !(hasFocus && State === 'skipped' && !Failure);
}

function nameOf({ ContainerHierarchyTexts, LeafNodeText, LeafNodeType }: SpecReport): string {
  return [...ContainerHierarchyTexts ?? [], LeafNodeText].filter((text) => text !== '').join(' ') || LeafNodeType;
}

function resultOf(node: SpecReport, exceptions: readonly KnownException[]): Result {
  const [name, seconds] = [nameOf(node), node.RunTime / 1e9];
  const exception = exceptions.find(({ specification }) => specification === name);
  const text = [node.Failure?.Message, node.Failure?.ForwardedPanic].filter(Boolean).join('\n');
  if (node.State === 'passed') {
    return exception
      ? { name, outcome: 'failed', seconds, reason: 'passes, but is a known exception: remove it from tools/kubeflow/exceptions.ts and docs/explain/compatibility.md' }
      : { name, outcome: 'passed', seconds };
  }
  if (exception?.failure.test(text)) return { name, outcome: 'known exception', seconds, reason: exception.reason };
  return { name, outcome: 'failed', seconds, reason: `${stateOf(node)}${text}${exception ? '\n(not the failure of the known exception)' : ''}` };
}

/** Returns the place of a failure, with the state if it is another one than `failed`. */
function stateOf({ State, Failure }: SpecReport): string {
  const place = Failure?.Location?.FileName ? [`${basename(Failure.Location.FileName)}:${Failure.Location.LineNumber}`] : [];
  const parts = [...State === 'failed' ? [] : [State], ...place];
  return parts.length === 0 ? '' : `${parts.join(' at ')}: `;
}

function failure(name: string, reason: string): Result {
  return { name, outcome: 'failed', seconds: 0, reason };
}

const [MAX_LINES, MAX_WIDTH] = [12, 200];

/** Formats results, one line each; the reason of a failure follows, shortened. */
export function format(results: readonly Result[]): string {
  const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
  const lines = results.flatMap(({ name, outcome, seconds, reason }) => [
    `${outcome.padEnd(15)} ${seconds.toFixed(1).padStart(6)} s  ${name}${outcome === 'known exception' ? `: ${reason}` : ''}`,
    ...outcome === 'failed' && reason ? shorten(reason).map((line) => `${' '.repeat(27)}${line}`) : [],
  ]);
  return [...lines, `${results.length} specifications: ${count('passed')} passed, ${count('known exception')} known exceptions, ${count('failed')} failed`].join('\n');
}

function shorten(text: string): string[] {
  const lines = text.trimEnd().split('\n').map((line) => (line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1)}…` : line));
  // gomega writes the value first and the expectation last.
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES / 2), '…', ...lines.slice(-MAX_LINES / 2)];
}
