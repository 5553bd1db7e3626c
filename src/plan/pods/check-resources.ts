import type { Container } from '../../k8s';
import { SubmissionError } from '../errors';
import { isLabelKey } from '../../rules/names';
import { fieldOfContainer } from './container';
import { resourceProperty } from './gpu';
import { fieldOf, type PodCustomization } from './pod-template';
import { parseQuantity } from './quantity';

type Amounts = { readonly [resource: string]: unknown };

/**
 * Checks the names of a container's resources, and that it requests no more than its limits.
 *
 * @param isSparks whether it is Spark's container
 * @throws SubmissionError for the first resource with an unknown name, or whose request exceeds its
 * limit
 */
export function checkResources(container: Container, isSparks: boolean, request: PodCustomization): void {
  const { requests, limits } = isSparks ? resourcesOfSpark(container, request) : amountsOf(container);
  for (const [kind, amounts] of Object.entries({ limits, requests })) {
    const unknown = Object.keys(amounts).find((resource) => !isResource(resource));
    if (unknown !== undefined) throw wrongResource(unknown, kind, container, request);
  }
  for (const [resource, most] of Object.entries(limits)) {
    const [asked, limit] = [parseQuantity(String(requests[resource])), parseQuantity(String(most))];
    if (asked !== undefined && limit !== undefined && asked > limit) {
      throw new SubmissionError({
        field: `${fieldOfContainer(container, request)}.resources.limits[${resource}]`,
        value: String(most),
        reason: `is less than what the container requests, ${String(requests[resource])}`,
        remedy: 'raise it, or request less',
      });
    }
  }
}

/** Whether a container can have a resource of this name (validateContainerResourceName). */
function isResource(name: string): boolean {
  return ['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-')
    || (name.includes('/') && isLabelKey(name) && !name.startsWith('requests.'));
}

function wrongResource(name: string, kind: string, container: Container, request: PodCustomization): SubmissionError {
  const property = resourceProperty(name, request);
  const field = property === undefined
    ? `${fieldOfContainer(container, request)}.resources.${kind}[${name}]` : request.properties.fieldOf(property);
  return new SubmissionError({
    field: name === request.spec.gpu?.name ? fieldOf(request, 'gpu.name') : field, value: name,
    reason: 'is not the name of a resource', remedy: 'write one with the domain of its vendor, such as nvidia.com/gpu',
  });
}

/**
 * Returns the resources of Spark's container. Properties set its memory and CPU. Only the
 * template's CPU limit remains if no property sets one (BasicDriverFeatureStep,
 * BasicExecutorFeatureStep).
 */
function resourcesOfSpark(container: Container, { role, properties, target }: PodCustomization): { requests: Amounts; limits: Amounts } {
  const { requests, limits } = amountsOf(container);
  if (target === 'pod') {
    return { requests, limits };
  }
  const cpu = properties.get(`spark.kubernetes.${role}.request.cores`) ?? properties.get(`spark.${role}.cores`);
  return {
    requests: { ...requests, cpu, memory: undefined },
    limits: { ...limits, cpu: properties.get(`spark.kubernetes.${role}.limit.cores`) ?? limits.cpu, memory: undefined },
  };
}

/** Returns the requests and limits of a container. Each can be `null` in a template. */
function amountsOf({ resources }: Container): { requests: Amounts; limits: Amounts } {
  return { requests: (resources?.requests ?? {}) as Amounts, limits: (resources?.limits ?? {}) as Amounts };
}
