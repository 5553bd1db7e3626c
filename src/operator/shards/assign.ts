import { hash32 } from '../../model/shard-hash';

/** How well a member suits a shard. */
interface Pair {
  readonly shard: number;
  readonly member: string;
  readonly score: number;
}

/**
 * Which member should hold which shard: rendezvous hashing with bounded loads. Each shard prefers members in an order of its own. The pairs that suit each other best come
 * first, and a member that has its share takes no more. So when a member comes or goes, little but its share moves.
 *
 * It follows from the arguments alone, and not from their order, so that all who know the same members come to the same. Each member gets as many shards as any other, or
 * one more. If there are more members than shards, some get none.
 *
 * @param shards how many there are
 * @param members identities; one that is given twice counts once
 * @returns the member of each shard, by the shard's number; empty if there is no member
 */
export function assign(shards: number, members: readonly string[]): readonly string[] {
  const distinct = [...new Set(members)];
  if (distinct.length === 0) return [];
  const share = Math.floor(shards / distinct.length);
  /** How many members get one more. */
  let extras = shards % distinct.length;
  const loads = new Map(distinct.map((member) => [member, 0]));
  const assigned = new Array<string | undefined>(shards).fill(undefined);
  for (const { shard, member } of pairsOf(shards, distinct)) {
    const load = loads.get(member)!;
    if (assigned[shard] !== undefined || load > share || (load === share && extras === 0)) continue;
    if (load === share) extras--;
    loads.set(member, load + 1);
    assigned[shard] = member;
  }
  // There is room for each shard, and no more: one without a member would have met one with room.
  return assigned as string[];
}

/** All pairs, the best first. */
function pairsOf(shards: number, members: readonly string[]): Pair[] {
  const pairs = members.flatMap((member) => Array.from({ length: shards }, (_, shard) => ({ shard, member, score: hash32(`${shard}/${member}`) })));
  return pairs.sort((a, b) => b.score - a.score || a.shard - b.shard || (a.member < b.member ? -1 : 1));
}
