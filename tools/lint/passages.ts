/* Splits a file into passages, the units that the rules are applied to: a paragraph or a table cell of Markdown, a comment, a text. */
import ts from 'typescript';

/** Prose without line breaks and marks of comments, and the lines that it comes from. */
export interface Passage {
  /** `prose`: a paragraph, item or heading of Markdown, or a comment. `cell`: of a table. `text`: of a program, or a line of code. */
  readonly kind: 'prose' | 'cell' | 'text';
  readonly text: string;
  /** Returns the line of a character of `text`, from 1 on. */
  readonly lineOf: (offset: number) => number;
}

/** A part of a line. */
interface Piece {
  readonly line: number;
  readonly text: string;
}

/** Texts that are shorter are mostly keys. */
const SHORTEST = 12;

/** Returns the passages of a file, by the ending of its name. Names without an ending are those of shell scripts. */
export function passagesOf(source: string, name: string): Passage[] {
  if (name.endsWith('.md')) return passagesOfMarkdown(source);
  return /\.m?tsx?$/.test(name) ? passagesOfCode(source, name) : passagesOfScript(source);
}

/** Returns the paragraphs, list items, headings and table cells, with `X` in place of code; of blocks of code each line. */
export function passagesOfMarkdown(source: string): Passage[] {
  const passages: Passage[] = [];
  let paragraph: Piece[] = [];
  let fence = false;
  const end = () => {
    if (paragraph.length > 0) passages.push(joined('prose', paragraph));
    paragraph = [];
  };
  source.split('\n').forEach((content, index) => {
    const line = index + 1;
    const text = content.trim();
    const isFence = text.startsWith('```');
    if (isFence) fence = !fence;
    const isAlone = fence || isFence || text === '' || text.startsWith('#');
    if (isAlone || text.startsWith('|') || /^(?:[-*>]|\d+\.)\s/.test(text)) end();
    if (fence) passages.push(joined('text', [{ line, text: text.replace(/^(?:#|\/\/)\s+/, '') }]));
    else if (isAlone) passages.push(joined('prose', [{ line, text: plain(text) }]));
    else if (text.startsWith('|')) passages.push(...cellsOf(text).map((cell) => joined('cell', [{ line, text: cell }])));
    else paragraph.push({ line, text: `${plain(text)} ` });
  });
  end();
  return passages.filter(({ text }) => text !== '');
}

function cellsOf(row: string): string[] {
  return plain(row).split(/(?<!\\)\|/).map((cell) => cell.trim());
}

/** Returns a line of Markdown without its marks, images, and the addresses of links. */
function plain(line: string): string {
  const withoutAddresses = line.replace(/`[^`]+`/g, 'X').replace(/!\[[^\]]*\]\([^)]*\)/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return withoutAddresses.replace(/^(?:[-*>#]+|\d+\.)\s+|\*\*/g, '');
}

/**
 * Returns the comments, the texts in quotes, and the texts between tags, of TypeScript. The parts of a concatenation are one text; the
 * substitutions of a template have texts of their own.
 */
function passagesOfCode(source: string, name: string): Passage[] {
  const file = ts.createSourceFile(name.endsWith('.tsx') ? 'a.tsx' : 'a.ts', source, ts.ScriptTarget.Latest, true);
  const passages = commentsOf(file);
  const visit = (node: ts.Node, isPart = false) => {
    const pieces = piecesOf(node, file);
    const isLong = ts.isJsxText(node) || (pieces?.map(({ text }) => text).join('').length ?? 0) >= SHORTEST;
    if (pieces && isLong && !isPart) passages.push(joined('text', pieces));
    ts.forEachChild(node, (child) => visit(child, pieces !== undefined && isText(child)));
  };
  visit(file);
  return passages;
}

/** Whether a node is a text, or the concatenation of texts. */
function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || isSum(node);
}

function isSum(node: ts.Node): node is ts.BinaryExpression {
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken && (isText(node.left) || isText(node.right));
}

/** Returns the lines of a text, with `X` in place of what is put in; `undefined` for other nodes. */
function piecesOf(node: ts.Node, file: ts.SourceFile): Piece[] | undefined {
  const lineOf = (offset: number) => file.getLineAndCharacterOfPosition(offset).line + 1;
  if (isSum(node)) {
    return [node.left, node.right].flatMap((side) => piecesOf(side, file) ?? [{ line: lineOf(side.getStart()), text: 'X' }]);
  }
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.flatMap(({ expression, literal }) => (
      [{ line: lineOf(expression.getStart()), text: 'X' }, ...linesOfText(literal, file)]
    ));
    return [...linesOfText(node.head, file), ...spans];
  }
  return ts.isStringLiteralLike(node) || ts.isJsxText(node) ? linesOfText(node, file) : undefined;
}

/** Returns the lines of a text in the source, without its quotes and escapes. */
function linesOfText(node: ts.Node, file: ts.SourceFile): Piece[] {
  const start = ts.isJsxText(node) ? node.getFullStart() : node.getStart();
  const raw = file.text.slice(start, node.getEnd());
  const text = ts.isJsxText(node) ? raw : raw.replace(/^[`'"}]|(?:[`'"]|\$\{)$/g, '').replace(/\\n/g, ' ').replace(/\\(.)/g, '$1');
  return linesOf(text, file.getLineAndCharacterOfPosition(start).line + 1);
}

/** Returns the comments; those that follow each other in whole lines are one. */
function commentsOf(file: ts.SourceFile): Passage[] {
  const source = file.text;
  const comments: Piece[][] = [];
  let last = { line: 0, isWhole: false };
  for (const [start, end] of rangesOfComments(file)) {
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    const isWhole = source.slice(source.lastIndexOf('\n', start) + 1, start).trim() === '';
    if (source.startsWith('//', start)) {
      const piece = { line, text: `${source.slice(start + 2, end).trim()} ` };
      if (isWhole && last.isWhole && last.line === line - 1) comments.at(-1)!.push(piece);
      else comments.push([piece]);
      last = { line, isWhole };
    } else {
      comments.push(...paragraphs(linesOf(source.slice(start, end).replace(/\*+\/$/, ''), line).map(withoutStars)));
    }
  }
  return comments.map((pieces) => joined('prose', pieces));
}

function withoutStars({ line, text }: Piece): Piece {
  return { line, text: `${text.replace(/^\s*\/?\*+ ?/, '').trim()} ` };
}

/** Returns the places of the comments: they are between the tokens. */
function rangesOfComments(file: ts.SourceFile): (readonly [start: number, end: number])[] {
  const found = new Map<number, number>();
  const visit = (node: ts.Node) => {
    if (ts.isJsxText(node)) return;
    ts.getLeadingCommentRanges(file.text, node.getFullStart())?.forEach(({ pos, end }) => found.set(pos, end));
    ts.getTrailingCommentRanges(file.text, node.getEnd())?.forEach(({ pos, end }) => found.set(pos, end));
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  return [...found].sort(([a], [b]) => a - b);
}

/** Splits a comment at its empty lines and before its tags. */
function paragraphs(pieces: readonly Piece[]): Piece[][] {
  const found: Piece[][] = [[]];
  for (const piece of pieces) {
    if (piece.text === ' ' || piece.text.startsWith('@')) found.push([]);
    if (piece.text !== ' ') found.at(-1)!.push({ ...piece, text: piece.text.replace(/^@\w+ /, '') });
  }
  return found.filter((paragraph) => paragraph.length > 0);
}

/** Returns the comments and the texts in quotes of a shell script, Python, Scala or YAML. */
function passagesOfScript(source: string): Passage[] {
  return source.split('\n').flatMap((text, index) => {
    const comment = /^\s*(?:#|\/\/|\*|\/\*\*?)\s?(.*)$/.exec(text)?.[1] ?? /(?<=\s#\s).*$/.exec(text)?.[0];
    const texts = [comment, ...text.match(/'[^']{12,}'|"[^"]{12,}"|(?<=:\s)[A-Z][^'"]{11,}$/g) ?? []];
    return texts.flatMap((found) => found === undefined ? [] : [joined('text', [{ line: index + 1, text: found.replace(/^['"]/, '') }])]);
  });
}

function linesOf(text: string, first: number): Piece[] {
  const lines = text.split('\n');
  return lines.map((content, index) => {
    const trimmed = index === 0 ? content : content.trimStart();
    return { line: first + index, text: index === lines.length - 1 ? trimmed : `${trimmed} ` };
  });
}

function joined(kind: Passage['kind'], pieces: readonly Piece[]): Passage {
  let length = 0;
  const starts = pieces.map(({ text }) => {
    length += text.length;
    return length - text.length;
  });
  const text = pieces.map((piece) => piece.text).join('').trimEnd();
  const blanks = text.length - text.trimStart().length;
  return { kind, text: text.trimStart(), lineOf: (offset) => pieces[starts.findLastIndex((start) => start <= offset + blanks)]!.line };
}
