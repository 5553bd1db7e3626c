import { DRIVER_TEMPLATE, EXECUTOR_TEMPLATE } from '../submit-case';
import { stable } from './rules';
import type { Json, Submitted } from './submitted';

/** Objects that both sides created. */
export interface Pair {
  readonly spark: Submitted;
  readonly native: Submitted;
}

/** A difference that is meant, with its row in docs/explain/deviations.md. */
export interface Deviation {
  /** The first cell of the row. */
  readonly what: string;
  /** The pair without this difference, if both sides have exactly what the row says; else the pair as it is. */
  readonly undo: (pair: Pair) => Pair;
}

/** Deviations of native submission from spark-submit, for all its callers. */
export const DEVIATIONS: readonly Deviation[] = [
  {
    what: 'owner of Service and ConfigMap',
    undo: (pair) => {
      const owners = (resource: Json) => (resource.metadata.ownerReferences ?? []).map(({ uid, ...owner }: Json) => ({ ...owner, uid: typeof uid }));
      const expected = stable([{ apiVersion: 'v1', kind: 'Pod', name: pair.spark.pod.metadata.name, controller: true, uid: 'string' }]);
      if (!pair.spark.resources.every((resource) => stable(owners(resource)) === expected)) return pair;
      return { ...pair, spark: { ...pair.spark, resources: pair.spark.resources.map((resource) => withMetadata(resource, { ownerReferences: undefined })) } };
    },
  },
  {
    what: 'date in `spark.properties`',
    undo: (pair) => changeProperties(pair, 'spark', (text) => text.replace(/^(#.*\n)#[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{2} [0-9:]{8} [A-Z]+ [0-9]{4}\n/, '$1')),
  },
  {
    what: '`podTemplateFile` of the submitter in `spark.properties`',
    undo: (pair) => changeProperties(pair, 'spark', (text) => [DRIVER_TEMPLATE, EXECUTOR_TEMPLATE].reduce((rest, { key, file }) => rest.replace(`\n${key}=${file}\n`, '\n'), text)),
  },
];

function withMetadata(resource: Json, metadata: object): Json {
  return JSON.parse(JSON.stringify({ ...resource, metadata: { ...resource.metadata, ...metadata } }));
}

function changeProperties(pair: Pair, side: keyof Pair, change: (text: string) => string): Pair {
  let changed = false;
  const resources = pair[side].resources.map((resource) => {
    const text = resource.data?.['spark.properties'];
    const other = text === undefined ? text : change(text);
    if (text === other) return resource;
    changed = true;
    return { ...resource, data: { ...resource.data, 'spark.properties': other } };
  });
  return changed ? { ...pair, [side]: { ...pair[side], resources } } : pair;
}
