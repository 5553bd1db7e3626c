import type { DriverIngressConfiguration, SparkUIConfiguration } from '../../api/driver-exposure';
import type { SparkConnectService } from '../../api/spark-connect';
import { sparkConfField } from '../properties/denied-conf';
import type { SubmissionError } from '../errors';
import type { Asked } from '../demand/demand';
import { globList, refusal, type Excess } from './excess';
import { GlobBudget, matchesGlob } from './glob';
import type { Layers, Limits } from './layer';

/**
 * The fields of a SparkApplication or SparkConnect that describe Services, and the Ingresses or
 * HTTPRoutes to them.
 */
export interface Exposing {
  readonly sparkConf?: { readonly [key: string]: string };
  readonly driver?: { readonly serviceAnnotations?: { readonly [key: string]: string } };
  readonly sparkUIOptions?: SparkUIConfiguration;
  readonly driverIngressOptions?: readonly DriverIngressConfiguration[];
  readonly server?: { readonly service?: SparkConnectService };
}

/** Always allowed: it is unreachable from outside the cluster. */
const ALWAYS_ALLOWED = 'ClusterIP';

const SERVICE_ANNOTATION = 'spark.kubernetes.driver.service.annotation.';

/**
 * Finds Services that the limits of the cluster and of the namespace do not allow. The rest of the
 * specification can be invalid.
 */
export function serviceViolations(spec: Exposing, { cluster, namespace }: Layers): SubmissionError[] {
  return [cluster, namespace].flatMap((layer) => (layer ? excesses(spec, layer.limits).map((excess) => refusal(excess, layer)) : []));
}

function excesses(spec: Exposing, { allowedServiceTypes, allowedServiceAnnotations }: Limits): Excess[] {
  return [
    ...(allowedServiceTypes ? [...wrongTypes(spec, allowedServiceTypes), ...externalAddresses(spec)] : []),
    ...(allowedServiceAnnotations ? wrongAnnotations(spec, allowedServiceAnnotations) : []),
  ];
}

/** Returns the fields that expose a port of the driver. */
function exposed({ sparkUIOptions, driverIngressOptions = [] }: Exposing): Asked<Partial<DriverIngressConfiguration>>[] {
  return [
    ...(sparkUIOptions ? [{ field: 'spec.sparkUIOptions', value: sparkUIOptions }] : []),
    ...driverIngressOptions.map((value) => ({ field: `spec.driverIngressOptions[${value.servicePort}]`, value })),
  ];
}

function wrongTypes(spec: Exposing, allowed: readonly string[]): Excess[] {
  const types = [
    ...exposed(spec).map(({ field, value }) => ({ field: `${field}.serviceType`, value: value.serviceType })),
    { field: 'spec.server.service.spec.type', value: spec.server?.service?.spec?.type },
  ];
  return types.flatMap(({ field, value }) => (!value || value === ALWAYS_ALLOWED || allowed.includes(value) ? [] : [
    {
      field, value, reason: 'is not among', limit: `allowedServiceTypes: ${allowed.join(', ') || 'none'}`,
      remedy: `write ${ALWAYS_ALLOWED}`,
    },
  ]));
}

/**
 * Rejects external addresses: nodes send their traffic to the pod, even if another owner has the
 * address.
 */
function externalAddresses({ server }: Exposing): Excess[] {
  if (!server?.service?.spec?.externalIPs?.length) return [];
  return [{ field: 'spec.server.service.spec.externalIPs', reason: 'is not among', limit: 'allowedServiceTypes', remedy: 'remove it' }];
}

function wrongAnnotations(spec: Exposing, allowed: readonly string[]): Excess[] {
  const globs = new GlobBudget();
  const maps = [
    ...exposed(spec).flatMap(({ field, value }) => (['serviceAnnotations', 'ingressAnnotations'] as const).map(
      (name) => ({ field: `${field}.${name}`, value: value[name] }),
    )),
    { field: 'spec.driver.serviceAnnotations', value: spec.driver?.serviceAnnotations },
    { field: 'spec.server.service.metadata.annotations', value: spec.server?.service?.metadata?.annotations },
  ];
  const written = [
    ...maps.flatMap(({ field, value }) => Object.keys(value ?? {}).map((name) => ({ field: `${field}[${name}]`, name }))),
    ...Object.keys(spec.sparkConf ?? {}).filter((key) => key.startsWith(SERVICE_ANNOTATION))
      .map((key) => ({ field: sparkConfField(key), name: key.slice(SERVICE_ANNOTATION.length) })),
  ];
  const limit = `allowedServiceAnnotations: ${globList(allowed)}`;
  const wrong = written.filter(({ name }) => !allowed.some((glob) => matchesGlob(glob, name, globs))).map(
    ({ field }) => ({ field, reason: 'is not among', limit, remedy: 'remove it' }),
  );
  return globs.isSpent
    ? [{
      field: 'spec', reason: 'has more and longer names of annotations than can be compared with', limit,
      remedy: 'write fewer or shorter ones',
    }]
    : wrong;
}
