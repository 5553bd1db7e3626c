import { isAlias, isCollection, isMap, isNode, isScalar, isSeq, type Document, type LineCounter, type Node } from 'yaml';
import type { Place } from './report';

/** Position of an object in a file. */
export class Source {
  /**
   * @param file name of the file on the command line
   * @param document document that contains the object
   * @param lines line numbers of the file
   * @param base path of the object in the document @default - the whole document
   */
  public constructor(
    private readonly file: string, private readonly document: Document, private readonly lines: LineCounter,
    private readonly base: readonly Segment[] = [],
  ) {}

  /** Language of the file, for messages. */
  public get language(): 'JSON' | 'YAML' {
    return this.file.endsWith('.json') ? 'JSON' : 'YAML';
  }

  /** Returns the source of an item of a list. */
  public item(index: number): Source {
    return new Source(this.file, this.document, this.lines, [...this.base, 'items', index]);
  }

  /**
   * Returns the position of a field; for a missing field that of its nearest parent.
   *
   * @param field
   * @default - the object
   */
  public place(field = ''): Place {
    const offset = offsetOf(this.document, [...this.base, ...segments(field)]);
    return offset === undefined ? { file: this.file } : this.at(offset);
  }

  /** Returns the line and column of an offset in the file. */
  public at(offset: number): Place {
    const { line, col } = this.lines.linePos(offset);
    return { file: this.file, line, column: col };
  }
}

type Segment = string | number;

/** Splits the path of a problem, such as `spec.deps.jars[0]` or `spec.sparkConf[spark.master]`. */
function segments(path: string): Segment[] {
  return [...path.matchAll(/[^.[\]]+|\[([^\]]*)\]/g)].map(([word, inBrackets]) => {
    if (inBrackets === undefined) return word;
    return /^\d+$/.test(inBrackets) ? Number(inBrackets) : inBrackets;
  });
}

/** Returns the offset of the last segment of a path that exists. */
function offsetOf(document: Document, path: readonly Segment[]): number | undefined {
  let node: Node | undefined = document.contents ?? undefined;
  let offset = node?.range?.[0];
  for (const [index, segment] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    // The API server writes keys with dots, such as those of Spark properties, without quotes.
    const next = isCollection(node) ? child(node, segment) ?? child(node, path.slice(index).join('.')) : undefined;
    if (!next) break;
    node = next.value;
    offset = next.offset ?? offset;
  }
  return offset;
}

function child(node: Node, segment: Segment): { readonly value: Node | undefined; readonly offset: number | undefined } | undefined {
  if (isSeq(node)) {
    // The API server names items of some lists by a field, such as `[name="data"]`.
    const [, name, value] = /^(\w+)="(.*)"$/.exec(String(segment)) ?? [];
    const item = name === undefined ? node.items[Number(segment)] : node.items.find((each) => isMap(each) && each.get(name) === value);
    return isNode(item) ? { value: item, offset: item.range?.[0] } : undefined;
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(segment));
  if (!pair) return undefined;
  return { value: isNode(pair.value) ? pair.value : undefined, offset: isNode(pair.key) ? pair.key.range?.[0] : undefined };
}
