/** Message of an event stream. */
export interface StreamMessage {
  readonly id?: string;
  readonly data: string;
}

/**
 * Incremental parser of an event stream (Server-Sent Events). Our server sends one line of data in
 * a message.
 */
export class EventReader {
  private rest = '';

  /** Returns the messages that are complete after this chunk. */
  read(text: string): StreamMessage[] {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop()!;
    return blocks.flatMap((block) => {
      const lines = block.split('\n');
      const valueOf = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const [data, id] = [valueOf('data'), valueOf('id')];
      return data === undefined ? [] : [{ data, ...(id !== undefined && { id }) }];
    });
  }
}
