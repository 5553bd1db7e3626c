import type { IncomingMessage } from 'node:http';
import type { WatchEvent } from './client-types';
import { ApiError, type Call, NetworkError, type Status } from './errors';
import type { KubeObject } from './objects';
import { decodeEvent, isProtobuf } from './protobuf/answer';
import { FrameReader } from './protobuf/frame-reader';
import type { Message } from './protobuf/message';

const NEWLINE = 0x0a;

/**
 * Receives the content of a watch. If a function throws, the stream is closed and the read rejects
 * with that error.
 */
export interface WatchStreamListener<T extends KubeObject> {
  /** Called with the number of bytes of each piece, before its events. */
  onBytes(bytes: number): void;
  /** Called for each event, in order. */
  onEvent(event: WatchEvent<T>): void;
}

/**
 * Reads the events of a watch until the server ends it.
 *
 * @param maxBytes largest accepted event
 * @param message reads the objects if the stream is protobuf
 * @throws {ApiError} the server's ERROR event
 * @throws {NetworkError} `CUT_OFF`, `BAD_RESPONSE` or `TOO_LARGE`
 */
export function readWatchStream<T extends KubeObject>(
  response: IncomingMessage, call: Call, maxBytes: number, listener: WatchStreamListener<T>, message?: Message,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onLine = (line: Buffer) => listener.onEvent(eventOf<T>(call, () => JSON.parse(line.toString('utf8'))));
    const onFrame = (frame: Buffer) => listener.onEvent(eventOf<T>(call, () => decodeEvent(frame, message!)));
    const tooLong = () => new NetworkError(call, 'TOO_LARGE', `an event is larger than ${maxBytes} bytes`);
    const isFramed = message && isProtobuf(response.headers);
    const reader = isFramed ? new FrameReader(maxBytes, onFrame, tooLong) : new LineReader(maxBytes, onLine, tooLong);
    const cutOff = (how: string) => reject(new NetworkError(call, 'CUT_OFF', how));
    response.on('data', (chunk: Buffer) => {
      try {
        listener.onBytes(chunk.length);
        reader.push(chunk);
      } catch (error) {
        reject(error);
        response.destroy();
      }
    });
    response.once('end', () => reader.isMidway ? cutOff('the stream ended in the middle of an event') : resolve());
    response.on('error', (error) => cutOff(`the stream was cut off: ${error.message}`));
    // A destroyed response can close without an error; after 'end' this has no effect.
    response.once('close', () => cutOff('the stream was cut off'));
  });
}

function eventOf<T extends KubeObject>(
  call: Call, read: () => { readonly type?: string; readonly object?: { readonly metadata?: object } },
): WatchEvent<T> {
  let event: ReturnType<typeof read>;
  try {
    event = read();
  } catch {
    // The parser's message quotes the text, which can contain secrets.
    throw new NetworkError(call, 'BAD_RESPONSE', 'an event cannot be read');
  }
  switch (event?.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
    case 'BOOKMARK':
      if (!event.object?.metadata) break;
      return event as WatchEvent<T>;
    case 'ERROR': {
      const status = event.object as Status | undefined;
      if (!status?.code) break;
      throw new ApiError(call, status.code, status);
    }
  }
  throw new NetworkError(call, 'BAD_RESPONSE', 'an event is not of a known form');
}

/** Splits a byte stream into lines; it reads each byte once and buffers one line at most. */
class LineReader {
  private readonly parts: Buffer[] = [];
  private size = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly onLine: (line: Buffer) => void,
    private readonly tooLong: () => Error,
  ) {}

  get isMidway(): boolean {
    return this.size > 0;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.keep(chunk.subarray(start, end));
      start = end + 1;
      if (this.size > 0) {
        const line = this.parts.length === 1 ? this.parts[0]! : Buffer.concat(this.parts, this.size);
        this.parts.length = 0;
        this.size = 0;
        this.onLine(line);
      }
    }
    this.keep(chunk.subarray(start));
  }

  private keep(part: Buffer): void {
    if (part.length === 0) return;
    this.size += part.length;
    if (this.size > this.maxBytes) throw this.tooLong();
    this.parts.push(part);
  }
}
