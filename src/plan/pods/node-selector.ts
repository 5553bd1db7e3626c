import { overridden } from '../../model/problem';
import { type Concern, fieldOf, type PodCustomization } from './pod-template';

/** Prefix of properties that select nodes for driver and executors. */
const GENERAL = 'spark.kubernetes.node.selector.';

/** `nodeSelector`: adds labels that a node must have. */
export const nodeSelector: Concern = (spec, request) => {
  const { properties } = request;
  const wanted = Object.entries(request.spec.nodeSelector ?? {});
  // `constructor` can be a label, and is a property of every object, so this uses a Map.
  const present = new Map(Object.entries(spec.nodeSelector ?? {}));
  const changed = wanted.filter(([label, value]) => present.get(label) !== value);
  const by = (label: string) => fieldOf(request, `nodeSelector[${label}]`);
  return {
    spec: changed.length === 0 ? spec : { ...spec, nodeSelector: { ...spec.nodeSelector, ...Object.fromEntries(changed) } },
    warnings: [
      ...changed
        .filter(([label]) => present.has(label))
        .map(([label]) => overridden(selectorSource(label, present.get(label)!, request), by(label))),
      ...wanted
        .filter(([label, value]) => properties.has(GENERAL + label) && properties.get(GENERAL + label) !== value)
        .map(([label]) => overridden(properties.fieldOf(GENERAL + label), by(label))),
    ],
  };
};

/**
 * Returns the Spark property that sets a label of the selector, if one does. If two do, the role's
 * is later (BasicExecutorFeatureStep).
 */
export function selectorProperty(label: string, { role, properties }: PodCustomization): string | undefined {
  return [`spark.kubernetes.${role}.node.selector.${label}`, GENERAL + label].find(key => properties.has(key));
}

function selectorSource(label: string, value: string, request: PodCustomization): string {
  const property = selectorProperty(label, request);
  if (property !== undefined && request.properties.get(property) === value) {
    return request.properties.fieldOf(property);
  }
  const inTemplate = Object.hasOwn(request.spec.template?.spec?.nodeSelector ?? {}, label);
  return inTemplate ? fieldOf(request, `template.spec.nodeSelector[${label}]`) : `spec.nodeSelector[${label}] of the pod`;
}
