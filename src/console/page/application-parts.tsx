import { ageText, dateTimeText, durationText, shown, shortTimeText } from './format';
import { State, Time } from './parts';
import { path, Plot } from './plots';
import { routeHash } from './route';
import { numberMarks } from './steps';
import { durationOf } from './filter';
import type { ApplicationDetail, EventRow } from '../wire';

/** Renders facts of an application. */
export function Facts({ detail: { row, driverPod }, now }: { readonly detail: ApplicationDetail; readonly now: number }) {
  const duration = durationOf(row, now);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Created', dateTimeText(row.created)],
    ['Attempt began', row.begun === undefined ? undefined : dateTimeText(row.begun)],
    ['Ended', row.ended === undefined ? undefined : dateTimeText(row.ended)],
    ['Duration', duration === undefined ? undefined : durationText(duration)],
    ['Attempts', String(row.attempts)],
    ['Kind', [row.type, row.sparkVersion && `Spark ${row.sparkVersion}`].filter(Boolean).join(', ')],
    ['Driver', driverPod],
    ['Scheduled for', row.scheduledAt === undefined ? undefined : dateTimeText(row.scheduledAt)],
  ];
  return (
    <>
      <dl class="facts">
        {facts.filter(([, value]) => value).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
      </dl>
      {row.labels && <ul class="labels" aria-label="Labels">{Object.entries(row.labels).map(([name, value]) => <li key={name}>
        <a href={routeHash({ path: ['applications'], query: { q: `${name}=${value}` } })}>{name}={value}</a>
      </li>)}</ul>}
    </>
  );
}

/** Renders the number of running executors over time. */
export function Executors(
  { detail: { executorSteps: steps, states, row }, now }: { readonly detail: ApplicationDetail; readonly now: number },
) {
  const counts = row.executors;
  const words = counts
    ? `${counts.running} running, ${counts.pending} pending, ${counts.completed} completed, ${counts.failed} failed`
    : 'none yet';
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

/** Renders the pods of an application. */
export function Pods({ detail: { pods, row }, now }: { readonly detail: ApplicationDetail; readonly now: number }) {
  if (pods.length === 0) return <p class="dim">There are no pods. Spark deletes those of executors that have ended.</p>;
  return (
    <table class="table">
      <thead><tr>
        <th>Pod</th><th>Role</th><th>State</th><th>Node</th><th class="number">Ran for</th><th class="number">Age</th>
        <th>Message</th><th>Log</th>
      </tr></thead>
      <tbody>
        {pods.map(({ name, role, executor, state, node, started, ended, created, reason, exitCode }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>{role === 'driver' ? 'driver' : `executor ${executor ?? ''}`}</td>
            <td><State state={state} /></td>
            <td>{node}</td>
            <td class="number">{started === undefined ? '' : durationText((ended ?? now) - started)}</td>
            <td class="number">{created === undefined ? '' : <Time at={created}>{ageText(now - created)}</Time>}</td>
            <td>{[reason && shown(reason), exitCode ? `exit code ${exitCode}` : ''].filter(Boolean).join(', ')}</td>
            <td><a
              href={routeHash({ path: ['applications', row.namespace, row.name, 'logs'], query: { pod: name } })}
              aria-label={`Log of ${name}`}
            >Log</a></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Renders events, the newest first. */
export function Events({ events, now }: { readonly events: readonly EventRow[]; readonly now: number }) {
  if (events.length === 0) return <p class="dim">There are no events; Kubernetes keeps them for an hour.</p>;
  return (
    <table class="table">
      <thead><tr><th class="number">Age</th><th>Type</th><th>Reason</th><th>About</th><th>Message</th></tr></thead>
      <tbody>
        {[...events].reverse().map(({ uid, type, reason, about, message, count, last }) => (
          <tr key={uid} class={type === 'Warning' ? 'warning' : ''}>
            <td class="number"><Time at={last}>{ageText(now - last)}</Time>{count > 1 ? ` ×${count}` : ''}</td>
            <td>{shown(type)}</td>
            <td>{shown(reason)}</td>
            <td>{shown(about)}</td>
            <td class="wrap">{shown(message)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Renders other objects that belong to an application. */
export function Owned({ detail: { owned }, now }: { readonly detail: ApplicationDetail; readonly now: number }) {
  if (owned.length === 0) return <p class="dim">There are no objects other than its pods.</p>;
  return (
    <table class="table">
      <thead><tr><th>Kind</th><th>Name</th><th class="number">Age</th></tr></thead>
      <tbody>{owned.map(({ kind, name, created }) => <tr key={`${kind}/${name}`}><td>{kind}</td><td>{name}</td><td class="number">
        {created === undefined ? '' : <Time at={created}>{`${ageText(now - created)} (${shortTimeText(created)})`}</Time>}
      </td></tr>)}</tbody>
    </table>
  );
}
