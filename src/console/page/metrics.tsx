import { useMemo, useState } from 'preact/hooks';
import { shortDuration } from '../../text/duration';
import { countText, shown } from './format';
import { go, useNow, useRows } from './hooks';
import { unlistedText } from './missing-rights';
import { path, Plot } from './plots';
import { routeHash, type Route } from './route';
import type { Rows } from './rows';
import { quantile, searchOfReason, seriesOf, type Bucket, type ReasonCount } from './series';
import { durationMarks, numberMarks } from './steps';

const HOUR = 3_600_000;

const RANGES: Readonly<Record<string, readonly [hours: number, title: string]>> = {
  '1h': [1, '1 hour'], '6h': [6, '6 hours'], '24h': [24, '24 hours'], '7d': [168, '7 days'], '30d': [720, '30 days'],
};

/** Number of the most frequent reasons that are shown at first. */
const FIRST_REASONS = 8;

/** Number of bars in a plot. */
const BUCKETS = 48;

/** Renders plots of the listed applications by the start of their latest attempts. */
export function Metrics({ rows, route }: { readonly rows: Rows; readonly route: Route }) {
  const version = useRows(rows);
  const { range = '24h', namespace = '' } = route.query;
  const now = useNow(10_000);
  const [hours] = RANGES[range] ?? RANGES['24h']!;
  const from = now - hours * HOUR;
  const { series, running, namespaces } = useMemo(() => {
    const all = [...rows.applications.values()];
    const chosen = namespace === '' ? all : all.filter((row) => row.namespace === namespace);
    return {
      series: seriesOf(chosen, from, now, BUCKETS), running: chosen.filter(({ state }) => state === 'RUNNING').length,
      namespaces: [...new Set(all.map((row) => row.namespace))].sort(),
    };
  }, [version, now, hours, namespace]);
  const { buckets, submitted, completed, failed, median, reasons } = series;
  const change = (changes: Readonly<Record<string, string>>) => go({ path: ['metrics'], query: { ...route.query, ...changes } }, true);
  const most = Math.max(...buckets.map((bucket) => bucket.completed + bucket.failed + bucket.open));
  const longest = Math.max(...buckets.map(({ durations }) => quantile(durations, 0.95) ?? 0));
  const ended = completed + failed;
  const unlisted = unlistedText('applications', rows);
  const missing = rows.loading ? 'Reading the applications…' : unlisted;
  // Without any row, zeros would read as if there were none.
  if (missing !== '' && rows.applications.size === 0) {
    return <main class="page" id="main"><h1 class="hidden">Metrics</h1><p class="dim">{missing}</p></main>;
  }

  return (
    <main class="page scroll" id="main">
      <h1 class="hidden">Metrics</h1>
      <div class="filters">
        <div class="chips" role="group" aria-label="Span of time">{Object.entries(RANGES).map(([id, [, title]]) => <button
          key={id} type="button" class="chip" aria-pressed={id === range} onClick={() => change({ range: id })}
        >{title}</button>)}</div>
        <select aria-label="Namespace" value={namespace} onChange={(event) => change({ namespace: event.currentTarget.value })}>
          <option value="">All namespaces</option>
          {namespaces.map((each) => <option key={each} value={each}>{each}</option>)}
        </select>
        <span class="dim">Without deleted applications</span>
      </div>
      {unlisted !== '' && <p class="dim">{unlisted}</p>}
      <dl class="tiles">
        <div><dt>Running now</dt><dd>{running.toLocaleString('en')}</dd></div>
        <div><dt>Began</dt><dd>{submitted.toLocaleString('en')}</dd></div>
        <div><dt>Completed</dt><dd class="good">{completed.toLocaleString('en')}</dd></div>
        <div><dt>Failed</dt><dd class={failed > 0 ? 'bad' : ''}>
          {failed.toLocaleString('en')}{ended > 0 && <small> {Math.round((failed / ended) * 100)}%</small>}
        </dd></div>
        <div><dt>Median duration</dt><dd>
          {median === undefined ? '–' : <>{shortDuration(median)} <small>of completed and failed</small></>}
        </dd></div>
      </dl>
      <div class="plots">
        <Plot
          title="Began"
          description={`${countText(submitted, 'application')}, of which ${completed} completed and ${failed} failed`} from={from}
          to={now} marks={numberMarks(most, 4)} markText={String}
          legend={[['good', 'completed'], ['bad', 'failed'], ['busy', 'not ended']]}
          draw={({ x, y }) => buckets.map((bucket) => <Bar key={bucket.from} bucket={bucket} x={x} y={y} />)}
        />
        <Plot
          title="Duration" note="of completed and failed"
          description={median === undefined ? 'none has ended' : `half of those that ended took less than ${shortDuration(median)}`} from={from}
          to={now} marks={durationMarks(longest, 4)} markText={shortDuration}
          legend={[['busy', 'median'], ['waiting', '95 %']]}
          draw={({ x, y }) => [[0.95, 'waiting'], [0.5, 'busy']].map(([share, tone]) => {
            const points = buckets.flatMap((bucket) => {
              const value = quantile(bucket.durations, share as number);
              return value === undefined ? [] : [[x((bucket.from + bucket.to) / 2), y(value)] as const];
            });
            return <g key={tone}><path
              class={`line ${tone}`} d={path(points)}
            />{points.map(([px, py]) => <circle key={px} class={`point ${tone}`} cx={px} cy={py} r={2} />)}</g>;
          })}
        />
        <Plot
          title="Failures" description={`${failed} of ${ended} that ended`} from={from} to={now} marks={[0, 0.25, 0.5, 0.75, 1]}
          markText={(share) => `${share * 100}%`}
          draw={({ x, y }) => buckets.flatMap((bucket) => {
            const all = bucket.completed + bucket.failed;
            const share = all === 0 ? 0 : bucket.failed / all;
            return share === 0 ? [] : [<rect
              key={bucket.from} class="bar bad" x={x(bucket.from) + 0.5} width={Math.max(1, x(bucket.to) - x(bucket.from) - 1)}
              y={y(share)} height={y(0) - y(share)}
            ><title>{`${bucket.failed} of ${all}`}</title></rect>];
          })}
        />
        <section class="reasons">
          <h2>Why they failed</h2>
          <Reasons reasons={reasons} namespace={namespace} />
        </section>
      </div>
    </main>
  );
}

/** Renders reasons of failures with links to their applications. */
function Reasons({ reasons, namespace }: { readonly reasons: readonly ReasonCount[]; readonly namespace: string }) {
  const [hasAll, setAll] = useState(false);
  if (reasons.length === 0) return <p class="dim">None has failed.</p>;
  const visible = hasAll || reasons.length <= FIRST_REASONS + 1 ? reasons : reasons.slice(0, FIRST_REASONS);
  const others = reasons.slice(visible.length).reduce((total, { count }) => total + count, 0);
  const hrefOf = (reason: string) => routeHash({ path: ['applications'], query: { namespace, state: 'FAILED', q: searchOfReason(reason) } });
  return <>
    <ol>
      {visible.map(({ reason, count }) => <li key={reason}><span class="count">{count.toLocaleString('en')}</span>{reason === undefined
        ? <span>unknown reason</span>
        : <a href={hrefOf(reason)}>{shown(reason)}</a>}</li>)}
    </ol>
    {others > 0 && <button type="button" class="button" onClick={() => setAll(true)}>{others.toLocaleString('en')} for other reasons</button>}
  </>;
}

function Bar({ bucket, x, y }: { readonly bucket: Bucket; readonly x: (time: number) => number; readonly y: (value: number) => number }) {
  const left = x(bucket.from) + 0.5;
  const width = Math.max(1, x(bucket.to) - x(bucket.from) - 1);
  let below = 0;
  return (
    <g>
      <title>{`${bucket.completed} completed, ${bucket.failed} failed, ${bucket.open} not ended`}</title>
      {([['good', bucket.completed], ['bad', bucket.failed], ['busy', bucket.open]] as const).map(([tone, count]) => {
        const top = y(below + count);
        const bottom = y(below);
        below += count;
        return count > 0 && <rect key={tone} class={`bar ${tone}`} x={left} width={width} y={top} height={bottom - top} />;
      })}
    </g>
  );
}
