import type { OtherOperator } from './other-operator';
import { KEEP } from './environment';
import { POD_WEBHOOK } from './webhooks';
import type { Chart } from '../chart';
import { quoted } from '../../quote';
import { LABEL_APP_UID, LABEL_LAUNCHED_BY } from '../../../api/labels';

/** Step of a migration. */
export interface Step {
  readonly title: string;
  /** Lines to run, one after the other. */
  readonly commands: readonly string[];
  /** Effect of the commands, or a warning. */
  readonly note?: string;
}

/** Facts from which the steps follow. */
export interface StepFacts {
  readonly other: OtherOperator;
  /** Values of its release. @default - it was not installed by Helm */
  readonly chart?: Chart;
  /** Namespace of this operator. */
  readonly own: string;
  /** Namespaces with objects, in the order of the migration. */
  readonly namespaces: readonly string[];
  /** Webhook configurations that change pods of this operator, now or on the way back. */
  readonly toExclude: readonly string[];
  /** Options of the command line that every command needs, such as `--image`. */
  readonly options: readonly string[];
}

/** Steps there and back. */
export interface Steps {
  readonly there: readonly Step[];
  readonly back: readonly Step[];
}

/** Label by which kubeflow's operator leaves a namespace that it selects by labels. */
const MOVED = 'sparkoperator.k8s.io/operator';
const MOVED_VALUE = 'cdk8s';

/** Returns the steps of a migration, namespace by namespace. */
export function stepsOf(facts: StepFacts): Steps {
  const { namespaces } = facts;
  return {
    there: [...preparation(facts), ...namespaces.flatMap((namespace, index) => moveStep(facts, namespace, index)), ...endSteps(facts)],
    back: backSteps(facts),
  };
}

function preparation(facts: StepFacts): Step[] {
  const { other: { selection }, chart, own, namespaces, toExclude, options } = facts;
  const isAll = selection === undefined || selection.names === 'all';
  const values = [
    ...(chart ? [...accountValues('spark.serviceAccount', chart), ...accountValues('spark.rbac', chart)] : []),
    ...(chart?.value('hook.upgradeCrd') === true ? ['--set hook.upgradeCrd=false'] : []),
    ...(chart && isAll ? [namesValue(namespaces)] : []),
    ...(chart && selection?.selector !== undefined ? [selectorValue(selection.selector)] : []),
  ];
  return [
    ...(chart ? [{
      title: 'Write the props for all namespaces of the release',
      commands: [['sparkctl migrate', `-n ${own}`, `--write ${FILE}`, ...options].join(' ')],
      note: 'for the end, as the next steps change the values of the release',
    }] : []),
    ...(values.length > 0 ? [{
      title: 'Prepare the Helm release',
      commands: [upgrade(facts, values)],
      note: [
        'service accounts of drivers and their Roles then stay when the release shrinks or goes',
        ...(isAll ? ['it names the namespaces with objects, as an operator of all namespaces cannot leave one of them'] : []),
        ...(selection?.selector === undefined ? [] : [`namespaces with the label ${MOVED}=${MOVED_VALUE} are no longer its own`]),
      ].join('; '),
    }] : []),
    ...(!chart ? [{
      title: 'Make the other operator leave namespaces',
      commands: withoutHelm(facts, isAll ? namespaces : selection.names),
      note: 'there is no Helm release: each step changes --namespaces of its Deployments; keep the service accounts of drivers',
    }] : []),
    ...toExclude.map((name) => excludeStep(name)),
  ];
}

/** File with the props for all namespaces. */
const FILE = 'operator.yaml';

/** Returns whether the other operator has namespaces that its command line does not name. */
function isOpen({ other: { selection } }: StepFacts): boolean {
  return selection === undefined || selection.names === 'all' || selection.selector !== undefined;
}

/** The chart creates accounts and Roles in named namespaces. It must not delete or add any. */
function accountValues(group: string, chart: Chart): string[] {
  if (chart.value(`${group}.create`) === false) return [];
  return chart.hasNamedNamespaces ? [keep(group)] : [`--set ${group}.create=false`];
}

/** Makes the webhook of kubeflow's operator skip pods of this one. */
function excludeStep(configuration: string): Step {
  const patch = {
    webhooks: [{ name: POD_WEBHOOK, objectSelector: { matchExpressions: [{ key: LABEL_APP_UID, operator: 'DoesNotExist' }] } }],
  };
  return {
    title: "Exclude this operator's pods from the other webhook",
    commands: [`kubectl patch mutatingwebhookconfiguration ${configuration} --type=strategic --patch ${quoted(JSON.stringify(patch))}`],
    note: 'it would add volumes and owners a second time, and the API server rejects such pods; `helm upgrade` keeps the patch',
  };
}

function moveStep(facts: StepFacts, namespace: string, index: number): Step[] {
  const { other, namespaces } = facts;
  const moved = namespaces.slice(0, index + 1);
  const left = namespaces.slice(index + 1);
  return [{
    title: `Move ${namespace}`,
    commands: [
      ...leave(facts, namespace, left),
      install(facts, moved),
      `sparkctl doctor -n ${namespace} && sparkctl list -n ${namespace}`,
    ],
    note: [
      left.length > 0
        ? `drivers and executors keep running; ${other.namespace}/${other.name} continues with ${left.join(', ')}`
        : 'drivers and executors keep running; the other operator has no namespace left, and is stopped',
      ...(other.webhook ? ['executors that are created between the commands lack settings that only a webhook adds'] : []),
    ].join('; '),
  }];
}

/** Returns the commands by which the other operator leaves a namespace. */
function leave(facts: StepFacts, namespace: string, left: readonly string[]): string[] {
  const { other: { namespace: theirs, name, selection } } = facts;
  const isNamed = selection === undefined || selection.names === 'all' || selection.names.includes(namespace);
  const label = selection?.selector === undefined ? [] : [`kubectl label namespace ${namespace} ${MOVED}=${MOVED_VALUE}`];
  if (left.length === 0) return [...label, `kubectl scale deployment -n ${theirs} ${name} --replicas=0`];
  return [...label, ...(isNamed ? rename(facts, left) : [])];
}

/**
 * Helm option by which a release takes over objects of this operator with the same names, such as
 * the Role of the webhook.
 */
const TAKE_OWNERSHIP = '--take-ownership';

/**
 * Returns the commands by which the other operator has only these namespaces.
 *
 * @param options further options of Helm
 */
function rename(facts: StepFacts, namespaces: readonly string[], options: readonly string[] = []): string[] {
  // An empty list would mean all namespaces, unless a selector remains.
  const names = namesLeft(facts, namespaces);
  return [...(facts.chart ? [upgrade(facts, [namesValue(names), ...options])] : withoutHelm(facts, names)), untilReplaced(facts)];
}

/** The previous pod works until the new one has replaced it. */
function untilReplaced({ other: { namespace, name } }: StepFacts): string {
  return `kubectl rollout status deployment -n ${namespace} ${name}`;
}

/** Returns the names that the other operator keeps: those that labels select are not among them. */
function namesLeft({ other: { selection } }: StepFacts, left: readonly string[]): readonly string[] {
  const names = selection?.names;
  return names === undefined || names === 'all' || selection?.selector === undefined ? left : left.filter((each) => names.includes(each));
}

function endSteps(facts: StepFacts): Step[] {
  const { other: { namespace, deployment }, chart } = facts;
  const names = [deployment, ...(facts.other.webhook ? [facts.other.webhook] : [])].map(({ metadata }) => metadata.name);
  const running = `kubectl get pods -A -l '${LABEL_LAUNCHED_BY}=true,!${LABEL_APP_UID}' --field-selector=status.phase=Running`;
  return [{
    title: 'Remove the rest, when nothing runs any more that the other operator has started',
    commands: [
      running,
      ...(chart
        // Both have Roles of the same names in the last namespace, which go with the release.
        ? [`helm uninstall -n ${chart.release.namespace} ${chart.release.name}`, `sparkctl install --values ${FILE} --force-conflicts`]
        : [`kubectl delete deployment -n ${namespace} ${names.join(' ')}`]),
      'sparkctl doctor',
    ],
    note: [
      'CRDs stay, as do the service accounts that were kept; the first command prints nothing once nothing runs',
      ...(chart ? ['the installation restores Roles that were also of the release'] : []),
      ...(isOpen(facts) ? ['applications that exist in further selected namespaces start then'] : []),
    ].join('; '),
  }];
}

/** Returns the steps back, in the reverse order. This operator leaves a namespace first. */
function backSteps(facts: StepFacts): Step[] {
  const { other: { namespace: theirs, name, deployment }, namespaces } = facts;
  const [last, ...others] = namespaces.map((namespace, index) => returnStep(facts, namespace, index)).reverse();
  if (!last) return [];
  // The other operator was stopped when it had no namespace left.
  const start = `kubectl scale deployment -n ${theirs} ${name} --replicas=${deployment.spec.replicas || 1}`;
  return [{ ...last, commands: [...last.commands, start, untilReplaced(facts)] }, ...others];
}

function returnStep(facts: StepFacts, namespace: string, index: number): Step {
  const { other: { selection }, own, namespaces } = facts;
  const kept = namespaces.slice(0, index);
  const isNamed = selection === undefined || selection.names === 'all' || selection.names.includes(namespace);
  return {
    title: `Give ${namespace} back`,
    commands: [
      kept.length > 0 ? `${install(facts, kept)} --prune` : `kubectl scale deployment -n ${own} ${facts.chart?.ownName ?? 'spark-operator'} --replicas=0`,
      ...(selection?.selector === undefined ? [] : [`kubectl label namespace ${namespace} ${MOVED}-`]),
      ...(isNamed ? rename(facts, namespaces.slice(index), [TAKE_OWNERSHIP]) : []),
    ],
    note: 'this operator completes what it has begun; the other one knows all states, and drops status fields that only this operator writes',
  };
}

/** Without a release there are no values to translate. */
function install({ chart, own, options }: StepFacts, namespaces: readonly string[]): string {
  return [`sparkctl ${chart ? 'migrate --install' : 'install'} --force-conflicts`, `-n ${own}`, `--job-namespace ${namespaces.join(',')}`, ...options].join(' ');
}

function upgrade({ chart }: StepFacts, values: readonly string[]): string {
  const { name, namespace, version } = chart!.release;
  return [
    `helm upgrade ${name} spark-operator/spark-operator -n ${namespace}`, ...(version === undefined ? [] : [`--version ${version}`]),
    '--reuse-values', ...values,
  ].join(' ');
}

function keep(group: string): string {
  return `--set-string ${quoted(`${group}.annotations.${KEEP.replaceAll('.', '\\.')}=keep`)}`;
}

function namesValue(names: readonly string[]): string {
  return `--set ${quoted(`spark.jobNamespaces={${names.join(',')}}`)}`;
}

/** Helm reads commas and backslashes in a value itself. */
function selectorValue(selector: string): string {
  const requirement = `${MOVED}!=${MOVED_VALUE}`;
  const all = selector.includes(requirement) ? selector : `${selector},${requirement}`;
  return `--set-string ${quoted(`spark.jobNamespaceSelector=${all.replaceAll(',', '\\,')}`)}`;
}

/** Returns commands that change the namespaces in the command lines of Deployments. */
function withoutHelm({ other: { namespace, deployment, webhook } }: StepFacts, names: readonly string[]): string[] {
  return [deployment, ...(webhook ? [webhook] : [])].map(({ metadata: { name }, spec: { template: { spec } } }) => {
    const { args = [] } = spec.containers[0]!;
    const index = args.findLastIndex((arg) => arg.startsWith('--namespaces='));
    const path = `/spec/template/spec/containers/0/args/${index < 0 ? '-' : index}`;
    const patch = [{ op: index < 0 ? 'add' : 'replace', path, value: `--namespaces=${names.join(',')}` }];
    return `kubectl patch deployment -n ${namespace} ${name} --type=json --patch ${quoted(JSON.stringify(patch))}`;
  });
}
