/* eslint-disable no-bitwise -- of bits is what this is made */

/**
 * Says what `hash32`, `shardOf` and `assign` answer, for `agreementOf`. It goes up with every change of their answers: replicas of which some put an application into
 * another shard than others must not work side by side.
 */
export const HASH_VERSION = 1;

/**
 * A hash of 32 bits: FNV-1a over the text in UTF-8, and then the last step of MurmurHash3 (`fmix32`), because FNV alone hardly carries what ends differently into the high bits.
 * All replicas must come to the same, whatever their version. It is quick and even; it is no protection against somebody who looks for collisions.
 *
 * @returns an integer from 0 to 2^32 - 1
 */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * The shard of an application, or of what else has a key.
 *
 * @param key `namespace/name`
 * @param shards how many there are
 * @returns an integer from 0 to `shards` - 1
 */
export function shardOf(key: string, shards: number): number {
  return hash32(key) % shards;
}
