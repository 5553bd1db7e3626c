/**
 * Maximum length of a line, in characters; longer ones are split, because a program might never
 * write a line break, and the reader must not run out of memory.
 */
const MAX_LINE = 1024 * 1024;

/**
 * Yields the lines of a stream of chunks, without line breaks. The text after the last line break
 * is a line, too.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield withoutReturn(line);
    while (rest.length > MAX_LINE) {
      yield rest.slice(0, MAX_LINE);
      rest = rest.slice(MAX_LINE);
    }
  }
  rest += decoder.decode();
  if (rest !== '') yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
