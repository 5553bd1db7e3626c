import { shortDuration } from '../../text/duration';
import { executorsText } from './exit';
import { countText, momentText, shown } from './format';
import { State, Time } from './parts';
import { Table, type TableColumn } from './table';
import type { Attempt } from '../wire';

/** Reasons why an attempt began, as in the status. */
const TRIGGERS: Readonly<Record<string, string>> = {
  Creation: 'created', RestartPolicy: 'retried', SpecChange: 'edited or run again', Resume: 'resumed',
};

interface AttemptsProps {
  readonly attempts: readonly Attempt[];
  /** Number of attempts after the first one that are not kept. */
  readonly omitted: number;
  readonly now: number;
}

/** Renders the attempts of an application, the latest first. */
export function Attempts({ attempts, omitted, now }: AttemptsProps) {
  if (attempts.length === 0) return null;
  const columns: readonly TableColumn<Attempt>[] = [
    { title: 'Attempt', cell: ({ number, trigger }) => `${number}${trigger ? `, ${TRIGGERS[trigger] ?? trigger}` : ''}` },
    { title: 'State', cell: ({ state }) => <State state={state} /> },
    { title: 'Began', cell: ({ from }) => <Time at={from}>{momentText(from)}</Time> },
    { title: 'Waited', kind: 'number', drops: 1, cell: (attempt) => waitText(attempt, now) },
    { title: 'Ran for', kind: 'number', cell: ({ started, to }) => (started === undefined ? '' : shortDuration((to ?? now) - started)) },
    { title: 'Executors', kind: 'note', cell: ({ executors }) => (executors ? shown(executorsText(executors)) : '') },
    { title: 'Node', kind: 'note', drops: 2, cell: ({ node }) => node },
    { title: 'Cause', kind: 'text', cell: ({ cause, exitCode }) => shown(causeText(cause, exitCode)) },
  ];
  return <>
    <Table<Attempt> label="Attempts" columns={columns} rows={[...attempts].reverse()} keyOf={({ submissionId }) => submissionId} />
    {omitted > 0 && <p class="dim">{countText(omitted, 'attempt')} after the first one {omitted === 1 ? 'is' : 'are'} no longer recorded.</p>}
  </>;
}

/** Returns how long a driver waited for its start. */
function waitText({ from, started, to }: Attempt, now: number): string {
  return shortDuration((started ?? to ?? now) - from);
}

function causeText(cause: string | undefined, exitCode: number | undefined): string {
  if (cause === undefined) return exitCode === undefined ? '' : `exit code ${exitCode}`;
  return exitCode === undefined || cause.includes(`exit code ${exitCode}`) ? cause : `${cause} (exit code ${exitCode})`;
}
