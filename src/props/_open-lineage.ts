import { ChangingSpec } from './_changing-spec';
import { OpenLineageOptions } from './open-lineage';
import type { Problem } from '../model/problem';

/** Class of OpenLineage's listener in drivers and servers. */
const LISTENER = 'io.openlineage.spark.agent.OpenLineageSparkListener';
const LISTENERS = 'spark.extraListeners';

/**
 * Adds the settings of OpenLineage's listener to a specification. Other listeners stay.
 * @internal
 */
export function withOpenLineage(spec: ChangingSpec, options: OpenLineageOptions | undefined): ChangingSpec {
  if (!options) return spec;
  const { url, namespace, listenerPackage } = options;
  const { sparkConf, deps } = spec;
  const others = sparkConf?.[LISTENERS] ? [sparkConf[LISTENERS]] : [];
  return {
    ...spec,
    sparkConf: {
      ...sparkConf,
      [LISTENERS]: [...others, LISTENER].join(','),
      'spark.openlineage.transport.type': 'http',
      'spark.openlineage.transport.url': url,
      ...(namespace !== undefined && { 'spark.openlineage.namespace': namespace }),
    },
    ...(listenerPackage !== undefined && { deps: { ...deps, packages: [...deps?.packages ?? [], listenerPackage] } }),
  };
}

/**
 * Returns the problems of the settings that the manifest does not show.
 * @internal
 */
export function wrongOpenLineage(options: OpenLineageOptions | undefined): Problem[] {
  if (!options) return [];
  const { url, namespace } = options;
  return [
    ...(isHttpUrl(url) ? [] : [{
      path: 'openLineage.url', value: url, reason: 'is not a URL', remedy: 'write one such as http://marquez.lineage:5000',
    }]),
    ...(namespace?.trim() === '' ? [{
      path: 'openLineage.namespace', value: namespace, reason: 'is empty', remedy: 'leave it out for "default"',
    }] : []),
  ];
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
