import type { MigratedObject } from './deviations';
import type { ObjectReport } from './objects';
import type { OtherOperator } from './other-operator';
import { type Finding, findingsOf } from '../../doctor/finding';
import { listed } from '../../doctor/listed';
import { isUnreadable, read, unreadable } from '../../doctor/reading';
import type { KubeClient } from '../../../kube/client';
import { NAMESPACES } from '../../../model/resources';

/** Namespaces of a migration. At no time one of them has no operator, or two. */
export interface MigratedNamespaces {
  /** Namespaces that this operator already has. */
  readonly moved: readonly string[];
  /** Namespaces to move, in this order. */
  readonly toMove: readonly string[];
  /** Namespaces that stay with the other operator. */
  readonly stay: readonly string[];
}

/** Facts from which the namespaces follow. */
export interface NamespaceFacts {
  readonly other: OtherOperator;
  readonly objects: ObjectReport;
  /** Namespaces of the installed operator of this package. */
  readonly installed: readonly string[];
  /** Namespaces to which the user limits the steps. @default - all */
  readonly wanted?: readonly string[];
}

/** Namespaces, or the reason why there are no steps. */
export type NamespaceResult = { readonly namespaces: MigratedNamespaces } | { readonly finding: Finding };

const findings = findingsOf('Namespaces');

/**
 * Returns the namespaces of the steps. An operator that does not name its namespaces must name all
 * with applications before it can leave one of them.
 */
export async function namespacesOf(
  client: Pick<KubeClient, 'list'>, { other: { selection }, objects, installed, wanted }: NamespaceFacts, signal: AbortSignal,
): Promise<NamespaceResult> {
  const named = selection === undefined || selection.names === 'all' ? undefined : selection.names;
  const selector = selection?.selector;
  let selected: readonly string[] = named ?? [];
  if (named === undefined || selector !== undefined) {
    if (wanted || !objects.isComplete) return { finding: findings.warning(NEEDS_ALL, wanted ? 'omit --job-namespace' : undefined) };
    let used = [...new Set(Object.values(objects.objects).flat().map(({ metadata: { namespace = '' } }: MigratedObject) => namespace))].sort();
    if (named !== undefined) {
      const reading = await read(listed(client, NAMESPACES, { labelSelector: selector }, signal));
      if (isUnreadable(reading)) return { finding: unreadable(findings, 'the namespaces, of which labels select some', reading) };
      const labelled = new Set((reading.kind === 'found' ? reading.value : []).map(({ metadata }) => metadata.name));
      used = used.filter((name) => labelled.has(name));
    }
    selected = [...selected, ...used];
  }
  const all = [...new Set(selected)];
  const moved = installed.filter((name) => !all.includes(name));
  const toMove = (wanted ?? all).filter((name) => !moved.includes(name));
  return { namespaces: { moved, toMove, stay: all.filter((name) => !toMove.includes(name)) } };
}

const NEEDS_ALL = "kubeflow's operator does not name its namespaces, so the steps need all namespaces with applications: there are no steps";
