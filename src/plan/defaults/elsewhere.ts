import { mapAt, without, type Path } from '../paths';
import { ROLES, type Role } from '../properties/role';
import type { PartialSpec } from './layer';
import { placesIn, placesOfSharedImage, type Place } from './places';

/**
 * Returns defaults without those that an application sets in another place. For example, a default
 * of the field `driver.memory` must not override `spark.driver.memory` in `sparkConf`, although the
 * field takes precedence over properties.
 */
export function withoutSaidElsewhere(defaults: PartialSpec, spec: PartialSpec): PartialSpec {
  const said = ranksBySetting(placesIn(spec));
  if (isDynamic(spec)) said.set('spark.executor.instances', new Set([0]));
  const spread = spreadShared(defaults, said);
  const needless = placesIn(spread).filter(
    ({ setting, rank, shared }) => [...said.get(setting) ?? []].some((other) => other < rank || (other > rank && !shared)),
  );
  return without(spread, needless.map(({ path }) => path));
}

/**
 * Returns a specification without its settings in other places of something that is enforced, even
 * those that would lose. A losing setting that has further effects stays, such as an image for both
 * roles.
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

/**
 * Splits an image for both roles into one for each role if a weaker place differs for one of them.
 */
function spreadShared(spec: PartialSpec, said: ReadonlyMap<string, ReadonlySet<number>>): PartialSpec {
  const isContradicted = placesOfSharedImage(spec).some(({ setting, rank }) => [...said.get(setting) ?? []].some((other) => other < rank));
  if (!isContradicted) return spec;
  const { image, ...others } = spec;
  return {
    ...others, ...Object.fromEntries(ROLES.map((role) => [role, { ...mapAt(spec, [role]), image: mapAt(spec, [role]).image || image }])),
  };
}

/**
 * Returns the parts with node selectors in one form, as the CRD requires: for the whole
 * application, or for each role. If one part has some for a role, those for the application are
 * copied to both roles.
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

/** Whether dynamic allocation is on, which also determines the number of executors. */
function isDynamic(spec: PartialSpec): boolean {
  return mapAt(spec, ['dynamicAllocation']).enabled === true || mapAt(spec, ['sparkConf'])['spark.dynamicAllocation.enabled'] === 'true';
}

/** Groups ranks by setting. There are few ranks, however often a setting is written. */
function ranksBySetting(places: readonly Place[]): Map<string, Set<number>> {
  const ranks = new Map<string, Set<number>>();
  for (const { setting, rank } of places) ranks.set(setting, (ranks.get(setting) ?? new Set()).add(rank));
  return ranks;
}
