import { executorsNow } from './exit';
import { ageText, shown, shortTimeText } from './format';
import { missingText } from './missing-rights';
import { Time } from './parts';
import { path, Plot } from './plots';
import { numberMarks } from './steps';
import { Table, type TableColumn } from './table';
import type { ApplicationDetail, EventRow, OwnedRow } from '../wire';

/** Renders the number of running executors over time. */
export function Executors(
  { detail, now }: { readonly detail: ApplicationDetail; readonly now: number },
) {
  const { attempts, executorSteps: steps, states, row, isDriverGone } = detail;
  const words = isDriverGone ? 'unknown, as the driver is gone' : shown(executorsNow(row, attempts.at(-1)));
  if (steps.length === 0) return <><h2>Executors</h2><p class="dim">{words}</p></>;
  const from = states[0]?.from ?? steps[0]!.at;
  const to = Math.max(row.ended ?? now, steps.at(-1)!.at, from + 1_000);
  const greatest = Math.max(...steps.map(({ running }) => running));
  return (
    <Plot
      title="Running executors" note={words} description={`${words}; at most ${greatest} at a time`} from={from} to={to}
      marks={numberMarks(greatest, 4)} markText={String}
      draw={({ x, y }) => {
        const points: (readonly [number, number])[] = [[x(from), y(0)]];
        let height = 0;
        for (const { at, running } of steps) {
          points.push([x(at), y(height)], [x(at), y(running)]);
          height = running;
        }
        points.push([x(to), y(height)]);
        return <><path class="area busy" d={`${path([...points, [x(to), y(0)]])}Z`} /><path class="line busy" d={path(points)} /></>;
      }}
    />
  );
}

/** Renders events, the newest first. */
export function Events({ detail: { events, hidden, row }, now }: { readonly detail: ApplicationDetail; readonly now: number }) {
  if (missingText('events', hidden, row.namespace) !== undefined) return null;
  if (events.length === 0) return <p class="dim">There are no events; Kubernetes keeps them for an hour.</p>;
  const columns: readonly TableColumn<EventRow>[] = [
    { title: 'Age', kind: 'number', cell: ({ last, count }) => <span><Time at={last}>{ageText(now - last)}</Time>{count > 1 ? ` ×${count}` : ''}</span> },
    { title: 'Type', drops: 1, cell: ({ type }) => shown(type) },
    { title: 'Reason', cell: ({ reason }) => shown(reason) },
    { title: 'About', kind: 'name', drops: 2, cell: ({ about }) => shown(about) },
    { title: 'Message', kind: 'text', cell: ({ message }) => shown(message) },
  ];
  return <>
    <Table<EventRow>
      label="Events" columns={columns} rows={[...events].reverse()} keyOf={({ uid }) => uid}
      toneOf={({ type }) => (type === 'Warning' ? 'warning' : '')}
    />
    <p class="dim">Without those of the executors’ pods, which the operator’s events summarize.</p>
  </>;
}

/** Renders other objects that belong to an application. */
export function Owned({ detail: { owned, hidden, row }, now }: { readonly detail: ApplicationDetail; readonly now: number }) {
  if (owned.length === 0 && missingText('objects', hidden, row.namespace) !== undefined) return null;
  if (owned.length === 0) return <p class="dim">There are no objects other than its pods.</p>;
  const columns: readonly TableColumn<OwnedRow>[] = [
    { title: 'Kind', cell: ({ kind }) => kind },
    { title: 'Name', kind: 'text', cell: ({ name }) => name },
    {
      title: 'Age', kind: 'number', cell: ({ created }) => (created === undefined ? '' : <Time at={created}>
        {`${ageText(now - created)} (${shortTimeText(created)})`}
      </Time>),
    },
  ];
  return <Table<OwnedRow> label="Objects" columns={columns} rows={owned} keyOf={({ kind, name }) => `${kind}/${name}`} />;
}
