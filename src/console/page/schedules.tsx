import { useEffect, useMemo, useState } from 'preact/hooks';
import { Actions, type Action, type Report } from './actions';
import { notAllowed, useAllowed } from './allowed';
import { durationOf } from './filter';
import { ageText, countText, dateTimeText, durationText, shown, shortTimeText, toneOf } from './format';
import { Grid, type Column } from './grid';
import { go, useKeys, useLoaded, useNow, useRows } from './hooks';
import { State, Time, Trouble } from './parts';
import { routeHash, type Route } from './route';
import { keyOf, type Rows } from './rows';
import { percent, TimeAxis, type Span } from './timeline';
import type { ApplicationRow, PlannedRuns, ScheduleRow, Session } from '../wire';

const HOUR = 3_600_000;

/** Height of a schedule on a phone, in pixels; as in console.css. */
const CARD_HEIGHT = 124;

/** Spans of the calendar line: past and future hours. */
const SPANS: Readonly<Record<string, readonly [behind: number, ahead: number, title: string]>> = {
  day: [6, 18, 'A day'], week: [48, 120, 'A week'], month: [7 * 24, 23 * 24, 'A month'],
};

/** Renders the list of schedules, with past and planned runs on a line. */
export function Schedules({ rows, route }: { readonly rows: Rows; readonly route: Route }) {
  const version = useRows(rows);
  const now = useNow(10_000);
  const { namespace = '', span: spanName = 'day', q = '' } = route.query;
  const [visible, setVisible] = useState<readonly [number, number]>([0, 0]);
  const { list, namespaces } = useMemo(() => {
    const all = [...rows.schedules.values()];
    const words = q.toLowerCase().split(/\s+/).filter((word) => word !== '');
    const matches = all.filter((row) => (namespace === '' || row.namespace === namespace)
      && words.every((word) => `${row.namespace}/${row.name} ${row.schedule}`.toLowerCase().includes(word)));
    matches.sort((a, b) => (a.nextRun ?? Infinity) - (b.nextRun ?? Infinity) || (keyOf(a) < keyOf(b) ? -1 : 1));
    return { list: matches, namespaces: [...new Set(all.map((row) => row.namespace))].sort() };
  }, [version, namespace, q]);
  const runs = useMemo(() => runsBySchedule(rows), [version]);
  const change = (changes: Readonly<Record<string, string>>) => go({ path: ['schedules'], query: { ...route.query, ...changes } }, true);
  useKeys((event) => {
    if (event.key !== '/') return;
    event.preventDefault();
    document.querySelector<HTMLElement>('input[type=search]')?.focus();
  });

  const span = spanAt(spanName, now);
  const planned = usePlanned(list.slice(visible[0], visible[1]), span);
  const columns: readonly Column<ScheduleRow>[] = [
    {
      id: 'name', title: 'Name', cell: (row) => <a
        tabIndex={-1} href={routeHash({ path: ['schedules', row.namespace, row.name], query: {} })}
      >{row.name}</a>,
    },
    { id: 'namespace', title: 'Namespace', cell: (row) => row.namespace },
    { id: 'schedule', title: 'Schedule', cell: ({ schedule, timeZone }) => <code title={timeZone}>{shown(schedule)}</code> },
    { id: 'state', title: 'State', cell: (row) => <State state={row.suspended ? 'SUSPENDED' : row.state} /> },
    {
      id: 'next', title: 'Next', isNumber: true, cell: ({ nextRun }) => (nextRun === undefined ? '' : <Time at={nextRun}>
        {nextRun <= now ? 'due' : `in ${ageText(nextRun - now)}`}
      </Time>),
    },
    {
      id: 'last', title: 'Last', isNumber: true, cell: ({ lastRun }) => (lastRun === undefined ? '' : <Time at={lastRun}>
        {`${ageText(now - lastRun)} ago`}
      </Time>),
    },
    {
      id: 'line', title: `${shortTimeText(span.from)} – ${shortTimeText(span.to)}`, cell: (row) => <CalendarLine
        runs={runs.get(keyOf(row)) ?? []} planned={planned[keyOf(row)] ?? []} span={span} now={now}
      />,
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
        <div class="chips" role="group" aria-label="Span of time">
          {Object.entries(SPANS).map(([id, [, , title]]) => <button
            key={id} type="button" class="chip" aria-pressed={id === spanName} onClick={() => change({ span: id })}
          >{title}</button>)}
        </div>
        <span class="total">{countText(list.length, 'schedule')}</span>
      </div>
      <Grid<ScheduleRow>
        label="Schedules" rows={list} keyOf={keyOf} columns={columns} layout="schedules" cardHeight={CARD_HEIGHT}
        onOpen={(row) => go({ path: ['schedules', row.namespace, row.name], query: {} })}
        onVisible={(first, last) => setVisible((before) => (before[0] === first && before[1] === last ? before : [first, last]))}
        empty={rows.loading ? 'Reading the schedules…' : 'There are no schedules.'}
      />
    </main>
  );
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
  const runs = useMemo(() => runsBySchedule(rows).get(key) ?? [], [version, key]);
  const span = spanAt('week', now);
  const planned = usePlanned(row ? [row] : [], span)[key] ?? [];
  const { changeSchedules } = useAllowed(session.readOnly ? undefined : namespace);
  useEffect(() => { document.title = `${name} · Schedules`; }, [name]);
  useKeys((event) => { if (event.key === 'Escape') go({ path: ['schedules'], query: {} }); });
  if (!row) {
    return <main class="page" id="main">
      <Trouble>{rows.loading ? 'Reading the schedules…' : 'There is no such schedule (any more).'}</Trouble>
    </main>;
  }

  const may = notAllowed(changeSchedules, session.readOnly);
  const disabled = may === undefined ? {} : { disabledReason: may };
  const actions: readonly Action[] = [
    { id: 'run', title: 'Run now', done: 'will run', question: 'One run starts now, in addition to the scheduled ones.', ...disabled },
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
        <p class="crumbs">
          <a href="#/schedules">Schedules</a> / <a href={routeHash({ path: ['schedules'], query: { namespace } })}>{namespace}</a>
        </p>
        <div class="head-line">
          <h1>{name}</h1>
          <State state={row.suspended ? 'SUSPENDED' : row.state} />
          <code>{shown(row.schedule)}</code> <span class="dim">{row.timeZone ?? 'UTC'}</span>
          <Actions kind="schedules" namespace={namespace} name={name} uid={row.uid} actions={actions} report={report} onDone={() => {}} />
        </div>
      </header>
      {row.reason && <Trouble>{shown(row.reason)}</Trouble>}
      <section>
        <h2>Runs</h2>
        <div class="calendar"><CalendarLine runs={runs} planned={planned} span={span} now={now} /><TimeAxis span={span} /></div>
        <p class="dim">
          {nextRunText(row.nextRun, now)} {countText(planned.filter((at) => at > now).length, 'run')} in the next five days.
        </p>
        <table class="table">
          <thead><tr><th>Run</th><th>State</th><th>For</th><th class="number">Duration</th><th class="number">Age</th></tr></thead>
          <tbody>
            {runs.map((run) => (
              <tr key={run.uid}>
                <td><a href={routeHash({ path: ['applications', run.namespace, run.name], query: {} })}>{run.name}</a></td>
                <td><State state={run.state} /></td>
                <td>{run.scheduledAt === undefined ? 'run now' : <Time at={run.scheduledAt}>{shortTimeText(run.scheduledAt)}</Time>}</td>
                <td class="number">{durationOf(run, now) === undefined ? '' : durationText(durationOf(run, now)!)}</td>
                <td class="number"><Time at={run.created}>{ageText(now - run.created)}</Time></td>
              </tr>
            ))}
          </tbody>
        </table>
        {runs.length === 0 && <p class="dim">There are no runs.</p>}
      </section>
    </main>
  );
}

/** Renders past runs, coloured by result, and planned runs on a time line. */
function CalendarLine({ runs, planned, span, now }: {
  readonly runs: readonly ApplicationRow[];
  readonly planned: readonly number[];
  readonly span: Span;
  readonly now: number;
}) {
  const past = runs.filter((run) => timeOf(run) >= span.from);
  const ahead = planned.filter((at) => at > now);
  const failed = past.filter(({ state }) => toneOf(state) === 'bad').length;
  return (
    <div
      class="line" role="img"
      aria-label={`${countText(past.length, 'run')}${failed > 0 ? `, ${failed} failed` : ''}; ${ahead.length} to come`}
    >
      {ahead.map((at) => <span key={at} class="tick planned" style={{ left: percent(at, span) }} />)}
      {past.map((run) => <span
        key={run.uid} class={`tick ${toneOf(run.state)}`} title={`${run.name}: ${run.state}`}
        style={{ left: percent(timeOf(run), span) }}
      />)}
      <span class="tick now" style={{ left: percent(now, span) }} />
    </div>
  );
}

function nextRunText(nextRun: number | undefined, now: number): string {
  if (nextRun === undefined) return 'No run is planned.';
  return `The next run is due ${dateTimeText(nextRun)}${nextRun > now ? `, in ${durationText(nextRun - now)}` : ''}.`;
}

function timeOf({ scheduledAt, created }: ApplicationRow): number {
  return scheduledAt ?? created;
}

function spanAt(name: string, now: number): Span {
  const [behind, ahead] = SPANS[name] ?? SPANS.day!;
  // Changes hourly, not every second, because planned runs are read again with it.
  const hour = Math.floor(now / HOUR) * HOUR;
  return { from: hour - behind * HOUR, to: hour + (ahead + 1) * HOUR };
}

/** Groups runs by their schedule, the newest first. */
function runsBySchedule(rows: Rows): ReadonlyMap<string, readonly ApplicationRow[]> {
  const found = new Map<string, ApplicationRow[]>();
  for (const row of rows.applications.values()) {
    if (row.schedule === undefined) continue;
    const key = keyOf({ namespace: row.namespace, name: row.schedule });
    const runs = found.get(key);
    if (runs) runs.push(row);
    else found.set(key, [row]);
  }
  for (const runs of found.values()) runs.sort((a, b) => timeOf(b) - timeOf(a));
  return found;
}

/** Returns when schedules are due; previous times stay until newer ones arrive. */
function usePlanned(schedules: readonly ScheduleRow[], span: Span): PlannedRuns {
  const query = new URLSearchParams([
    ['from', String(span.from)], ['to', String(span.to)], ...schedules.map((row) => ['key', keyOf(row)]),
  ] as [string, string][]);
  // An edited schedule has other times.
  const edits = schedules.map(({ schedule, timeZone, suspended, nextRun }) => `${schedule} ${timeZone} ${suspended} ${nextRun}`).join('\n');
  const { value } = useLoaded<PlannedRuns>(schedules.length === 0 ? undefined : `planned?${query}`, edits);
  const [known, setKnown] = useState<PlannedRuns>({});
  useEffect(() => { if (value) setKnown((before) => ({ ...before, ...value })); }, [value]);
  return known;
}
