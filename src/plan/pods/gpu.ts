import { overridden, type Problem, withoutEffect } from '../../model/problem';
import { onSparkContainer, sparkContainer } from './container';
import { fieldOf, type PodCustomization } from './pod-template';
import { sameQuantity } from './quantity';
import { templateContainer } from './replace';

/** `gpu`: a limit of Spark's container, which is also the request by Kubernetes' rules. */
export const gpu = onSparkContainer((container, request) => {
  const wanted = request.spec.gpu;
  const field = fieldOf(request, 'gpu');
  if (!wanted) {
    return { container };
  }
  if (!wanted.name || !(wanted.quantity > 0)) {
    const missing = wanted.name ? 'a quantity of at least 1' : 'a name such as nvidia.com/gpu';
    return { container, warnings: [withoutEffect(field, ` without ${missing}`)] };
  }
  const amount = String(wanted.quantity);
  const { resources } = container;
  const [limit, requested] = [resources?.limits?.[wanted.name], resources?.requests?.[wanted.name]];
  const warnings: Problem[] = [
    ...(isOther(limit, amount) ? [overridden(source('limits', wanted.name, request), field)] : []),
    ...(isOther(requested, amount) ? [overridden(source('requests', wanted.name, request), field)] : []),
  ];
  if (limit !== undefined && warnings.length === 0) {
    return { container };
  }
  return {
    container: {
      ...container,
      resources: {
        ...resources,
        limits: { ...resources?.limits, [wanted.name]: amount },
        // Kubernetes rejects a request that differs from the limit.
        ...(requested === undefined ? {} : { requests: { ...resources?.requests, [wanted.name]: amount } }),
      },
    },
    warnings,
  };
});

function isOther(present: string | undefined, amount: string): boolean {
  return present !== undefined && !sameQuantity(String(present), amount);
}

/** Returns the source of an amount of the resource: a Spark property, the template, or the pod. */
function source(kind: 'limits' | 'requests', name: string, request: PodCustomization): string {
  const property = kind === 'limits' ? resourceProperty(name, request) : undefined;
  if (property !== undefined) {
    return request.properties.fieldOf(property);
  }
  const inTemplate = sparkContainer(request.spec.template?.spec, request)?.resources?.[kind]?.[name] !== undefined;
  return inTemplate
    ? `${templateContainer(request)}.resources.${kind}[${name}]`
    : `resources.${kind}[${name}] of the container ${request.container}`;
}

/**
 * Returns the Spark property that requests a Kubernetes resource, `<vendor>/<resource>`
 * (KubernetesUtils.buildResourcesQuantities).
 */
export function resourceProperty(name: string, { role, properties }: PodCustomization): string | undefined {
  const prefix = `spark.${role}.resource.`;
  const found = properties.withPrefix(prefix).find(([key, vendor]) => (
    key.endsWith('.vendor') && `${vendor}/${key.slice(0, -'.vendor'.length)}` === name
  ));
  const key = found && `${prefix}${found[0].slice(0, -'vendor'.length)}amount`;
  return key !== undefined && properties.has(key) ? key : undefined;
}
