import { SPARK_APPLICATION, type SparkApplicationSpec } from '../../api/spark-application';
import type { AppliedDefaults } from '../../api/spark-application-status';
import { specSchema } from '../../rules/schemas';
import { shortened } from '../../text/shorten';
import { problemText } from '../../model/problem';
import { SubmissionError } from '../errors';
import type { SubmittedApplication } from '../properties/properties';
import type { SpecFacts } from '../../model/spec-facts';
import { LruMap } from '../../kube/lru-map';
import { combine, type Origin } from './combine';
import { withoutSaidElsewhere, withoutSaidOtherwise, withSameNodeSelectors } from './elsewhere';
import { inAllPlaces } from './enforced';
import type { Layer, Layers, PartialSpec } from './layer';
import { limitViolations } from './limits';
import { specViolations } from './partial-schema';

/** The result of applying the defaults and limits of cluster and namespace to an application. */
export interface Applied<S = SparkApplicationSpec> {
  /** The specification to run. The user's own object if nothing changes. */
  readonly spec: S;
  /** The fields by their ConfigMap, for the status; empty if there are none. */
  readonly applied: readonly AppliedDefaults[];
  /** Reasons why the application cannot run, each a sentence for users. */
  readonly violations: readonly SubmissionError[];
}

type Put<S> = Omit<Applied<S>, 'violations'>;

/** Maximum number of paths in a status. */
export const MAX_FIELDS = 100;
/** Maximum length of a path: keys of maps can have any length. */
const MAX_PATH = 200;

/**
 * Applies defaults, then enforced values, then limits. Pure.
 *
 * An application takes precedence over defaults, and those of its namespace over the cluster's.
 * Enforced values take precedence over the application, and the cluster's over the namespace's.
 * Both limits apply.
 */
export function applyLayers(application: SubmittedApplication, layers: Layers): Applied {
  const { spec, applied } = knownOf(application.spec, layers) ?? put(application.spec, layers);
  const wrong = spec === application.spec ? [] : newViolations(application.spec, spec, applied);
  return { spec, applied, violations: wrong.length > 0 ? wrong : limitViolations({ ...application, spec }, application.spec, layers) };
}

/**
 * Returns a specification with defaults and enforced values, for the time after the submission,
 * such as for its restart policy. It applies only one limit, that of the time to live, which can be
 * edited after the submission and fails nothing.
 */
export function withLayers<S extends SpecFacts>(spec: S, layers: Layers): Put<S> {
  return limited(put(spec, layers), layers);
}

/**
 * Returns the same for the specification of an object in memory, which does not change. The result
 * is computed once while the layers stay the same. So an application costs that once for each of
 * its resource versions, however often it is reconciled.
 */
export function withLayersOnce<S extends SpecFacts>(spec: S, layers: Layers): Put<S> {
  const result = knownOf(spec, layers) ?? put(spec, layers);
  KNOWN.set(spec, { layers, result });
  return limited(result, layers);
}

/**
 * Returns a specification with weaker settings, merged as the defaults of a namespace: those that
 * it sets in another place do not apply.
 */
export function withWeaker<S extends object>(spec: S, weaker: object): S {
  const [own, others] = withSameNodeSelectors([spec as PartialSpec, weaker as PartialSpec]) as [PartialSpec, PartialSpec];
  return combine(own, withoutSaidElsewhere(others, own), specSchema(SPARK_APPLICATION), () => {}) as S;
}

/**
 * Specifications for which `withLayersOnce` remembers the result: more than the concurrent
 * reconciles.
 */
const MAX_KNOWN = 1_000;
const KNOWN = new LruMap<object, { readonly layers: Layers; readonly result: Put<any> }>(MAX_KNOWN);

function knownOf<S extends SpecFacts>(spec: S, layers: Layers): Put<S> | undefined {
  const known = KNOWN.get(spec);
  return known && isSameLayers(known.layers, layers) ? known.result : undefined;
}

/**
 * Whether layers consist of the same ConfigMaps in the same versions. A parsed ConfigMap stays the
 * same object until it changes.
 */
export function isSameLayers(one: Layers, other: Layers): boolean {
  return one.cluster === other.cluster && one.namespace === other.namespace;
}

function limited<S extends SpecFacts>(result: Put<S>, layers: Layers): Put<S> {
  const most = maxTimeToLive(layers);
  const isTooLong = most !== undefined && (result.spec.timeToLiveSeconds ?? 0) > most;
  return isTooLong ? { ...result, spec: { ...result.spec, timeToLiveSeconds: most } } : result;
}

function put<S extends SpecFacts>(spec: S, layers: Layers): Put<S> {
  const { cluster, namespace } = layers;
  // From the strongest to the weakest.
  const enforced = [cluster?.enforced, namespace?.enforced].map((part) => inAllPlaces(part ?? {}));
  const most = maxTimeToLive(layers);
  const defaults = [namespace, cluster].map((layer) => (layer ? { ...limitDefaults(layer, most), ...layer.defaults } : {}));
  const [own, ...parts] = withSameNodeSelectors([spec as unknown as PartialSpec, ...enforced, ...defaults]);
  const [clusterEnforced, namespaceEnforced, namespaceDefaults, clusterDefaults] = parts as [
    PartialSpec, PartialSpec, PartialSpec, PartialSpec,
  ];
  const records = new Map<Layer, Origins>();

  let result = own!;
  let isLess = false;
  for (const [part, layer] of [[namespaceDefaults, namespace], [clusterDefaults, cluster]] as const) {
    if (layer) {
      result = combine(result, withoutSaidElsewhere(part, result), specSchema(SPARK_APPLICATION), noting(records, layer, 'fields'));
    }
  }
  for (const [part, layer] of [[namespaceEnforced, namespace], [clusterEnforced, cluster]] as const) {
    if (!layer) continue;
    const rest = withoutSaidOtherwise(result, part);
    isLess ||= rest !== result;
    result = combine(part, rest, specSchema(SPARK_APPLICATION), noting(records, layer, 'enforcedFields'));
  }
  if (records.size === 0 && !isLess) return { spec, applied: [] };
  return { spec: result as unknown as S, applied: recorded(records) };
}

/**
 * Returns the limit of the time to live as a default for applications that set none; the stricter
 * of two limits applies.
 */
function limitDefaults({ limits }: Layer, most: number | undefined): PartialSpec {
  return most === undefined || limits.maxTimeToLiveSeconds !== most ? {} : { timeToLiveSeconds: most };
}

/** Returns the strictest limit of the time to live, in seconds. */
function maxTimeToLive({ cluster, namespace }: Layers): number | undefined {
  const limits = [cluster, namespace].map((layer) => layer?.limits.maxTimeToLiveSeconds).filter((limit) => limit !== undefined);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/** Paths that come from one ConfigMap. */
interface Origins {
  readonly fields: Set<string>;
  readonly enforcedFields: Set<string>;
}

function noting(records: Map<Layer, Origins>, layer: Layer, list: keyof Origins): (origin: Origin) => void {
  const wanted = list === 'fields' ? 'weaker' : 'stronger';
  return ({ from, path }) => {
    if (from !== wanted) return;
    const record = records.get(layer) ?? { fields: new Set(), enforcedFields: new Set() };
    records.set(layer, record);
    record[list].add(path);
  };
}

/**
 * Returns the record for the status. It is bounded, and each ConfigMap has its share of it. Fields
 * of owned objects come first, so that a record without any of them has none that it leaves out.
 */
function recorded(records: ReadonlyMap<Layer, Origins>): AppliedDefaults[] {
  const share = Math.floor(MAX_FIELDS / records.size);
  return [...records].map(([{ configMap, resourceVersion }, { fields, enforcedFields }]) => {
    const all = [
      ...[...enforcedFields].map((path) => ({ path, isEnforced: true })),
      ...[...fields].map((path) => ({ path, isEnforced: false })),
    ];
    const shown = all.sort((a, b) => Number(isOfOwnedObjects(b.path)) - Number(isOfOwnedObjects(a.path))).slice(0, share);
    const pathsOf = (enforced: boolean) => shown
      .filter(({ isEnforced }) => isEnforced === enforced)
      .map(({ path }) => shortened(path, MAX_PATH));
    const [enforced, some, more] = [pathsOf(true), pathsOf(false), all.length - shown.length];
    return {
      configMap,
      resourceVersion,
      ...(some.length > 0 && { fields: some }),
      ...(enforced.length > 0 && { enforcedFields: enforced }),
      ...(more > 0 && { more }),
    };
  });
}

const OF_OWNED_OBJECTS = /^spec\.(sparkUIOptions|driverIngressOptions|driverPodDisruptionBudget|sparkConf\[spark\.ui\.(enabled|port)\])/;

/**
 * Whether Services, Ingresses and PodDisruptionBudgets of a running application depend on a path of
 * its specification. All of these are facts of a large specification, too.
 */
export function isOfOwnedObjects(path: string): boolean {
  return OF_OWNED_OBJECTS.test(path);
}

/** Returns violations of the schema that only the merged specification has, not the user's. */
function newViolations(before: object, after: object, applied: readonly AppliedDefaults[]): SubmissionError[] {
  const found = specViolations(after);
  if (found.length === 0) return [];
  const known = new Set(specViolations(before).map(problemText));
  const names = applied.map(({ configMap }) => configMap).join(' and ');
  return found.filter((violation) => !known.has(problemText(violation))).map((violation) => new SubmissionError({
    field: violation.path,
    reason: `is not valid together with ConfigMap ${names}: ${violation.reason}`,
    remedy: 'change the application, or ask who looks after the ConfigMap',
  }));
}
