import { found, wrongName, wrongServiceName } from '../rules/names';
import { wrongLabels } from '../rules/metadata';
import type { OperatorContext } from './_operator-context';
import { OWN_LABELS } from './_operator-names';
import type { OperatorAccountProps } from './operator-account';
import { OperatorNaming } from './operator-naming';
import type { SparkOperatorProps } from './spark-operator-props';
import type { Problem } from '../model/problem';

/** Leaves room for the suffixes of names, such as `-webhook-svc`. */
const MAX_NAME = 40;
/** Length of a label's value. */
const MAX_KEY = 63;

/**
 * Returns the problems of the operator's name, its labels and its service accounts.
 * @internal
 */
export function identityViolations({ props, names, accounts }: OperatorContext): Problem[] {
  const { name, naming, labels = {}, webhook, console, driverServiceAccount: drivers = {} } = props;
  const others = [accounts.operator, ...(webhook?.deployment ? [accounts.webhook] : [])];
  return found([
    wrongServiceName('name', name),
    name !== undefined && name.length > MAX_NAME ? {
      path: 'name', value: name, reason: `has ${name.length} characters, and names of objects are longer`, remedy: `write at most ${MAX_NAME}`,
    } : undefined,
    naming !== OperatorNaming.KUBEFLOW && names.key.length > MAX_KEY ? {
      path: 'name', value: name, reason: `and the namespace become a label, ${names.key}, which can have at most ${MAX_KEY} characters`,
      remedy: 'choose shorter names',
    } : undefined,
    ...wrongLabels('labels', labels),
    ...Object.keys(labels).filter((label) => OWN_LABELS.includes(label)).map((label) => (
      { path: `labels[${label}]`, reason: 'is set by the construct', remedy: 'leave it out' }
    )),
    ...accountViolations('', props),
    ...(webhook?.deployment ? accountViolations('webhook.deployment.', webhook.deployment) : []),
    ...(console ? accountViolations('console.', console) : []),
    ...driverAccountViolations(drivers),
    webhook?.deployment && accounts.webhook === accounts.operator ? {
      path: 'webhook.deployment.serviceAccountName', value: accounts.webhook,
      reason: 'is the service account of the operator, whose permissions the webhook does not need; choose another one',
    } : undefined,
    console && others.includes(accounts.console) ? {
      path: 'console.serviceAccountName', value: accounts.console,
      reason: 'is the service account of the operator or its webhook, whose permissions the console must not have; choose another one',
    } : undefined,
  ]);
}

function accountViolations(prefix: string, props: OperatorAccountProps): Problem[] {
  const { serviceAccountName, serviceAccountAnnotations, createServiceAccount, createRoles, roleAnnotations } = props;
  return existingAccountViolations([
    [`${prefix}serviceAccountName`, serviceAccountName], [`${prefix}serviceAccountAnnotations`, serviceAccountAnnotations],
    [`${prefix}createServiceAccount`, createServiceAccount], [`${prefix}createRoles`, createRoles],
    [`${prefix}roleAnnotations`, roleAnnotations],
  ]);
}

function driverAccountViolations(
  { name, annotations, create, createRoles, roleAnnotations }: NonNullable<SparkOperatorProps['driverServiceAccount']>,
): Problem[] {
  const path = (prop: string) => `driverServiceAccount.${prop}`;
  return existingAccountViolations([
    [path('name'), name], [path('annotations'), annotations], [path('create'), create], [path('createRoles'), createRoles],
    [path('roleAnnotations'), roleAnnotations],
  ]);
}

type Value<T> = readonly [path: string, value: T | undefined];

/**
 * Returns the problems of a service account: an existing one needs a name, and props of objects
 * that are not created have no effect.
 * @internal
 */
export function existingAccountViolations(
  [[namePath, name], [annotationsPath, annotations], [createPath, create], [rolesPath, createRoles],
    [roleAnnotationsPath, roleAnnotations]]:
  readonly [Value<string>, Value<object>, Value<boolean>, Value<boolean>, Value<object>],
): Problem[] {
  const withoutEffect = (path: string, by: string) => (
    { path, reason: `has no effect with ${by}: false`, remedy: 'set it where the object is created, or leave one of them out' }
  );
  return found([
    wrongName(namePath, name),
    create === false && name === undefined ? {
      path: namePath, reason: 'is missing', remedy: `write the name of the existing service account, or leave out ${createPath}: false`,
    } : undefined,
    create === false && annotations ? withoutEffect(annotationsPath, createPath) : undefined,
    createRoles === false && roleAnnotations ? withoutEffect(roleAnnotationsPath, rolesPath) : undefined,
  ]);
}
