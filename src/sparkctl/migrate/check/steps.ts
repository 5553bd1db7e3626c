import type { OtherOperator } from './other-operator';
import type { MigratedNamespaces } from './namespaces';
import { keep, MOVED, MOVED_VALUE, namesValue, patchDeployments, patchWebhook, selectorValue, stop, upgrade } from './step-commands';
import type { PodWebhook, Requirement, WebhookSearch } from './webhooks';
import type { Chart } from '../chart';
import { quoted } from '../../quote';
import { selectorOf } from '../../setup/labels';
import { LABEL_APP_UID, LABEL_LAUNCHED_BY } from '../../../api/labels';
import { installationKey, OPERATOR_NAME } from '../../../model/installation';

/** Step of a migration. */
export interface Step {
  readonly title: string;
  /** Lines to run, one after the other. */
  readonly commands: readonly string[];
  /** Effect of the commands, or a warning. */
  readonly note?: string;
}

/** Options by which a user chooses a cluster. */
export interface ClusterOptions {
  readonly context?: string;
  readonly kubeconfig?: string;
}

/** Facts from which the steps follow. */
export interface StepFacts extends MigratedNamespaces {
  readonly other: OtherOperator;
  /** Values of its release. @default - it was not installed by Helm */
  readonly chart?: Chart;
  /** Namespace of this operator. */
  readonly own: string;
  readonly webhooks: WebhookSearch;
  /** Options of the command line that every command needs, such as `--image`. */
  readonly options: readonly string[];
  readonly cluster: ClusterOptions;
  /** Whether the cluster has no further operator of kubeflow's. */
  readonly isOnly: boolean;
}

/** Steps there and back. */
export interface Steps {
  readonly there: readonly Step[];
  readonly back: readonly Step[];
}

/** Returns the steps of a migration, namespace by namespace. */
export function stepsOf(facts: StepFacts): Steps {
  const { toMove, stay } = facts;
  return {
    there: [
      ...clusterStep(facts), ...preparation(facts), ...toMove.map((namespace, index) => moveStep(facts, namespace, index)),
      ...(stay.length > 0 ? [] : endSteps(facts)),
    ],
    back: backSteps(facts),
  };
}

/** The commands of three programs have no common option for the cluster. */
function clusterStep({ cluster: { context, kubeconfig } }: StepFacts): Step[] {
  const commands = [
    ...(kubeconfig === undefined ? [] : [`export KUBECONFIG=${quoted(kubeconfig)}`]),
    ...(context === undefined ? [] : [`kubectl config use-context ${quoted(context)}`]),
  ];
  if (commands.length === 0) return [];
  return [{ title: 'Choose the cluster', commands, note: 'all further commands, also those back, use the current context' }];
}

/** Text about programs that write what they have in a repository. */
const GITOPS = 'pause programs such as Argo CD and Flux that manage it, as they would undo this';

function preparation(facts: StepFacts): Step[] {
  const { other: { selection }, chart, own, moved, toMove, stay, webhooks, options } = facts;
  const isAll = selection === undefined || selection.names === 'all';
  const named = [...toMove, ...stay];
  const values = [
    ...(chart ? [...accountValues('spark.serviceAccount', chart), ...accountValues('spark.rbac', chart)] : []),
    ...(chart?.value('hook.upgradeCrd') === true ? ['--set hook.upgradeCrd=false'] : []),
    ...(chart && isAll && named.length > 0 ? [namesValue(named)] : []),
    ...(chart && selection?.selector !== undefined ? [selectorValue(selection.selector)] : []),
  ];
  const patches = chart ? [] : patchDeployments(facts.other, isAll ? named : selection.names, selection?.selector);
  return [
    ...(chart && moved.length === 0 ? [{
      title: 'Write the props for all namespaces of the release',
      commands: [['sparkctl migrate', ...releaseOptions(facts), `-n ${own}`, `--write ${FILE}`, ...options].join(' ')],
      note: 'for the end, as the next steps change the values of the release',
    }] : []),
    ...(values.length > 0 ? [{
      title: 'Prepare the Helm release',
      commands: [upgrade(chart!.release, values)],
      note: [
        'service accounts of drivers and their Roles then stay when the release shrinks or goes',
        GITOPS,
        ...(isAll ? ['it names the namespaces with objects, as an operator of all namespaces cannot leave one of them'] : []),
        ...(selection?.selector === undefined ? [] : [`namespaces with the label ${MOVED}=${MOVED_VALUE} are no longer its own`]),
      ].join('; '),
    }] : []),
    ...(patches.length > 0 ? [{
      title: 'Make the other operator leave namespaces',
      commands: patches,
      note: `there is no Helm release: each step changes the flags of its Deployments; ${GITOPS}; keep the service accounts of drivers`,
    }] : []),
    ...webhooks.pods.flatMap((webhook) => excludeStep(facts, webhook)),
  ];
}

/** File with the props for all namespaces. */
const FILE = 'operator.yaml';

/** Returns whether the other operator has namespaces that its command line does not name. */
function isOpen({ other: { selection } }: StepFacts): boolean {
  return selection === undefined || selection.names === 'all' || selection.selector !== undefined;
}

/** Returns whether the other operator has namespaces by labels alone. Its webhook reviews all. */
function isByLabels({ other: { selection } }: StepFacts): boolean {
  return selection?.selector !== undefined && selection.names !== 'all' && selection.names.length === 0;
}

/** The chart creates accounts and Roles in named namespaces. It must not delete or add any. */
function accountValues(group: string, chart: Chart): string[] {
  if (chart.value(`${group}.create`) === false) return [];
  return chart.hasNamedNamespaces ? [keep(group)] : [`--set ${group}.create=false`];
}

/** Makes the webhook of kubeflow's operator skip pods of this one, and namespaces that moved. */
function excludeStep(facts: StepFacts, { configuration, isExcluded, namespaces = [] }: PodWebhook): Step[] {
  const isMoved = (requirement: Requirement) => requirement.key === MOVED;
  const skipsMoved = !isByLabels(facts) || namespaces.some(isMoved);
  if (isExcluded && skipsMoved) return [];
  return [{
    title: "Exclude this operator's pods from the other webhook",
    commands: [patchWebhook(configuration, {
      objectSelector: { matchExpressions: [{ key: LABEL_APP_UID, operator: 'DoesNotExist' }] },
      ...(!skipsMoved && {
        namespaceSelector: { matchExpressions: [...namespaces, { key: MOVED, operator: 'NotIn', values: [MOVED_VALUE] }] },
      }),
    })],
    note: 'it would add volumes and owners a second time, and the API server rejects such pods; `helm upgrade` keeps the patch',
  }];
}

/** All namespaces have this label. */
const NO_NAMESPACE = [{ key: 'kubernetes.io/metadata.name', operator: 'DoesNotExist' }];

/**
 * Returns the commands by which the pod webhook of the other operator reviews no namespace, or the
 * previous ones. An empty list of namespaces would mean all of them. This operator's webhook serves
 * the executors of old drivers, and both would add their volumes.
 */
function limitWebhook(facts: StepFacts, isBack = false): string[] {
  if (isByLabels(facts)) return [];
  return facts.webhooks.pods.filter(({ operator }) => operator === facts.other.namespace).map(({ configuration, namespaces }) => (
    patchWebhook(configuration, { namespaceSelector: { matchExpressions: isBack ? namespaces ?? null : NO_NAMESPACE } })
  ));
}

function moveStep(facts: StepFacts, namespace: string, index: number): Step {
  const { other, moved, toMove, stay } = facts;
  const left = [...toMove.slice(index + 1), ...stay];
  return {
    title: `Move ${namespace}`,
    commands: [
      ...leave(facts, namespace, left),
      install(facts, [...moved, ...toMove.slice(0, index + 1)]),
      `sparkctl doctor -n ${quoted(namespace)} && sparkctl list -n ${quoted(namespace)}`,
    ],
    note: [
      left.length > 0
        ? `drivers and executors keep running; ${other.namespace}/${other.name} continues with ${left.join(', ')}`
        : 'drivers and executors keep running; the other operator has no namespace left, and is stopped',
      ...(other.webhook ? ['executors that are created between the commands lack settings that only a webhook adds'] : []),
    ].join('; '),
  };
}

/** Returns the commands by which the other operator leaves a namespace. */
function leave(facts: StepFacts, namespace: string, left: readonly string[]): string[] {
  const { other: { namespace: theirs, name, deployment, selection } } = facts;
  const isNamed = selection === undefined || selection.names === 'all' || selection.names.includes(namespace);
  const label = selection?.selector === undefined ? [] : [`kubectl label namespace ${quoted(namespace)} ${MOVED}=${MOVED_VALUE}`];
  if (left.length > 0) return [...label, ...(isNamed ? rename(facts, left) : [])];
  return [...label, ...limitWebhook(facts), ...stop(theirs, name, deployment.spec.selector.matchLabels ?? {})];
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
  const { chart, other } = facts;
  const commands = chart ? [upgrade(chart.release, [namesValue(names), ...options])] : patchDeployments(other, names);
  return [...commands, untilReplaced(facts)];
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
  const { other: { namespace, deployment, selection }, own, webhooks, chart, options } = facts;
  const names = [deployment, ...(facts.other.webhook ? [facts.other.webhook] : [])].map(({ metadata }) => metadata.name);
  const running = `kubectl get pods -A -l '${LABEL_LAUNCHED_BY}=true,!${LABEL_APP_UID}' `
    + '--field-selector=status.phase!=Succeeded,status.phase!=Failed';
  const configurations = webhooks.configurations.filter(({ operator }) => operator === namespace).map(({ title }) => quoted(title));
  return [{
    title: 'Remove the rest, when nothing runs any more that the other operator has started',
    commands: [
      running,
      ...(chart
        // Both have Roles of the same names in the last namespace, which go with the release.
        ? [
          `helm uninstall -n ${quoted(chart.release.namespace)} ${quoted(chart.release.name)}`,
          `sparkctl install --values ${FILE} --force-conflicts`,
        ] : [
          // The API server rejects objects for a webhook without pods.
          ...(configurations.length > 0 ? [`kubectl delete ${configurations.join(' ')}`] : []),
          `kubectl delete deployment -n ${namespace} ${names.join(' ')}`,
          ...(selection?.names === 'all' ? [['sparkctl install --force-conflicts', `-n ${own}`, '--all-namespaces', ...options].join(' ')] : []),
        ]),
      'sparkctl doctor',
    ],
    note: [
      'CRDs stay, as do the service accounts that were kept; the first command prints nothing once nothing runs; the way back ends here',
      ...(chart ? ['the installation restores Roles that were also of the release'] : []),
      ...(isOpen(facts) && (chart || selection?.names === 'all') ? ['applications that exist in further selected namespaces start then'] : []),
      ...(!chart && selection?.selector !== undefined ? [`for further namespaces with ${selection.selector}, set namespaceSelectorExpression`] : []),
    ].join('; '),
  }];
}

/** Returns the steps back, in the reverse order. This operator leaves a namespace first. */
function backSteps(facts: StepFacts): Step[] {
  const { other: { namespace: theirs, name, deployment }, moved, toMove, stay } = facts;
  const [last, ...others] = [...moved, ...toMove].map((namespace, index) => returnStep(facts, namespace, index)).reverse();
  if (!last) return [];
  // The other operator was stopped when it had no namespace left.
  const start = stay.length > 0 ? [] : [
    `kubectl scale deployment -n ${theirs} ${name} --replicas=${deployment.spec.replicas || 1}`, untilReplaced(facts),
  ];
  return [{ ...last, commands: [...last.commands, ...start] }, ...others];
}

function returnStep(facts: StepFacts, namespace: string, index: number): Step {
  const { other: { selection }, moved, toMove, stay } = facts;
  const all = [...moved, ...toMove];
  const isLast = index === all.length - 1;
  const isNamed = selection?.selector === undefined || selection.names === 'all' || selection.names.includes(namespace);
  return {
    title: `Give ${namespace} back`,
    commands: [
      ...(index > 0 ? [`${install(facts, all.slice(0, index))} --prune`] : stopOwn(facts)),
      ...(isLast && stay.length === 0 ? limitWebhook(facts, true) : []),
      ...(selection?.selector === undefined ? [] : [`kubectl label namespace ${quoted(namespace)} ${MOVED}-`]),
      ...(isNamed ? rename(facts, [...all.slice(index), ...stay], [TAKE_OWNERSHIP]) : []),
    ],
    note: 'this operator completes what it has begun; the other one knows all states, and drops status fields that only this operator writes',
  };
}

/**
 * This operator keeps what drivers need. Its webhook would add volumes in addition to those of the
 * other one.
 */
function stopOwn({ own, chart }: StepFacts): string[] {
  const name = chart?.ownName ?? OPERATOR_NAME;
  return [
    ...(chart?.value('webhook.enable') === true
      ? [`kubectl delete mutatingwebhookconfigurations,validatingwebhookconfigurations -l ${quoted(selectorOf(installationKey(own, name)))}`] : []),
    ...stop(own, name, { 'app.kubernetes.io/name': name }),
  ];
}

/** Without a release there are no values to translate. */
function install(facts: StepFacts, namespaces: readonly string[]): string {
  const { chart, own, options } = facts;
  return [
    ...(chart ? ['sparkctl migrate --install', ...releaseOptions(facts)] : ['sparkctl install']),
    '--force-conflicts', `-n ${own}`, `--job-namespace ${quoted(namespaces.join(','))}`, ...options,
  ].join(' ');
}

/** Returns the options that choose the release among several. */
function releaseOptions({ chart, isOnly }: StepFacts): string[] {
  if (!chart || isOnly) return [];
  return [`--release-namespace ${quoted(chart.release.namespace)}`, `--release ${quoted(chart.release.name)}`];
}
