import type { ComponentChildren } from 'preact';
import { shortDuration } from '../../text/duration';
import { attemptsText, dateTimeText, driverPodText, roleText } from './format';
import { durationOf } from './filter';
import { routeHash } from './route';
import type { ApplicationDetail } from '../wire';

/** Renders facts of an application. */
export function Facts({ detail, now }: { readonly detail: ApplicationDetail; readonly now: number }) {
  const { row, attempts, facts: { image, mainFile, mainClass, driver, executor }, pods } = detail;
  const duration = durationOf(row, now);
  const running = pods.find(({ role }) => role === 'driver')?.image;
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Created', dateTimeText(row.created)],
    ['Attempt began', row.begun === undefined ? undefined : dateTimeText(row.begun)],
    ['Ended', row.ended === undefined ? undefined : dateTimeText(row.ended)],
    [row.attempts > 1 ? `Duration of attempt ${row.attempts}` : 'Duration', duration === undefined ? undefined : shortDuration(duration)],
    ['Attempts', attemptsText(row.attempts, attempts.at(-1)?.number ?? 0)],
    ['Kind', [row.type, row.sparkVersion && `Spark ${row.sparkVersion}`].filter(Boolean).join(', ')],
    ['Image', running ?? image],
    ['Main file', mainFile],
    ['Main class', mainClass],
    ['Driver', roleText(driver)],
    ['Executors', roleText(executor)],
    ['Driver pod', driverPodText(detail)],
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
