/** A message of an event stream. */
export interface StreamMessage {
  readonly id?: string;
  readonly data: string;
}

/** Takes the text of an event stream (Server-Sent Events) apart, piece by piece as it comes. Our server sends one line of data a message. */
export class EventReader {
  private rest = '';

  /** The messages that are complete now. */
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
