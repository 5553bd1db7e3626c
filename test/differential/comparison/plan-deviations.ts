import { stable } from './rules';
import type { Deviation, Pair } from './deviations';
import type { Json, Submitted } from './submitted';

/*
 * Deviations of the operator from spark-submit, in the objects that native submission has built: their owners, and improvements. Each
 * undoes its part of the plan, if that is exactly what the page documents.
 */

const OPERATOR_LABEL = 'sparkoperator.k8s.io/';

/** The owner that everything has: the application. */
function isOwned({ metadata }: Json, uid: string): boolean {
  const { ownerReferences: [owner, ...others] = [undefined] } = metadata;
  return others.length === 0 && stable(owner) === stable({ apiVersion: 'sparkoperator.k8s.io/v1beta2', kind: 'SparkApplication', name: owner?.name, uid, controller: true });
}

const all = ({ pod, resources }: Submitted): Json[] => [pod, ...resources];

function mapNative({ spark, native }: Pair, change: (object: Json) => Json): Pair {
  const { pod, resources } = native;
  return { spark, native: { pod: change(pod), resources: resources.map(change) } };
}

/** Without fields of the metadata. */
function withoutMetadata(object: Json, field: string): Json {
  const { [field]: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The deviations of the plan for an application. */
export function planDeviations({ namespace, uid }: { readonly namespace: string; readonly uid: string }): readonly Deviation[] {
  return [
    {
      what: "ConfigMap of the executors' pod template",
      undo: withTemplateOfItsOwn,
    },
    {
      what: '`metadata.namespace`',
      undo: (pair) => {
        if (!all(pair.native).every(({ metadata }) => metadata.namespace === namespace)) return pair;
        const [pod, ...resources] = all(pair.native).map((object, index) => (
          all(pair.spark)[index]?.metadata.namespace === undefined ? withoutMetadata(object, 'namespace') : object
        ));
        return { ...pair, native: { pod, resources } };
      },
    },
    {
      what: 'owner of Service and ConfigMap',
      undo: (pair) => (all(pair.native).every((object) => isOwned(object, uid)) ? mapNative(pair, (object) => withoutMetadata(object, 'ownerReferences')) : pair),
    },
    {
      what: 'labels of Service and ConfigMap',
      undo: (pair) => {
        const own = Object.entries(pair.native.pod.metadata.labels).filter(([name]) => name.startsWith(OPERATOR_LABEL));
        const { resources } = pair.native;
        if (own.length === 0 || !resources.every(({ metadata }) => own.every(([name, value]) => metadata.labels?.[name] === value))) return pair;
        return { ...pair, native: { ...pair.native, resources: resources.map((resource) => withoutLabels(resource, own.map(([name]) => name))) } };
      },
    },
    {
      what: '`enableServiceLinks` of the driver',
      undo: (pair) => {
        const { enableServiceLinks, ...spec } = pair.native.pod.spec;
        if (enableServiceLinks !== false || pair.spark.pod.spec.enableServiceLinks !== undefined) return pair;
        return { ...pair, native: { ...pair.native, pod: { ...pair.native.pod, spec } } };
      },
    },
    {
      what: '`terminationMessagePolicy` of the driver',
      undo: (pair) => {
        const { containers } = pair.native.pod.spec;
        const { terminationMessagePolicy, ...container } = containers.at(-1);
        if (terminationMessagePolicy !== 'FallbackToLogsOnError' || pair.spark.pod.spec.containers.at(-1).terminationMessagePolicy !== undefined) return pair;
        return { ...pair, native: { ...pair.native, pod: { ...pair.native.pod, spec: { ...pair.native.pod.spec, containers: containers.with(-1, container) } } } };
      },
    },
  ];
}

const TEMPLATE_KEY = 'podspec-configmap-key';

/** The native side with the template in a ConfigMap of its own, before that with the properties, as Spark has them. */
function withTemplateOfItsOwn(pair: Pair): Pair {
  const { pod, resources } = pair.native;
  const both = resources.find(({ data }) => data?.['spark.properties'] !== undefined && data[TEMPLATE_KEY] !== undefined);
  const spark = pair.spark.resources.find(({ data }) => data?.[TEMPLATE_KEY] !== undefined);
  const name = /spark.driver.host=(.*)-driver-svc\./.exec(both?.data['spark.properties'])?.[1];
  if (!both || !spark || spark.data['spark.properties'] !== undefined || name === undefined) return pair;
  const { [TEMPLATE_KEY]: text, ...data } = both.data;
  const template = { ...both, metadata: { ...both.metadata, name: `${name}-driver-podspec-conf-map` }, data: { [TEMPLATE_KEY]: text } };
  const volumes = pod.spec.volumes.map((volume: Json) => (
    volume.configMap?.items?.[0].key === TEMPLATE_KEY && volume.configMap.name === both.metadata.name
      ? { ...volume, configMap: { ...volume.configMap, name: template.metadata.name } } : volume
  ));
  return {
    ...pair, native: {
      pod: { ...pod, spec: { ...pod.spec, volumes } },
      resources: resources.flatMap((resource) => (resource === both ? [template, { ...both, data }] : [resource])),
    },
  };
}

function withoutLabels(object: Json, names: readonly string[]): Json {
  const labels = Object.fromEntries(Object.entries(object.metadata.labels).filter(([name]) => !names.includes(name)));
  return Object.keys(labels).length === 0 ? withoutMetadata(object, 'labels') : { ...object, metadata: { ...object.metadata, labels } };
}
