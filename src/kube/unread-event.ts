const TYPES = [Buffer.from('{"type":"MODIFIED","object":{'), Buffer.from('{"type":"ADDED","object":{')];
const RESOURCE_VERSION = Buffer.from('"resourceVersion":"');
const QUOTE = 0x22;

/**
 * The line of an event of a watch, before anybody has read its JSON.
 *
 * Most events that a busy operator receives tell of its own writes, whose answers it has read already. To tell those, their text is
 * looked at. In the JSON of API servers, which has no blanks, `"resourceVersion":"` is a key, or the end of one: within a text the quotes
 * would be escaped.
 */
export class UnreadEvent {
  constructor(private readonly line: Buffer) {}

  /**
   * The resource version of the object that was added or modified; `undefined` for all other events, and where the text alone
   * does not tell: an annotation, a label or a template in the object may have a key of that name, too.
   */
  get resourceVersion(): string | undefined {
    const { line } = this;
    if (!TYPES.some((type) => line.subarray(0, type.length).equals(type))) return undefined;
    const at = line.indexOf(RESOURCE_VERSION);
    const start = at + RESOURCE_VERSION.length;
    if (at < 0 || line.includes(RESOURCE_VERSION, start)) return undefined;
    return line.toString('latin1', start, line.indexOf(QUOTE, start));
  }

  /** Whether there is an object of this uid in the text: the event's own, or one that it refers to. */
  mentions(uid: string): boolean {
    return this.line.includes(`"uid":"${uid}"`);
  }
}
