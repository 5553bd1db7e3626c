import { isAlias, isCollection, isMap, isNode, isScalar, isSeq, type Document, type LineCounter, type Node } from 'yaml';
import type { Place } from './report';

/** Where an object is written. */
export class Source {
  /**
   * @param file as the user named it
   * @param document what it is part of
   * @param lines of the file
   * @param base the object in the document; default: the whole
   */
  public constructor(private readonly file: string, private readonly document: Document, private readonly lines: LineCounter, private readonly base: readonly Segment[] = []) {}

  /** The source of one of the items of a list. */
  public item(index: number): Source {
    return new Source(this.file, this.document, this.lines, [...this.base, 'items', index]);
  }

  /** Where a field is written; if it is not, where it would have to be. Default: the object. */
  public place(field = ''): Place {
    const offset = offsetOf(this.document, [...this.base, ...segments(field)]);
    return offset === undefined ? { file: this.file } : this.at(offset);
  }

  /** The line and column of a character of the file. */
  public at(offset: number): Place {
    const { line, col } = this.lines.linePos(offset);
    return { file: this.file, line, column: col };
  }
}

type Segment = string | number;

/**
 * The steps of a path as violations and submission errors write it, such as `spec.deps.jars[0]`, `spec.sparkConf["spark.master"]` and
 * `spec.sparkConf[spark.master]`.
 */
function segments(path: string): Segment[] {
  return [...path.matchAll(/[^.[\]]+|\[("(?:[^"\\]|\\.)*"|[^\]]*)\]/g)].map(([word, inBrackets]) => {
    if (inBrackets === undefined) return word;
    if (/^\d+$/.test(inBrackets)) return Number(inBrackets);
    return inBrackets.startsWith('"') ? JSON.parse(inBrackets) as string : inBrackets;
  });
}

/** Where the last step begins that is there. */
function offsetOf(document: Document, path: readonly Segment[]): number | undefined {
  let node: Node | undefined = document.contents ?? undefined;
  let offset = node?.range?.[0];
  for (const segment of path) {
    if (isAlias(node)) node = node.resolve(document);
    const next = isCollection(node) ? child(node, segment) : undefined;
    if (!next) break;
    node = next.value;
    offset = next.offset ?? offset;
  }
  return offset;
}

function child(node: Node, segment: Segment): { readonly value: Node | undefined; readonly offset: number | undefined } | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(segment)];
    return isNode(item) ? { value: item, offset: item.range?.[0] } : undefined;
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
  if (!pair) return undefined;
  return { value: isNode(pair.value) ? pair.value : undefined, offset: isNode(pair.key) ? pair.key.range?.[0] : undefined };
}
