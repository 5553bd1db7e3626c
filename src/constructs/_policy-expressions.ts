import { globsOfAnnotation, globVariables, isAllowed } from './_policy-globs';
import { hasLimit, isEmpty, limitOf, limitValidation, sentence, type Validation, type Variable } from './_policy-parts';
import { SERVICE_VALIDATIONS, SERVICE_VARIABLES } from './_policy-services';
import { ANNOTATION_ALLOWED_IMAGES, ANNOTATION_ALLOWED_SERVICE_ACCOUNTS } from '../api/labels';

/**
 * CEL expressions of the admission policies. They support objects whose templates contain any
 * value: an evaluation error would reject the object without a helpful message.
 */

/**
 * `dyn` disables type checks against the schemas of three kinds, each of which has different
 * fields.
 */
const OBJECT: readonly Variable[] = [
  { name: 'spec', expression: "object.kind == 'ScheduledSparkApplication' ? dyn(object).spec.template : dyn(object).spec" },
  { name: 'path', expression: "object.kind == 'ScheduledSparkApplication' ? 'spec.template' : 'spec'" },
  {
    name: 'sparkConf',
    expression: 'has(variables.spec.sparkConf) && type(variables.spec.sparkConf) == map ? variables.spec.sparkConf : {}',
  },
  // A SparkConnect has a server where applications have a driver.
  {
    name: 'pods',
    expression: "['driver', 'server', 'executor'].filter(role, role in variables.spec && type(variables.spec[role]) == map).map(role, {'path': dyn(variables.path + '.' + role), 'pod': variables.spec[role]})",
  },
  {
    name: 'templates',
    expression: "variables.pods.filter(p, has(p.pod.template) && type(p.pod.template) == map).map(p, {'path': dyn(p.path + '.template'), 'template': p.pod.template})",
  },
];

const NAMESPACE = 'spark.kubernetes.namespace';

/** Namespaces in templates. An empty one and null have no effect. */
const FOREIGN_TEMPLATES: Variable = {
  name: 'foreignTemplates',
  expression: [
    "variables.templates.filter(t, 'metadata' in t.template && type(t.template.metadata) == map && 'namespace' in t.template.metadata)",
    "map(t, {'field': dyn(t.path + '.metadata.namespace'), 'value': t.template.metadata.namespace})",
    "filter(t, t.value != '' && t.value != null && t.value != request.namespace)",
  ].join('.'),
};

/** Rules that apply in every namespace. */
const NAMESPACE_VALIDATIONS: readonly Validation[] = [
  {
    expression: `!('${NAMESPACE}' in variables.sparkConf) || variables.sparkConf['${NAMESPACE}'] == request.namespace`,
    message: `sparkConf[${NAMESPACE}] is not the namespace of the application; remove it, or create the application in the other namespace`,
    messageExpression: sentence(
      `variables.path + '.sparkConf[${NAMESPACE}] = "' + variables.sparkConf['${NAMESPACE}'] + '"`,
      "is not the namespace of the application, ' + request.namespace + '",
      'remove it, or create the application in the other namespace',
    ),
    reason: 'Invalid',
  },
  {
    expression: isEmpty('foreignTemplates'),
    message: 'template.metadata.namespace is not the namespace of the application; remove it',
    messageExpression: sentence(
      "variables.foreignTemplates[0].field + ' = \"' + string(variables.foreignTemplates[0].value) + '\"",
      "is not the namespace of the application, ' + request.namespace + '", 'remove it',
    ),
    reason: 'Invalid',
  },
];

/** The limits of a namespace are in its annotations. */
const LIMITS: readonly Variable[] = [
  { name: 'annotations', expression: 'has(namespaceObject.metadata.annotations) ? namespaceObject.metadata.annotations : {}' },
  ...globVariables('Accounts', globsOfAnnotation(ANNOTATION_ALLOWED_SERVICE_ACCOUNTS)),
  ...globVariables('Images', globsOfAnnotation(ANNOTATION_ALLOWED_IMAGES)),
  {
    name: 'podSpecs',
    expression: "variables.templates.filter(t, 'spec' in t.template && type(t.template.spec) == map).map(t, {'path': dyn(t.path + '.spec'), 'spec': t.template.spec})",
  },
];

/**
 * Service accounts as Kubernetes and Spark choose them: the field takes precedence over the
 * template, and `serviceAccountName` over the old `serviceAccount`.
 */
const WRONG_ACCOUNTS: Variable = {
  name: 'wrongAccounts',
  expression: hasLimit(ANNOTATION_ALLOWED_SERVICE_ACCOUNTS, [
    "(variables.pods.filter(p, has(p.pod.serviceAccount) && p.pod.serviceAccount != '').map(p, {'field': dyn(p.path + '.serviceAccount'), 'value': p.pod.serviceAccount})",
    " + variables.pods.filter(p, (!has(p.pod.serviceAccount) || p.pod.serviceAccount == '') && has(p.pod.template) && type(p.pod.template) == map && 'spec' in p.pod.template && type(p.pod.template.spec) == map)",
    ".map(p, {'path': dyn(p.path + '.template.spec'), 'spec': p.pod.template.spec})",
    ".map(s, 'serviceAccountName' in s.spec && s.spec.serviceAccountName != '' && s.spec.serviceAccountName != null",
    " ? {'field': dyn(s.path + '.serviceAccountName'), 'value': s.spec.serviceAccountName}",
    " : {'field': dyn(s.path + '.serviceAccount'), 'value': 'serviceAccount' in s.spec ? s.spec.serviceAccount : dyn('')}))",
  ].join('')) + `.filter(a, a.value != '' && a.value != null && (type(a.value) != string || !${isAllowed('Accounts', 'string(a.value)')}))`,
};

const IMAGE_PROPERTIES = ['', 'driver.', 'executor.'].map((role) => `'spark.kubernetes.${role}container.image'`).join(', ');

/** Name of a list entry, as in paths. */
const nameOf = (entry: string) => `('name' in ${entry} && type(${entry}.name) == string ? ${entry}.name : dyn(''))`;

/** Returns the entries of a list of this name, for all pods or templates that have it. */
const listsOf = (all: string, value: string, list: string) => (
  `variables.${all}.filter(p, '${list}' in p.${value} && type(p.${value}.${list}) == list).map(p, {'path': dyn(p.path + '.${list}'), 'entries': dyn(p.${value}.${list}.filter(e, type(e) == map))})`
);

const CONTAINERS: Variable = {
  name: 'containers',
  expression: [['pods', 'pod', 'sidecars'], ['pods', 'pod', 'initContainers'], [
    'podSpecs', 'spec', 'containers',
  ], ['podSpecs', 'spec', 'initContainers']]
    .map(([all, value, list]) => listsOf(all!, value!, list!)).join(' + '),
};

/** A volume can contain an image. */
const VOLUMES: Variable = {
  name: 'volumes',
  expression: `(has(variables.spec.volumes) && type(variables.spec.volumes) == list ? [{'path': dyn(variables.path + '.volumes'), 'entries': variables.spec.volumes}] : []) + ${listsOf('podSpecs', 'spec', 'volumes')}`,
};

/** All images, in lists: CEL of Kubernetes 1.30 cannot concatenate nested lists. */
const WRITTEN_IMAGES: Variable = {
  name: 'images',
  expression: [
    "[has(variables.spec.image) ? [{'field': dyn(variables.path + '.image'), 'value': variables.spec.image}] : []",
    `, [${IMAGE_PROPERTIES}].filter(key, key in variables.sparkConf).map(key, {'field': dyn(variables.path + '.sparkConf[' + key + ']'), 'value': variables.sparkConf[key]})`,
    ", variables.pods.filter(p, has(p.pod.image)).map(p, {'field': dyn(p.path + '.image'), 'value': p.pod.image})]",
    ` + variables.containers.map(l, l.entries.filter(c, 'image' in c).map(c, {'field': dyn(l.path + '[' + ${nameOf('c')} + '].image'), 'value': c.image}))`,
    " + variables.volumes.map(l, l.entries.filter(v, 'image' in v && type(v.image) == map && 'reference' in v.image)",
    `.map(v, {'field': dyn(l.path + '[' + ${nameOf('v')} + '].image.reference'), 'value': v.image.reference}))`,
  ].join(''),
};

/**
 * Distinct images, because many containers often share one: CEL of Kubernetes 1.30 has no
 * `distinct`. Spark 4 inserts its version into the names of images.
 */
const DISTINCT_IMAGES: Variable = {
  name: 'distinctImages',
  expression: [
    hasLimit(ANNOTATION_ALLOWED_IMAGES, 'variables.images'),
    ".map(l, l.filter(i, i.value != '' && type(i.value) == string && !variables.images.exists(m, m.exists(other, other.value == i.value && other.field < i.field)))",
    ".map(i, {'written': string(i.value), 'meant': string(i.value).replace('{{SPARK_VERSION}}', variables.spec.sparkVersion)}))",
  ].join(''),
};

/** Images that are not allowed. */
const FOREIGN_IMAGES: Variable = {
  name: 'foreignImages',
  expression: `variables.distinctImages.map(l, l.filter(i, !${isAllowed('Images', 'i.meant')}).map(i, i.written)).filter(l, l.size() > 0)`,
};

/** Paths of these images, and values that are not an image. */
const WRONG_IMAGES: Variable = {
  name: 'wrongImages',
  expression: [
    hasLimit(ANNOTATION_ALLOWED_IMAGES, 'variables.images'),
    ".map(l, l.filter(i, i.value != '' && i.value != null && (type(i.value) != string || variables.foreignImages.exists(m, i.value in m))))",
    '.filter(l, l.size() > 0)',
  ].join(''),
};

/**
 * Template files, which the policy cannot read, and which can also contain images and service
 * accounts.
 */
const TEMPLATE_FILES: Variable = {
  name: 'templateFiles',
  expression: [
    `(['${ANNOTATION_ALLOWED_SERVICE_ACCOUNTS}', '${ANNOTATION_ALLOWED_IMAGES}'].exists(name, name in variables.annotations) ? ['driver', 'executor'] : [])`,
    ".map(role, 'spark.kubernetes.' + role + '.podTemplateFile').filter(key, key in variables.sparkConf)",
  ].join(''),
};

/**
 * In the order of their dependencies.
 * @internal
 */
export const VARIABLES: readonly Variable[] = [
  ...OBJECT, FOREIGN_TEMPLATES, ...LIMITS, WRONG_ACCOUNTS, CONTAINERS, VOLUMES, WRITTEN_IMAGES, DISTINCT_IMAGES, FOREIGN_IMAGES,
  WRONG_IMAGES, TEMPLATE_FILES, ...SERVICE_VARIABLES,
];

/** Rules for the limits of a namespace. */
const LIMIT_VALIDATIONS: readonly Validation[] = [
  limitValidation(
    isEmpty('wrongAccounts'), 'variables.wrongAccounts[0]', 'a service account', limitOf(ANNOTATION_ALLOWED_SERVICE_ACCOUNTS),
    'write one of those service accounts',
  ),
  limitValidation(
    isEmpty('wrongImages'), 'variables.wrongImages[0][0]', 'an image', limitOf(ANNOTATION_ALLOWED_IMAGES), 'write one of those images',
  ),
  {
    expression: isEmpty('templateFiles'),
    message: 'a template file cannot be compared with what the namespace allows; write the template itself into the specification',
    messageExpression: sentence(
      "variables.path + '.sparkConf[' + variables.templateFiles[0] + ']",
      "names a file that cannot be compared with what namespace ' + request.namespace + ' allows",
      'write the template itself into the specification',
    ),
    reason: 'Invalid',
  },
];

/** @internal */
export const VALIDATIONS: readonly Validation[] = [...NAMESPACE_VALIDATIONS, ...LIMIT_VALIDATIONS, ...SERVICE_VALIDATIONS];
