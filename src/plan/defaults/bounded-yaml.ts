import { Composer, CST, isScalar, Lexer, LineCounter, Parser, visit, type Document } from 'yaml';
import { KUBECTL_YAML } from '../../text/kubectl-yaml';

/** Maximum size of a file, in KiB. The time to parse it grows with its size. */
export const MAX_FILE_KIB = 32;

/** Maximum depth of maps and lists in each other. The library composes them by recursion. */
export const MAX_DEPTH = 32;

/**
 * Maximum number of tokens: names, values, indicators, spaces and line ends.
 *
 * A line such as `a: b` has seven, so that 32 KiB of usual lines have fewer.
 */
export const MAX_TOKENS = 10_000;

/** The value of a file, undefined for an empty one, or the problem as the rest of a sentence. */
export type BoundedYaml = { readonly value: unknown; readonly problem?: undefined } | { readonly problem: string };

/**
 * Parses one document of YAML or JSON from a tenant: within the limits above, without anchors and
 * aliases.
 */
export function parseBoundedYaml(text: string): BoundedYaml {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_FILE_KIB * 1024) {
    return { problem: `has ${bytes} bytes, more than the limit of ${MAX_FILE_KIB} KiB; keep what all applications need` };
  }
  const lines = new LineCounter();
  const at = (offset: number) => `(line ${lines.linePos(offset).line})`;
  try {
    // The library compares each key with every other, so this file checks for duplicates.
    const composer = new Composer({ ...KUBECTL_YAML, uniqueKeys: false });
    // The library collects all errors, which takes ten times as long as parsing a valid text.
    let first: Refusal | undefined;
    const onError = (source: ErrorSource, _: unknown, message: string, isWarning?: boolean): void => {
      // The library catches an error in a scalar, and reports it again.
      if (!isWarning) throw first ??= new Refusal(`is not YAML: ${message}`, offsetOf(source));
    };
    Object.assign(composer, { onError });
    const [document, second] = composer.compose(boundedTokens(text, lines));
    if (second) return { problem: 'has several documents; write one' };
    if (!document) return { value: undefined };
    const [error] = document.errors;
    if (error) return { problem: `is not YAML: ${error.message} ${at(error.pos[0])}` };
    const duplicate = duplicateKey(document);
    return duplicate === undefined ? { value: document.toJS() } : { problem: `is not YAML: Map keys must be unique ${at(duplicate)}` };
  } catch (error) {
    return { problem: error instanceof Refusal ? `${error.message} ${at(error.offset)}` : `is not YAML: ${(error as Error).message}` };
  }
}

/** The position of the composer's error. */
type ErrorSource = number | readonly [number, number, ...number[]] | { readonly offset: number };

function offsetOf(source: ErrorSource): number {
  if (typeof source === 'number') return source;
  return 'offset' in source ? source.offset : source[0];
}

/** The reason to stop reading a text. */
class Refusal extends Error {
  constructor(message: string, readonly offset: number) {
    super(message);
  }
}

/**
 * Splits a text into documents. The parser has its own stack: it reports the depth before the
 * composer recurses.
 */
function* boundedTokens(text: string, lines: LineCounter): Generator<CST.Token, void> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let isText = false;
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const { offset } = parser;
    if (++tokens > MAX_TOKENS) throw new Refusal(`has more than ${MAX_TOKENS} tokens; write fewer keys and values`, offset);
    const type = isText ? 'scalar' : CST.tokenType(lexeme);
    // The lexer announces a plain or block text, which can begin with any character.
    isText = !isText && lexeme === CST.SCALAR;
    if (type === 'anchor' || type === 'alias') {
      const what = type === 'anchor' ? 'an anchor (&)' : 'an alias (*)';
      const remedy = `repeat the value, or write quotes around a text that begins with ${lexeme[0]}`;
      throw new Refusal(`has ${what}, which is not allowed; ${remedy}`, offset);
    }
    for (const token of parser.next(lexeme)) {
      // The composer's time is quadratic in the number of errors.
      if (token.type === 'error') throw new Refusal(`is not YAML: ${token.message}`, token.offset);
      yield token;
    }
    if (depthOf(parser.stack) > MAX_DEPTH) {
      throw new Refusal(`is nested deeper than the limit of ${MAX_DEPTH} levels; write fewer levels`, offset);
    }
  }
  yield* parser.end();
}

function depthOf(stack: readonly CST.Token[]): number {
  return stack.length <= MAX_DEPTH ? 0 : stack.filter((token) => 'items' in token).length;
}

/** Finds the offset of a key that its map already has. */
function duplicateKey(document: Document.Parsed): number | undefined {
  let found: number | undefined;
  visit(document, {
    Map: (_, { items }) => {
      const keys = new Set();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) {
          found = key.range![0];
          return visit.BREAK;
        }
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}
