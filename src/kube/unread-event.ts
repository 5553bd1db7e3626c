const TYPES = [Buffer.from('{"type":"MODIFIED","object":{'), Buffer.from('{"type":"ADDED","object":{')];
const RESOURCE_VERSION = Buffer.from('"resourceVersion":"');
const QUOTE = 0x22;

/**
 * Line of a watch event, before its JSON is parsed.
 *
 * Most events that a busy operator receives report its own writes, whose responses it has already
 * read. It recognizes them in the text. The JSON of API servers has no spaces, so
 * `"resourceVersion":"` is a key or the end of one: within a string, the quotes would be escaped.
 */
export class UnreadEvent {
  constructor(private readonly line: Buffer) {}

  /**
   * Resource version of the added or modified object; undefined for all other events. Also
   * undefined if the text has several keys of that name, for example in annotations, labels or
   * templates.
   */
  get resourceVersion(): string | undefined {
    const { line } = this;
    if (!TYPES.some((type) => line.subarray(0, type.length).equals(type))) return undefined;
    const at = line.indexOf(RESOURCE_VERSION);
    const start = at + RESOURCE_VERSION.length;
    if (at < 0 || line.includes(RESOURCE_VERSION, start)) return undefined;
    return line.toString('latin1', start, line.indexOf(QUOTE, start));
  }

  /** Whether the text contains the uid, either of the object or of a reference. */
  mentions(uid: string): boolean {
    return this.line.includes(`"uid":"${uid}"`);
  }
}
