import { useEffect, useMemo, useState } from 'preact/hooks';
import { shortDuration, timeUntil } from '../../text/duration';
import { Actions, type Action, type Report } from './actions';
import { notAllowed, useAllowed } from './allowed';
import { pathTo } from './api';
import { withoutOperator } from './application-actions';
import { NO_OPERATOR, scheduleStateOf, type ScheduleStateText } from './attention';
import { scheduleCardHeight } from './card';
import { ageText, countText, dateTimeText, shown, shortTimeText, toneOf } from './format';
import { Grid, type Column } from './grid';
import { go, useKeys, useLoaded, useNow, useRows } from './hooks';
import { emptyText, noScheduleText, unlistedText } from './missing-rights';
import { State, Time, Trouble } from './parts';
import { routeHash, type Route } from './route';
import { keyOf, type Rows } from './rows';
import { percent, TimeAxis, type Span } from './timeline';
import { RunGrid, RunSquares } from './run-grid';
import { applicationsBySchedule, deletedRunText, laterRunsText, plannedText, runDuration, runNow, runsOf, skippedText, timeOf, type Run } from './runs';
import { scheduleList } from './schedule-list';
import { Table, type TableColumn } from './table';
import { zonedText, zoneOf } from './zone';
import type { ScheduleRow, Session } from '../wire';
import type { PlannedRuns, SkippedRun, SkippedRuns } from '../wire-runs';

const HOUR = 3_600_000;

/** Milliseconds after which skipped runs are read again. */
const SKIPPED_PERIOD = 30_000;

/** Spans of the calendar line: past and future hours. */
const SPANS: Readonly<Record<string, readonly [behind: number, ahead: number, title: string]>> = {
  day: [6, 18, 'A day'], week: [48, 120, 'A week'], month: [7 * 24, 23 * 24, 'A month'],
};

/** Renders the list of schedules, with past and planned runs on a line. */
export function Schedules({ rows, route }: { readonly rows: Rows; readonly route: Route }) {
  const version = useRows(rows);
  const now = useNow(10_000);
  const { namespace = '', span: spanName = 'day', q = '', attention = '' } = route.query;
  const [visible, setVisible] = useState<readonly [number, number]>([0, 0]);
  const hasOperator = rows.noOperator === '';
  const applications = useMemo(() => applicationsBySchedule(rows), [version]);
  const { list, urgent, namespaces } = useMemo(() => {
    const all = [...rows.schedules.values()];
    const filter = { namespace, text: q, attention: attention === 'yes' };
    return {
      ...scheduleList(all, filter, (row) => runsOf(row, applications.get(keyOf(row))), { hasOperator }),
      namespaces: [...new Set(all.map((row) => row.namespace))].sort(),
    };
  }, [version, namespace, q, attention, hasOperator]);
  const change = (changes: Readonly<Record<string, string>>) => go({ path: ['schedules'], query: { ...route.query, ...changes } }, true);
  useKeys((event) => {
    if (event.key !== '/') return;
    event.preventDefault();
    document.querySelector<HTMLElement>('input[type=search]')?.focus();
  });

  const unlisted = unlistedText('schedules', rows);
  const span = spanAt(spanName, now);
  const { planned } = usePlanned(list.slice(visible[0], visible[1]), ahead(span, now));
  const circumstances = { hasOperator };
  const columns: readonly Column<ScheduleRow>[] = [
    {
      id: 'name', title: 'Name', cell: (row) => <a
        tabIndex={-1} href={routeHash({ path: ['schedules', row.namespace, row.name], query: {} })}
      >{row.name}</a>,
    },
    { id: 'namespace', title: 'Namespace', cell: (row) => row.namespace },
    {
      id: 'schedule', title: 'Schedule',
      cell: (row) => <span title={`${row.schedule} ${zoneOf(row)}`}>
        <code>{shown(row.schedule)}</code> <span class="dim">{shown(zoneOf(row))}</span>
      </span>,
    },
    {
      id: 'state', title: 'State', cell: (row) => {
        const { state, reason } = scheduleStateOf(row, circumstances);
        return <State state={state} isUrgent={reason !== undefined} />;
      },
    },
    {
      id: 'next', title: 'Next', isNumber: true,
      cell: (row) => <Next row={row} reason={scheduleStateOf(row, circumstances).reason} now={now} />,
    },
    {
      id: 'last', title: 'Last', isNumber: true, cell: ({ lastRun, ...row }) => (lastRun === undefined ? '' : <Time
        at={lastRun} zone={zoneOf(row)}
      >{`${ageText(now - lastRun)} ago`}</Time>),
    },
    {
      id: 'runs', title: 'Latest runs', cell: (row) => <RunSquares
        runs={runsOf(row, applications.get(keyOf(row)))} zone={zoneOf(row)} now={now}
      />,
    },
    {
      id: 'line', title: `${shortTimeText(span.from)} – ${shortTimeText(span.to)}`, cell: (row) => (row.reason && !row.suspended
        ? <span class="urgent bad" title={shown(row.reason)}>{shown(row.reason)}</span>
        : <CalendarLine runs={runsOf(row, applications.get(keyOf(row)))} planned={planned[keyOf(row)]} span={span} now={now} />),
    },
  ];
  return (
    <main class="page" id="main">
      <h1 class="hidden">Schedules</h1>
      <div class="filters" role="search">
        <input
          type="search" class="search" aria-label="Filter by text" placeholder="Text  ( / )" value={q}
          onInput={(event) => change({ q: event.currentTarget.value })}
          onKeyDown={(event) => { if (event.key === 'Escape') event.currentTarget.blur(); }}
        />
        <select aria-label="Namespace" value={namespace} onChange={(event) => change({ namespace: event.currentTarget.value })}>
          <option value="">All namespaces</option>
          {namespaces.map((each) => <option key={each} value={each}>{each}</option>)}
        </select>
        <button
          type="button" class="chip attention" aria-pressed={attention === 'yes'}
          onClick={() => change({ attention: attention === 'yes' ? '' : 'yes' })} title="Starts no runs, or its latest run failed"
        >Needs attention <span class="count">{urgent.toLocaleString('en')}</span></button>
        <div class="chips" role="group" aria-label="Span of time">
          {Object.entries(SPANS).map(([id, [, , title]]) => <button
            key={id} type="button" class="chip" aria-pressed={id === spanName} onClick={() => change({ span: id })}
          >{title}</button>)}
        </div>
        {(unlisted === '' || rows.schedules.size > 0) && <span class="total">{countText(list.length, 'schedule')}</span>}
      </div>
      {unlisted !== '' && rows.schedules.size > 0 && <p class="dim">{unlisted}</p>}
      <Grid<ScheduleRow>
        label="Schedules" rows={list} keyOf={keyOf} columns={columns} layout="schedules" cardHeight={scheduleCardHeight}
        onOpen={(row) => go({ path: ['schedules', row.namespace, row.name], query: {} })}
        onVisible={(first, last) => setVisible((before) => (before[0] === first && before[1] === last ? before : [first, last]))}
        empty={rows.schedules.size === 0 ? emptyText('schedules', rows) : 'No schedule matches the filter.'}
      />
    </main>
  );
}

/** Renders when the next run is due, or why it does not start. */
function Next({ row, reason, now }: { readonly row: ScheduleRow; readonly reason: ScheduleStateText['reason']; readonly now: number }) {
  if (reason !== undefined) return <span class={reason === 'invalid' ? 'urgent bad' : 'urgent'}>{reason}</span>;
  if (row.suspended) return <span class="dim">suspended</span>;
  if (row.nextRun === undefined) return null;
  return <Time at={row.nextRun} zone={zoneOf(row)}>{row.nextRun <= now ? 'due' : `in ${timeUntil(row.nextRun - now)}`}</Time>;
}

/** Renders one schedule with its runs. */
export function Schedule(
  { rows, route, session, report }: { readonly rows: Rows; readonly route: Route; readonly session: Session; readonly report: Report },
) {
  const version = useRows(rows);
  const now = useNow(1_000);
  const [, namespace = '', name = ''] = route.path;
  const key = keyOf({ namespace, name });
  const row = rows.schedules.get(key);
  const runs = useMemo(() => (row ? runsOf(row, applicationsBySchedule(rows).get(key)) : []), [version, key]);
  const span = spanAt('week', now);
  const { planned: { [key]: planned }, error } = usePlanned(row ? [row] : [], ahead(span, now));
  const { value: { runs: skipped, hidden } = { runs: [], hidden: [] } } = useLoaded<SkippedRuns>(
    row && pathTo('schedules', namespace, name, 'skipped'), Math.floor(now / SKIPPED_PERIOD),
  );
  const { changeSchedules } = useAllowed(session.readOnly ? undefined : namespace);
  useEffect(() => { document.title = `${name} · Schedules`; }, [name]);
  useKeys((event) => { if (event.key === 'Escape') go({ path: ['schedules'], query: {} }); });
  const crumbs = <p class="crumbs">
    <a href="#/schedules">Schedules</a> / <a href={routeHash({ path: ['schedules'], query: { namespace } })}>{namespace}</a>
  </p>;
  if (!row) {
    return <main class="page scroll" id="main">
      <header class="head">{crumbs}<h1>{name}</h1></header>
      {rows.loading ? <p class="dim">Reading the schedules…</p> : <Trouble>{noScheduleText(namespace, rows)}</Trouble>}
    </main>;
  }

  const zone = zoneOf(row);
  const { state, reason } = scheduleStateOf(row, { hasOperator: rows.noOperator === '' });
  const isUnattended = rows.noOperator !== '' && !row.otherOperator;
  const may = notAllowed(changeSchedules, session.readOnly);
  const disabled = may === undefined ? {} : { disabledReason: may };
  const actions: readonly Action[] = [
    { id: 'run', title: 'Run now', done: 'will run', ...runNow(row, runs), ...disabled },
    row.suspended
      ? { id: 'resume', title: 'Resume', done: 'is being resumed', question: 'Runs start again from the next scheduled time.', ...disabled }
      : {
        id: 'suspend', title: 'Suspend', done: 'is being suspended', question: 'No further runs start. Current runs continue.',
        ...disabled,
      },
  ];
  return (
    <main class="page scroll" id="main">
      <header class="head">
        {crumbs}
        <div class="head-line">
          <h1>{name}</h1>
          <State state={state} isUrgent={reason !== undefined} />
          {reason && reason !== 'invalid' && <span class="urgent">{reason}</span>}
          <code>{shown(row.schedule)}</code> <span class="dim">{zone}</span>
          <Actions
            kind="schedules" namespace={namespace} name={name} uid={row.uid} report={report} onDone={() => {}}
            actions={actions.map((action) => (isUnattended && action.id !== 'suspend' ? withoutOperator(action) : action))}
          />
        </div>
      </header>
      {row.reason && !row.suspended && <Trouble>{shown(row.reason)}</Trouble>}
      <section>
        <h2>Runs</h2>
        {runs.length > 0 && <RunGrid runs={runs} namespace={namespace} zone={zone} now={now} />}
        <div class="calendar"><CalendarLine
          runs={runs} planned={planned} skipped={skipped} span={span} now={now}
        /><TimeAxis span={span} /></div>
        <p class="dim">
          {reason === NO_OPERATOR && 'No run starts until an operator runs. '}
          {nextRunText(row.nextRun, zone, now)}{row.nextRun !== undefined && laterRunsText(planned, error?.message, now)}
        </p>
        {!rows.loading && unlistedText('applications', rows) === '' && <p class="dim">{deletedRunText(row, runs)}</p>}
        {skipped.length > 0 && <p class="dim">{skippedText(skipped, now)}</p>}
        {hidden.length > 0 && <p class="dim">You cannot {hidden.join(' and ')}, which have the skipped runs.</p>}
        {runs.length > 0 && <Table<Run>
          label="Runs" rows={runs} keyOf={(run) => `${run.name}-${run.created}`} columns={runColumns(namespace, zone, now)}
        />}
        {runs.length === 0 && <p class="dim">{rows.loading ? 'Reading the runs…' : 'There are no runs.'}</p>}
      </section>
    </main>
  );
}

/** Renders past runs, coloured by result, and planned runs on a time line. */
function CalendarLine({ runs, planned, skipped = [], span, now }: {
  readonly runs: readonly Run[];
  /** @default - not read yet */
  readonly planned?: readonly number[];
  /** @default - none */
  readonly skipped?: readonly SkippedRun[];
  readonly span: Span;
  readonly now: number;
}) {
  const past = runs.filter((run) => timeOf(run) >= span.from);
  const failed = past.filter(({ state }) => toneOf(state) === 'bad').length;
  return (
    <div
      class="line" role="img"
      aria-label={`${countText(past.length, 'run')}${failed > 0 ? `, ${failed} failed` : ''}${planned ? `; ${plannedText(planned, now)} to come` : ''}`}
    >
      {planned?.filter((at) => at > now).map((at) => <span key={at} class="tick planned" style={{ left: percent(at, span) }} />)}
      {skipped.filter(({ at }) => at >= span.from).map(({ at, message }) => <span
        key={`${at}-${message}`} class="tick skipped" title={shown(message)} style={{ left: percent(at, span) }}
      />)}
      {past.map((run) => <span
        key={run.name} class={`tick ${toneOf(run.state)}`} title={`${run.name}: ${run.state}`}
        style={{ left: percent(timeOf(run), span) }}
      />)}
      <span class="tick now" style={{ left: percent(now, span) }} />
    </div>
  );
}

function nextRunText(nextRun: number | undefined, zone: string, now: number): string {
  if (nextRun === undefined) return 'No run is planned.';
  return `The next run ${nextRun > now ? 'is' : 'was'} due ${dateTimeText(nextRun)}${zonedText(nextRun, zone, ' = ')}${nextRun > now ? `, in ${timeUntil(nextRun - now)}` : ''}.`;
}

/** Returns the part of a span from the current hour on. */
function ahead({ to }: Span, now: number): Span {
  return { from: hourOf(now), to };
}

function hourOf(now: number): number {
  return Math.floor(now / HOUR) * HOUR;
}

function spanAt(name: string, now: number): Span {
  const [past, future] = SPANS[name] ?? SPANS.day!;
  // Changes hourly, not every second, because planned runs are read again with it.
  const hour = hourOf(now);
  return { from: hour - past * HOUR, to: hour + (future + 1) * HOUR };
}

function runColumns(namespace: string, zone: string, now: number): readonly TableColumn<Run>[] {
  return [
    {
      title: 'Run', kind: 'name', cell: (run) => (run.application
        ? <a href={routeHash({ path: ['applications', namespace, run.name], query: {} })} title={run.name}>{run.name}</a>
        : <span title={`${run.name} was deleted`}>{run.name} <span class="dim">(deleted)</span></span>),
    },
    { title: 'State', cell: ({ state }) => <State state={state} /> },
    {
      title: 'Scheduled for', cell: ({ scheduledAt, created }) => (scheduledAt === undefined ? <Time
        at={created} zone={zone}
      >{shortTimeText(created)} <span class="dim">by “Run now”</span></Time> : <Time at={scheduledAt} zone={zone}>
        {shortTimeText(scheduledAt)} <span class="dim">{zonedText(scheduledAt, zone)}</span>
      </Time>),
    },
    { title: 'Took', kind: 'number', cell: (run) => shortDuration(runDuration(run, now)) },
    { title: 'Age', kind: 'number', drops: 1, cell: ({ created }) => <Time at={created} zone={zone}>{ageText(now - created)}</Time> },
    { title: 'Cause', kind: 'text', cell: ({ state, cause }) => (cause === undefined || toneOf(state) !== 'bad' ? '' : shown(cause)) },
  ];
}

/** Returns when schedules are due; previous times stay until newer ones arrive. */
function usePlanned(schedules: readonly ScheduleRow[], span: Span) {
  const query = new URLSearchParams([
    ['from', String(span.from)], ['to', String(span.to)], ...schedules.map((row) => ['key', keyOf(row)]),
  ] as [string, string][]);
  // An edited schedule has other times.
  const edits = schedules.map(({ schedule, timeZone, suspended, nextRun }) => `${schedule} ${timeZone} ${suspended} ${nextRun}`).join('\n');
  const { value, error } = useLoaded<PlannedRuns>(schedules.length === 0 ? undefined : `planned?${query}`, edits);
  const [known, setKnown] = useState<PlannedRuns>({});
  useEffect(() => {
    if (!value) return;
    const found = schedules.flatMap((row) => (value[keyOf(row)] ? [[timesKey(row), value[keyOf(row)]!] as const] : []));
    setKnown((before) => ({ ...before, ...Object.fromEntries(found) }));
  }, [value]);
  const planned: PlannedRuns = Object.fromEntries(schedules.flatMap((row) => {
    const times = known[timesKey(row)];
    return times ? [[keyOf(row), times]] : [];
  }));
  return { planned, error };
}

/** Returns a key of a schedule's times, which an edit makes invalid. */
function timesKey(row: ScheduleRow): string {
  return `${keyOf(row)} ${row.schedule} ${row.timeZone} ${row.suspended}`;
}
