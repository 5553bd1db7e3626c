import type { SecurityContext } from '../../k8s';
import { overridden, type Problem } from '../../model/problem';
import { onSparkContainer, sparkContainer } from './container';
import { fieldOf, type PodCustomization } from './pod-template';
import { containerSource, lost, templateContainer } from './replace';
import { same } from './same';

/** Field that Spark 4.3 and later set in its container (SPARK-57493). */
const SPARKS = 'allowPrivilegeEscalation';
/** Property of the same for driver and executors. */
const GENERAL = `spark.kubernetes.securityContext.${SPARKS}`;

/**
 * `securityContext` of Spark's container: replaces the template's. If it does not set
 * `allowPrivilegeEscalation`, Spark's value (since 4.3) remains: without it, Kubernetes would allow
 * the escalation.
 */
export const securityContext = onSparkContainer((container, request) => {
  const wanted = request.spec.securityContext;
  if (!wanted) {
    return { container };
  }
  const { [SPARKS]: before, ...rest } = container.securityContext ?? {};
  const stays = wanted[SPARKS] === undefined && before !== undefined && (before || !needsEscalation(wanted));
  const value: SecurityContext = stays ? { ...wanted, [SPARKS]: before } : wanted;
  const by = fieldOf(request, 'securityContext');
  const general = value[SPARKS] === undefined
    ? []
    : lost(request.properties.get(GENERAL), String(value[SPARKS]), request.properties.fieldOf(GENERAL), by);
  if (same(container.securityContext, value)) {
    return { container, warnings: general };
  }
  return {
    container: { ...container, securityContext: value },
    warnings: [
      ...lost(rest, value, containerSource(request, 'securityContext'), by),
      ...(before === undefined || before === value[SPARKS] ? [] : [escalationWarning(before, request, by)]),
      ...general,
    ],
  };
});

/** Whether Kubernetes rejects these settings without privilege escalation. */
export function needsEscalation({ privileged, capabilities }: SecurityContext): boolean {
  return privileged === true || (capabilities?.add?.some(name => ['SYS_ADMIN', 'CAP_SYS_ADMIN'].includes(name)) ?? false);
}

/**
 * Returns the warning about a replaced `allowPrivilegeEscalation`, which comes from a property, the
 * template or Spark.
 */
function escalationWarning(before: boolean, request: PodCustomization, by: string): Problem {
  const property = escalationProperty(request);
  if (property !== undefined && request.properties.get(property) === String(before)) {
    return overridden(request.properties.fieldOf(property), by);
  }
  const inTemplate = sparkContainer(request.spec.template?.spec, request)?.securityContext?.[SPARKS];
  return inTemplate === before
    ? overridden(`${templateContainer(request)}.securityContext.${SPARKS}`, by)
    : { path: by, reason: `replaces ${SPARKS} of the securityContext, which Spark sets itself`, severity: 'warning' };
}

/** Returns the Spark property that sets `allowPrivilegeEscalation`, if one does. */
export function escalationProperty({ role, properties }: Pick<PodCustomization, 'role' | 'properties'>): string | undefined {
  return [`spark.kubernetes.${role}.securityContext.${SPARKS}`, GENERAL].find(key => properties.has(key));
}
