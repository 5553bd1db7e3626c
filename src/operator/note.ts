/**
 * The API server accepts notes of 1024 bytes of UTF-8 (Kubernetes' validation of events). The rest
 * is for the text around the sentences.
 */
const MAX_BYTES = 800;

/**
 * Returns as many sentences as the note of an event holds, and the number of the others. A first
 * sentence that is too long is cut.
 */
export function noteOf(sentences: readonly string[]): string {
  let bytes = -'; '.length;
  const tooLong = sentences.findIndex((sentence) => (bytes += '; '.length + Buffer.byteLength(sentence)) > MAX_BYTES);
  const fitting = tooLong < 0 ? sentences : sentences.slice(0, tooLong);
  const shown = fitting.length > 0 ? fitting : sentences.slice(0, 1).map(beginning);
  const more = sentences.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Cuts a sentence. As in a stream, the decoder keeps back a character that is cut in two. */
function beginning(sentence: string): string {
  return new TextDecoder().decode(Buffer.from(sentence).subarray(0, MAX_BYTES), { stream: true });
}
