import { shortDuration } from '../../text/duration';
import { ageText, shown } from './format';
import { State, Time } from './parts';
import { routeHash } from './route';
import { Table, type TableColumn } from './table';
import { bytesText, coresText, type Usage } from './usage';
import type { ApplicationDetail, PodRow } from '../wire';

/** Renders the pods of an application. */
export function Pods({ detail: { pods, row, noDriver }, usage, now }: {
  readonly detail: ApplicationDetail; readonly usage: Usage; readonly now: number;
}) {
  // Without the permission to list pods, the page reports only that.
  if (pods.length === 0) return noDriver === undefined ? null : <p class="dim">There are no pods: {shown(noDriver)}.</p>;
  const logOf = (name: string) => routeHash({ path: ['applications', row.namespace, row.name, 'logs'], query: { pod: name } });
  const used: readonly TableColumn<PodRow>[] = usage === undefined ? [] : [
    { title: 'CPU', kind: 'number', cell: ({ name, resources }) => ofText(usage.get(name)?.cpu, resources?.cpuLimit ?? resources?.cpu, coresText) },
    { title: 'Memory', kind: 'number', cell: ({ name, resources }) => ofText(usage.get(name)?.memory, resources?.memory, bytesText) },
  ];
  const columns: readonly TableColumn<PodRow>[] = [
    { title: 'Pod', kind: 'name', cell: ({ name }) => <a href={logOf(name)} title={`Log of ${name}`}>{name}</a> },
    { title: 'Role', cell: ({ role, executor }) => (role === 'driver' ? 'driver' : `executor ${executor ?? ''}`) },
    { title: 'State', cell: ({ state }) => <State state={state} /> },
    ...used,
    { title: 'Node', kind: 'name', drops: 2, cell: ({ node }) => node },
    {
      title: 'Ran for', kind: 'number', cell: ({ started, ended }) => (started === undefined ? '' : shortDuration((ended ?? now) - started)),
    },
    { title: 'Age', kind: 'number', drops: 1, cell: ({ created }) => (created === undefined ? '' : <Time at={created}>{ageText(now - created)}</Time>) },
    { title: 'Message', kind: 'text', cell: ({ reason = '' }) => shown(reason) },
  ];
  return <Table<PodRow> label="Pods" columns={columns} rows={pods} keyOf={({ uid, name }) => uid || name} />;
}

function ofText(used: number | undefined, most: number | undefined, text: (amount: number) => string): string {
  if (used === undefined) return '';
  return most === undefined ? text(used) : `${text(used)} of ${text(most)}`;
}
