import { globsOfAnnotation, globVariables, isAllowed } from './_policy-globs';
import { hasLimit, isEmpty, limitOf, limitValidation, type Validation, type Variable } from './_policy-parts';
import { ANNOTATION_ALLOWED_SERVICE_ANNOTATIONS, ANNOTATION_ALLOWED_SERVICE_TYPES } from '../api/labels';

/*
 * Limits of the Services and Ingresses of drivers and servers. The operator has the same comparison
 * (operator/defaults/service-limits); a test feeds the same cases to both.
 */

/**
 * Fields that expose a port. `variables.spec` and `variables.path` are those of an application or a
 * server.
 */
const EXPOSED: Variable = {
  name: 'exposed',
  expression: [
    "(has(variables.spec.sparkUIOptions) ? [{'path': dyn(variables.path + '.sparkUIOptions'), 'options': variables.spec.sparkUIOptions}] : [])",
    "(has(variables.spec.driverIngressOptions) ? variables.spec.driverIngressOptions.map(o, {'path': dyn(variables.path + '.driverIngressOptions[' + string(o.servicePort) + ']'), 'options': o}) : [])",
  ].join(' + '),
};

/** Service of a server: none or one. */
const SERVER_SERVICES: Variable = {
  name: 'serverServices',
  expression: "has(variables.spec.server) && has(variables.spec.server.service) ? [{'path': dyn(variables.path + '.server.service'), 'service': variables.spec.server.service}] : []",
};

/**
 * Types that are not allowed, and addresses that might belong to other users. ClusterIP is always
 * allowed.
 */
const WRONG_SERVICE_TYPES: Variable = {
  name: 'wrongServiceTypes',
  expression: hasLimit(ANNOTATION_ALLOWED_SERVICE_TYPES, [
    "(variables.exposed.filter(e, has(e.options.serviceType)).map(e, {'field': dyn(e.path + '.serviceType'), 'value': e.options.serviceType})",
    "variables.serverServices.filter(s, has(s.service.spec) && has(s.service.spec.type)).map(s, {'field': dyn(s.path + '.spec.type'), 'value': s.service.spec.type})"
    + `).filter(t, t.value != '' && t.value != 'ClusterIP' && !${isAllowed('ServiceTypes', 'string(t.value)')})`,
    "variables.serverServices.filter(s, has(s.service.spec) && has(s.service.spec.externalIPs) && s.service.spec.externalIPs.size() > 0).map(s, {'field': dyn(s.path + '.spec.externalIPs'), 'value': dyn(s.service.spec.externalIPs[0])})",
  ].join(' + ')),
};

const PREFIX = 'spark.kubernetes.driver.service.annotation.';

/** Names of annotations, by their maps: CEL of Kubernetes 1.30 cannot concatenate nested lists. */
const SERVICE_ANNOTATIONS: Variable = {
  name: 'serviceAnnotations',
  expression: hasLimit(ANNOTATION_ALLOWED_SERVICE_ANNOTATIONS, [
    ...[
      'serviceAnnotations', 'ingressAnnotations',
    ].map(
      (
        field,
      ) => `variables.exposed.filter(e, has(e.options.${field})).map(e, {'path': dyn(e.path + '.${field}['), 'names': dyn(e.options.${field}.map(name, name))})`,
    ),
    "(has(variables.spec.driver) && has(variables.spec.driver.serviceAnnotations) ? [{'path': dyn(variables.path + '.driver.serviceAnnotations['), 'names': dyn(variables.spec.driver.serviceAnnotations.map(name, name))}] : [])",
    `[{'path': dyn(variables.path + '.sparkConf[${PREFIX}'), 'names': dyn(variables.sparkConf.filter(key, key.startsWith('${PREFIX}')).map(key, key.substring(${PREFIX.length})))}]`,
    "variables.serverServices.filter(s, has(s.service.metadata) && has(s.service.metadata.annotations)).map(s, {'path': dyn(s.path + '.metadata.annotations['), 'names': dyn(s.service.metadata.annotations.map(name, name))})",
  ].join(' + ')),
};

const WRONG_SERVICE_ANNOTATIONS: Variable = {
  name: 'wrongServiceAnnotations',
  expression: [
    'variables.serviceAnnotations',
    `.map(m, m.names.filter(name, !${isAllowed('ServiceAnnotations', 'string(name)')}).map(name, {'field': dyn(m.path + name + ']'), 'value': dyn(name)}))`,
    '.filter(l, l.size() > 0)',
  ].join(''),
};

/**
 * In the order of their dependencies; after `spec`, `path`, `sparkConf` and `annotations`.
 * @internal
 */
export const SERVICE_VARIABLES: readonly Variable[] = [
  ...globVariables('ServiceTypes', globsOfAnnotation(ANNOTATION_ALLOWED_SERVICE_TYPES)),
  ...globVariables('ServiceAnnotations', globsOfAnnotation(ANNOTATION_ALLOWED_SERVICE_ANNOTATIONS)),
  EXPOSED, SERVER_SERVICES, WRONG_SERVICE_TYPES, SERVICE_ANNOTATIONS, WRONG_SERVICE_ANNOTATIONS,
];

/** @internal */
export const SERVICE_VALIDATIONS: readonly Validation[] = [
  limitValidation(
    isEmpty('wrongServiceTypes'), 'variables.wrongServiceTypes[0]', 'the type of a Service', limitOf(ANNOTATION_ALLOWED_SERVICE_TYPES),
    'write ClusterIP',
  ),
  limitValidation(
    isEmpty('wrongServiceAnnotations'), 'variables.wrongServiceAnnotations[0][0]', 'an annotation of a Service or Ingress',
    limitOf(ANNOTATION_ALLOWED_SERVICE_ANNOTATIONS), 'remove it',
  ),
];
