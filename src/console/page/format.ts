import { printable } from '../../text/printable';

const UNITS = [['d', 86_400_000], ['h', 3_600_000], ['m', 60_000], ['s', 1_000]] as const;

/** A length of time in two units at most, such as `3m 12s` or `2d 4h`. @param milliseconds negative ones count as none */
export function durationText(milliseconds: number): string {
  let rest = Math.max(0, milliseconds);
  const first = UNITS.findIndex(([, size]) => rest >= size);
  if (first < 0) return '0s';
  return UNITS.slice(first, first + 2).flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [`${count}${unit}`] : [];
  }).join(' ');
}

/** A length of time in its greatest unit, such as `3m`: for columns. */
export function ageText(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => milliseconds >= each) ?? ['s', 1_000];
  return `${Math.max(0, Math.floor(milliseconds / size))}${unit}`;
}

const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const SHORT = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });

/** A date and time of the reader's zone. */
export function dateTimeText(time: number): string {
  return DATE_TIME.format(time);
}

/** A time of day. */
export function timeText(time: number): string {
  return TIME.format(time);
}

/** A date and time without the year and the seconds. */
export function shortTimeText(time: number): string {
  return SHORT.format(time);
}

/** A mark of an axis of time: with the day on a long one, with seconds on a short one. */
export function axisText(time: number, from: number, to: number): string {
  const length = to - from;
  return length > 20 * 3_600_000 ? SHORT.format(time) : length > 5 * 60_000 ? CLOCK.format(time) : TIME.format(time);
}

/** A text of the cluster as it can be shown: control characters, and those that turn the direction of writing, are shown and not obeyed. */
export function shown(text: string): string {
  return printable(text.replaceAll('\t', '    '));
}

/** A line of a log: without the codes that colour it on a terminal. */
export function logLine(line: string): string {
  // eslint-disable-next-line no-control-regex
  return shown(line.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r$/, ''));
}

/** How many there are of something, such as `1 event` or `2 events`. */
export function countText(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}

/** What a state is called; the one of an application that nobody has looked at is empty. */
export function stateText(state: string): string {
  return state === '' ? 'NEW' : state;
}

/** What kind of state it is: for colours, which never say it alone. */
export function toneOf(state: string): 'good' | 'bad' | 'busy' | 'waiting' | 'off' {
  if (['COMPLETED', 'SUCCEEDING', 'Scheduled'].includes(state)) return 'good';
  if (['FAILED', 'FAILING', 'SUBMISSION_FAILED', 'UNKNOWN', 'FailedValidation'].includes(state)) return 'bad';
  if (state === 'RUNNING') return 'busy';
  return ['SUSPENDED', 'SUSPENDING'].includes(state) ? 'off' : 'waiting';
}
