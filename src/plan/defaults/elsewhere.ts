import type { PartialSpec } from './layer';
import { mapAt, placesIn, placesOfSharedImage, ROLES, without, type Path, type Place, type Role } from './places';

/**
 * Defaults without those that an application says in another place: its `spark.driver.memory` in `sparkConf` is not to be overridden by a
 * default of the field `driver.memory`, which wins over properties.
 */
export function withoutSaidElsewhere(defaults: PartialSpec, spec: PartialSpec): PartialSpec {
  const said = ranksBySetting(placesIn(spec));
  if (isDynamic(spec)) said.set('spark.executor.instances', new Set([0]));
  const spread = spreadShared(defaults, said);
  const needless = placesIn(spread).filter(({ setting, rank, shared }) => [...said.get(setting) ?? []].some((other) => other < rank || (other > rank && !shared)));
  return without(spread, needless.map(({ path }) => path));
}

/**
 * A specification without what it says in another place about something that is enforced, also where that would lose. What says more than that,
 * such as an image for both roles, stays where it loses.
 */
export function withoutSaidOtherwise(spec: PartialSpec, enforced: PartialSpec): PartialSpec {
  const said = placesIn(enforced);
  const ranks = ranksBySetting(said);
  const paths = new Set(said.map(({ path }) => JSON.stringify(path)));
  const spread = spreadShared(spec, ranks);
  const other = placesIn(spread).filter(({ setting, path, rank, shared }) => !paths.has(JSON.stringify(path))
    && [...ranks.get(setting) ?? []].some((enforcedRank) => !shared || enforcedRank < rank));
  return without(spread, other.map(({ path }) => path));
}

/** An image for both roles, one of which is told otherwise in a weaker place, becomes one of each role. */
function spreadShared(spec: PartialSpec, said: ReadonlyMap<string, ReadonlySet<number>>): PartialSpec {
  const isContradicted = placesOfSharedImage(spec).some(({ setting, rank }) => [...said.get(setting) ?? []].some((other) => other < rank));
  if (!isContradicted) return spec;
  const { image, ...others } = spec;
  return { ...others, ...Object.fromEntries(ROLES.map((role) => [role, { ...mapAt(spec, [role]), image: mapAt(spec, [role]).image || image }])) };
}

/**
 * The parts with node selectors in one way: either for the whole application or for each role, as the CRD wants them. Where one of them has some
 * for a role, those for the application are given to both roles.
 */
export function withSameNodeSelectors(specs: readonly PartialSpec[]): PartialSpec[] {
  const has = (path: Path) => specs.some((spec) => Object.keys(mapAt(spec, path)).length > 0);
  if (!has(['nodeSelector']) || !ROLES.some((role) => has([role, 'nodeSelector']))) return [...specs];
  return specs.map((spec) => {
    const { nodeSelector, ...others } = spec;
    if (!nodeSelector) return spec;
    const ofRole = (role: Role) => ({ ...mapAt(spec, [role]), nodeSelector: { ...nodeSelector, ...mapAt(spec, [role, 'nodeSelector']) } });
    return { ...others, driver: ofRole('driver'), executor: ofRole('executor') };
  });
}

/** How many executors there are, dynamic allocation says, too. */
function isDynamic(spec: PartialSpec): boolean {
  return mapAt(spec, ['dynamicAllocation']).enabled === true || mapAt(spec, ['sparkConf'])['spark.dynamicAllocation.enabled'] === 'true';
}

/** There are few ranks, however often a setting is written. */
function ranksBySetting(places: readonly Place[]): Map<string, Set<number>> {
  const ranks = new Map<string, Set<number>>();
  for (const { setting, rank } of places) ranks.set(setting, (ranks.get(setting) ?? new Set()).add(rank));
  return ranks;
}
