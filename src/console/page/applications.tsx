import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { shortDuration } from '../../text/duration';
import { lacksOperator, needsAttention, reasonOf, type Circumstances } from './attention';
import { BulkBar, BulkDialog } from './bulk-bar';
import { MAX_BULK, type BulkPlan } from './bulk';
import { cardHeight } from './card';
import {
  chipCounts, durationOf, filtered, filterOf, filterQuery, LARGEST_FIRST, matching, SORT_KEYS, type Filter, type SortKey,
} from './filter';
import { countText, shown, toneOf } from './format';
import { Grid, type Column, type Marking } from './grid';
import { go, rememberList, useKeys, useNow, useRows } from './hooks';
import { emptyText, unlistedText } from './missing-rights';
import { Announce, State, Time } from './parts';
import { reasonText } from './reason';
import { routeHash, type Route } from './route';
import { keyOf, type Rows } from './rows';
import { widthOf } from './text-width';
import type { Report } from './actions';
import type { ApplicationRow, Session } from '../wire';

/** Milliseconds between two updates of ages. */
const TICK = 1_000;

/** States in the order of the filter; others follow. */
const ORDER = [
  'RUNNING', 'SUBMITTED', 'NEW', 'PENDING_RERUN', 'FAILING', 'SUBMISSION_FAILED', 'UNKNOWN', 'SUSPENDED', 'COMPLETED', 'FAILED',
];

/** Selected applications, for the way back from the page of one. */
let lastMarked: ReadonlySet<string> = new Set();

/** Renders the list of applications. */
export function Applications(
  { rows, route, session, report }: { readonly rows: Rows; readonly route: Route; readonly session: Session; readonly report: Report },
) {
  const version = useRows(rows);
  const now = useNow(TICK);
  const filter = filterOf(route.query);
  const search = useRef<HTMLInputElement>(null);
  const change = (changes: Partial<Filter>) => go({ path: ['applications'], query: filterQuery({ ...filter, ...changes }) }, true);

  // All durations grow at the same rate, so their order stays the same.
  const hasOperator = rows.noOperator === '';
  const minute = Math.floor(now / 60_000);
  const circumstances: Circumstances = { hasOperator, now };
  const isUrgent = (row: ApplicationRow) => needsAttention(row, circumstances);

  const { found, namespaces, widths } = useMemo(() => {
    const all = [...rows.applications.values()];
    const matches = matching(all, filter, (row) => reasonOf(row, circumstances));
    const known = [...new Set(all.map(({ namespace }) => namespace))].sort();
    // Those of all applications, so that the filter does not move the columns.
    const sizes = { '--name': `${widthOf(all.map(({ name }) => name))}px`, '--namespace': `${widthOf(known)}px` };
    return { found: matches, namespaces: known, widths: sizes };
  }, [version, filter.namespace, filter.text, hasOperator, filter.text === '' ? 0 : minute]);
  const { counts, urgent } = useMemo(
    () => chipCounts(found, filter, isUrgent), [found, filter.states.join(), filter.attention, hasOperator, minute],
  );
  const list = useMemo(
    () => filtered(found, filter, Date.now(), isUrgent),
    [found, filter.states.join(), filter.attention, filter.sort, filter.descending, hasOperator, minute],
  );

  // By uid: another application with the name of a deleted one is not selected.
  const [marked, setMarked] = useState(lastMarked);
  // Not in the bar, which disappears with the last selected application.
  const [plan, setPlan] = useState<BulkPlan>();
  // Those that the filter hides are not changed, because the user does not see them.
  const selected = useMemo(() => list.filter(({ uid }) => marked.has(uid)), [list, marked]);
  const marking: Marking<ApplicationRow> = {
    isMarked: ({ uid }) => marked.has(uid),
    labelOf: ({ name }) => `Select ${name}`,
    onToggle: ({ uid }) => setMarked((before) => {
      const next = new Set(before);
      if (!next.delete(uid)) next.add(uid);
      return next;
    }),
  };

  useEffect(() => rememberList(routeHash(route)));
  useEffect(() => { lastMarked = marked; }, [marked]);
  useKeys((event) => {
    if (event.key === '/') {
      event.preventDefault();
      search.current?.focus();
      search.current?.select();
    } else if (event.key === 'Escape' && marked.size > 0) {
      setMarked(new Set());
    } else if (event.key === 'Escape' && (filter.text !== '' || filter.states.length > 0 || filter.namespace !== '' || filter.attention)) {
      change({ text: '', states: [], namespace: '', attention: false });
    }
  });

  const states = [...new Set([...counts.keys(), ...filter.states])].sort((a, b) => rankOf(a) - rankOf(b));
  const unlisted = unlistedText('applications', rows);
  // Without any row, the number would read as if there were none.
  const total = unlisted !== '' && rows.applications.size === 0 ? '' : list.length === rows.applications.size
    ? countText(list.length, 'application')
    : `${list.length.toLocaleString('en')} of ${countText(rows.applications.size, 'application')}`;
  const columns = useMemo(() => columnsIn({ hasOperator, now }), [now, hasOperator]);
  // Thousands of heights need not follow each second.
  const heightOf = useCallback((row: ApplicationRow, width: number) => cardHeight(row, { hasOperator, now }, width), [minute, hasOperator]);
  return (
    <main class="page" id="main">
      <h1 class="hidden">Applications</h1>
      <div class="filters" role="search">
        <input
          ref={search} type="search" class="search" aria-label="Filter by text or label" placeholder="Text, or label=value  ( / )"
          value={filter.text} spellcheck={false}
          onInput={(event) => change({ text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' && event.key !== 'Enter') return;
            event.preventDefault();
            event.currentTarget.blur();
            if (event.key === 'Escape') change({ text: '' });
            document.querySelector<HTMLElement>('[role=grid]')?.focus();
          }}
        />
        <select aria-label="Namespace" value={filter.namespace} onChange={(event) => change({ namespace: event.currentTarget.value })}>
          <option value="">All namespaces</option>
          {(filter.namespace === '' || namespaces.includes(filter.namespace)
            ? namespaces
            : [...namespaces, filter.namespace]).map((namespace) => <option key={namespace} value={namespace}>{namespace}</option>)}
        </select>
        <button
          type="button" class="chip attention" aria-pressed={filter.attention} onClick={() => change({ attention: !filter.attention })}
          title="Failed within the last day, or without progress"
        >Needs attention <span class="count">{urgent.toLocaleString('en')}</span></button>
        <div class="chips" role="group" aria-label="States">
          {states.map((state) => (
            <button
              key={state} type="button" class="chip" aria-pressed={filter.states.includes(state)}
              onClick={() => change({
                states: filter.states.includes(state) ? filter.states.filter((each) => each !== state) : [...filter.states, state],
              })}
            ><State state={state} /> <span class="count">{(counts.get(state) ?? 0).toLocaleString('en')}</span>
            </button>
          ))}
        </div>
        <select
          class="narrow" aria-label="Order" value={`${filter.descending ? '-' : ''}${filter.sort}`}
          onChange={({ currentTarget: { value } }) => change({ sort: value.replace('-', '') as SortKey, descending: value.startsWith('-') })}
        >
          {SORT_KEYS.flatMap((key) => [key, `-${key}`]).map((order) => <option key={order} value={order}>
            By {order.replace('-', '')}{order.startsWith('-') ? ' ↓' : ' ↑'}
          </option>)}
        </select>
        <span class="total">{total}</span>
        <Announce text={total} when={JSON.stringify(filterQuery(filter))} />
      </div>
      {selected.length > 0 && <BulkBar
        rows={selected} isReadOnly={session.readOnly} report={report} onPlan={setPlan} onClear={() => setMarked(new Set())}
        {...(selected.length < list.length && list.length <= MAX_BULK && { onAll: () => setMarked(new Set(list.map(({ uid }) => uid))) })}
      />}
      {plan && <BulkDialog
        plan={plan} isUnattended={(row) => lacksOperator(row, circumstances)} report={report} onClose={() => setPlan(undefined)}
      />}
      {unlisted !== '' && rows.applications.size > 0 && <p class="dim">{unlisted}</p>}
      <Grid<ApplicationRow>
        label="Applications" rows={list} keyOf={keyOf} columns={columns} layout="applications" widths={widths} cardHeight={heightOf}
        sort={filter.sort} {...(!session.readOnly && { marking })} descending={filter.descending}
        onSort={(column) => change({
          sort: column as SortKey, descending: filter.sort === column ? !filter.descending : LARGEST_FIRST.includes(column as SortKey),
        })}
        onOpen={({ namespace, name }) => go({ path: ['applications', namespace, name], query: {} })}
        empty={rows.applications.size === 0 ? emptyText('applications', rows) : 'No application matches the filter. Escape clears it.'}
      />
    </main>
  );
}

/** Unknown states come last. */
function rankOf(state: string): number {
  const rank = ORDER.indexOf(state);
  return rank < 0 ? ORDER.length : rank;
}

function columnsIn(circumstances: Circumstances): readonly Column<ApplicationRow>[] {
  const { now } = circumstances;
  return [
    {
      id: 'state', title: 'State', sortable: true, cell: (row) => <State state={row.state} isUrgent={needsAttention(row, circumstances)} />,
    },
    {
      id: 'name', title: 'Name', sortable: true, cell: ({ namespace, name }) => <a
        tabIndex={-1} href={routeHash({ path: ['applications', namespace, name], query: {} })} title={`${namespace}/${name}`}
      >{name}</a>,
    },
    { id: 'namespace', title: 'Namespace', sortable: true, cell: ({ namespace }) => <span title={namespace}>{namespace}</span> },
    {
      id: 'attempts', title: 'Attempts', sortable: true, isNumber: true, cell: ({ attempts }) => (attempts > 1
        ? <strong>{attempts}</strong>
        : attempts),
    },
    { id: 'executors', title: 'Executors', sortable: true, isNumber: true, cell: executorsText },
    {
      id: 'duration', title: 'Duration', sortable: true, isNumber: true,
      cell: (row) => {
        const duration = durationOf(row, now);
        if (duration === undefined) return '';
        return row.attempts > 1 ? <span title={`of attempt ${row.attempts}`}>{shortDuration(duration)}</span> : shortDuration(duration);
      },
    },
    { id: 'age', title: 'Age', sortable: true, isNumber: true, cell: ({ created }) => <Time at={created}>{shortDuration(now - created)}</Time> },
    {
      id: 'reason', title: 'Reason', cell: (row) => <Reason row={row} circumstances={circumstances} />,
    },
  ];
}

/** Renders the reason of a state in a few words, and the whole message as far as there is room. */
function Reason({ row, circumstances }: { readonly row: ApplicationRow; readonly circumstances: Circumstances }) {
  const { short, wait, rest } = reasonText(row, circumstances);
  if (short === undefined && rest === undefined) return <>{wait}</>;
  const tone = !needsAttention(row, circumstances) ? '' : toneOf(row.state) === 'bad' ? 'urgent bad' : 'urgent';
  return (
    <span title={shown([short, row.reason].filter(Boolean).join('\n'))}>
      {short && <span class={tone}>{shown(short)}</span>}{wait && ` ${wait}`}
      {rest && <span class="dim">{short || wait ? ' · ' : ''}{shown(rest)}</span>}
    </span>
  );
}

function executorsText({ state, executors, requested }: ApplicationRow): string {
  if (state !== 'RUNNING' && !executors?.running) return '';
  return requested === undefined ? String(executors?.running ?? 0) : `${executors?.running ?? 0}/${requested}`;
}
