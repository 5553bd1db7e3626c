import type { IncomingMessage } from 'node:http';
import { LEAST_HELD_BYTES, MAX_DISCARDED_BYTES, MAX_HELD_BYTES, MAX_REVIEW_BYTES, SHARE_OF_ADDRESS } from './limits';
import { NotAReview } from './parse';
import { addressOf } from '../../kube/inbound-connections';

/** Limits of the memory for reviews. */
export interface BodyLimits {
  /** Bytes of one review. @default MAX_REVIEW_BYTES */
  readonly review?: number;
  /**
   * Bytes of all reviews that the server reads or answers at the same time.
   * @default MAX_HELD_BYTES
   */
  readonly held?: number;
  /** Bytes of those that one address can hold. @default - SHARE_OF_ADDRESS of `held` */
  readonly heldForAddress?: number;
}

/** A review whose memory is counted until it is released. */
export interface HeldBody {
  /** Returns the text, once. The parsed values then replace it. */
  take(): Buffer;
  /**
   * Counts additional bytes, for the values that the text becomes.
   *
   * @throws NotAReview if the limits leave no room for them
   */
  grow(bytes: number): void;
  release(): void;
}

/**
 * Reads the bodies of requests within a memory limit. It rejects a review that does not fit with a
 * 503, and the webhook's failure policy decides what follows.
 *
 * It counts received bytes and the values that they become. A client therefore cannot reserve room
 * by announcing a large body, and one address cannot take all of it.
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

  /**
   * Reads the body of a request.
   *
   * @throws NotAReview if the review is too large, or too many reviews are held. The rest is then
   * left unread
   */
  async read(request: IncomingMessage): Promise<HeldBody> {
    if (Number(request.headers['content-length'] ?? 0) > this.review) throw this.tooLarge();
    const address = addressOf(request.socket);
    let counted = 0;
    const grow = (bytes: number) => {
      counted += bytes;
      if (this.count(address, bytes) > this.roomOfAddress || this.held > this.room) {
        throw new NotAReview('there are too many reviews at once', 503);
      }
    };
    const release = () => {
      this.count(address, -counted);
      counted = 0;
    };
    try {
      grow(LEAST_HELD_BYTES);
      let chunks: Buffer[] = [];
      let size = 0;
      // Not `for await`: leaving that loop early would end the connection before the answer is
      // sent.
      await new Promise<void>((resolve, reject) => {
        const onData = (chunk: Buffer) => {
          try {
            size += chunk.length;
            if (size > this.review) throw this.tooLarge();
            // The least size is counted already.
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

  /** Adds bytes to an address. @returns the bytes that the address holds now */
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
 * Reads and discards the rest of a request's body. An answer before the end of the body would get
 * lost, because the system resets connections with unread data. Stops after MAX_DISCARDED_BYTES,
 * and the caller then ends the connection.
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
