import type { IncomingMessage } from 'node:http';
import { LEAST_HELD_BYTES, MAX_HELD_BYTES, MAX_REVIEW_BYTES } from './limits';
import { NotAReview } from './parse';

/** The sizes of what may be read. */
export interface BodyLimits {
  /** Bytes of one review. @default MAX_REVIEW_BYTES */
  readonly review?: number;
  /** Bytes of all reviews that are read or answered at the same time. @default MAX_HELD_BYTES */
  readonly held?: number;
}

/** A review whose memory is counted until it is given back. */
export interface HeldBody {
  readonly bytes: Buffer;
  release(): void;
}

/**
 * Reads the bodies of requests, and never holds more of them than fits: a review more is refused with a 503, which the webhook's failure policy
 * decides about. What is counted is what has arrived, so that nobody takes room with an announcement.
 */
export class Bodies {
  private readonly review: number;
  private readonly room: number;
  private held = 0;

  constructor({ review = MAX_REVIEW_BYTES, held = MAX_HELD_BYTES }: BodyLimits = {}) {
    this.review = review;
    this.room = held;
  }

  /** Bytes that are held now. */
  get heldBytes(): number {
    return this.held;
  }

  /** @throws NotAReview for what is too large, or too much at once; the rest is not read then */
  async read(request: IncomingMessage): Promise<HeldBody> {
    if (Number(request.headers['content-length'] ?? 0) > this.review) throw this.tooLarge();
    let counted = 0;
    const count = (bytes: number) => {
      counted += bytes;
      this.held += bytes;
      if (this.held > this.room) throw new NotAReview('there are too many reviews at once', 503);
    };
    const release = () => {
      this.held -= counted;
      counted = 0;
    };
    try {
      count(LEAST_HELD_BYTES);
      const chunks: Buffer[] = [];
      let size = 0;
      // Without `for await`: leaving it early would end the connection before the answer is sent.
      await new Promise<void>((resolve, reject) => {
        const onData = (chunk: Buffer) => {
          try {
            size += chunk.length;
            if (size > this.review) throw this.tooLarge();
            // What is below the least is counted already.
            count(Math.max(0, size - Math.max(LEAST_HELD_BYTES, size - chunk.length)));
            chunks.push(chunk);
          } catch (error) {
            request.off('data', onData);
            request.pause();
            reject(error as Error);
          }
        };
        request.on('data', onData);
        request.once('end', resolve);
        request.once('error', () => reject(new NotAReview('the connection was ended', 499)));
        request.once('close', () => reject(new NotAReview('the connection was ended', 499)));
      });
      return { bytes: Buffer.concat(chunks), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  private tooLarge(): NotAReview {
    return new NotAReview(`a review of more than ${this.review} bytes is not read`, 413);
  }
}

/**
 * Reads what is left of a request's body, and keeps nothing of it: an answer before its end would get lost, as the system resets connections of which not
 * all was read. Who sends more than a few times of what is taken is cut off.
 */
export async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  await new Promise<void>((resolve) => {
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > 4 * MAX_REVIEW_BYTES) resolve();
    };
    request.on('data', onData).once('end', resolve).once('error', resolve).once('close', resolve);
    request.resume();
  });
  request.removeAllListeners('data').pause();
}
