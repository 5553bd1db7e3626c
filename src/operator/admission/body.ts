import type { IncomingMessage } from 'node:http';
import { LEAST_HELD_BYTES, MAX_DISCARDED_BYTES, MAX_HELD_BYTES, MAX_REVIEW_BYTES, SHARE_OF_ADDRESS } from './limits';
import { NotAReview } from './parse';
import { addressOf } from '../../kube/inbound-connections';

/** The sizes of what may be read. */
export interface BodyLimits {
  /** Bytes of one review. @default MAX_REVIEW_BYTES */
  readonly review?: number;
  /** Bytes of all reviews that are read or answered at the same time. @default MAX_HELD_BYTES */
  readonly held?: number;
  /** Of these, what one address may have. @default - SHARE_OF_ADDRESS of it */
  readonly heldForAddress?: number;
}

/** A review whose memory is counted until it is given back. */
export interface HeldBody {
  /** The text; it is there once, as nobody needs it when it has become values. */
  take(): Buffer;
  /**
   * Counts more: what the text becomes.
   *
   * @throws NotAReview if there is no room for it
   */
  grow(bytes: number): void;
  release(): void;
}

/**
 * Reads the bodies of requests, and never holds more of them than fits: a review more is refused with a 503, which the webhook's failure policy
 * decides about. What is counted is what has arrived, and what it has become, so that nobody takes room with an announcement; nor does one address take all of it.
 */
export class Bodies {
  private readonly review: number;
  private readonly room: number;
  private readonly roomOfAddress: number;
  private held = 0;
  private readonly heldFor = new Map<string, number>();

  constructor({ review = MAX_REVIEW_BYTES, held = MAX_HELD_BYTES, heldForAddress = held * SHARE_OF_ADDRESS }: BodyLimits = {}) {
    this.review = review;
    this.room = held;
    this.roomOfAddress = heldForAddress;
  }

  /** Bytes that are held now. */
  get heldBytes(): number {
    return this.held;
  }

  /** @throws NotAReview for what is too large, or too much at once; the rest is not read then */
  async read(request: IncomingMessage): Promise<HeldBody> {
    if (Number(request.headers['content-length'] ?? 0) > this.review) throw this.tooLarge();
    const address = addressOf(request.socket);
    let counted = 0;
    const grow = (bytes: number) => {
      counted += bytes;
      if (this.count(address, bytes) > this.roomOfAddress || this.held > this.room) throw new NotAReview('there are too many reviews at once', 503);
    };
    const release = () => {
      this.count(address, -counted);
      counted = 0;
    };
    try {
      grow(LEAST_HELD_BYTES);
      let chunks: Buffer[] = [];
      let size = 0;
      // Without `for await`: leaving it early would end the connection before the answer is sent.
      await new Promise<void>((resolve, reject) => {
        const onData = (chunk: Buffer) => {
          try {
            size += chunk.length;
            if (size > this.review) throw this.tooLarge();
            // What is below the least is counted already.
            grow(Math.max(0, size - Math.max(LEAST_HELD_BYTES, size - chunk.length)));
            chunks.push(chunk);
          } catch (error) {
            request.off('data', onData);
            request.pause();
            reject(error as Error);
          }
        };
        const onEnd = () => reject(connectionEnded());
        request.on('data', onData);
        request.once('error', onEnd).once('close', onEnd);
        request.once('end', () => {
          request.off('error', onEnd).off('close', onEnd);
          resolve();
        });
      });
      const take = () => {
        const text = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
        chunks = [];
        return text;
      };
      return { take, grow, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** @returns what an address has now */
  private count(address: string, bytes: number): number {
    this.held += bytes;
    const held = (this.heldFor.get(address) ?? 0) + bytes;
    if (held > 0) this.heldFor.set(address, held);
    else this.heldFor.delete(address);
    return held;
  }

  private tooLarge(): NotAReview {
    return new NotAReview(`a review of more than ${this.review} bytes is not read`, 413);
  }
}

function connectionEnded(): NotAReview {
  return new NotAReview('the connection was ended', 499);
}

/**
 * Reads what is left of a request's body, and keeps nothing of it: an answer before its end would get lost, as the system resets connections of which not
 * all was read. Who sends far more than what is taken is cut off.
 */
export async function discardRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  await new Promise<void>((resolve) => {
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_DISCARDED_BYTES) resolve();
    };
    request.on('data', onData).once('end', resolve).once('error', resolve).once('close', resolve);
    request.resume();
  });
  request.removeAllListeners('data').pause();
}
