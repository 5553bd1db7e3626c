import { axisText, countText, durationText, shortTimeText, stateText, timeText, toneOf } from './format';
import { useSize } from './hooks';
import { State, Time } from './parts';
import { timeMarks } from './steps';
import { Table } from './table';
import type { Attempt, StatePeriod } from '../wire';

/** Span of a time line. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Returns the position of a time on a line, in percent. */
export function percent(at: number, { from, to }: Span): string {
  return `${Math.max(0, Math.min(100, ((at - from) / Math.max(1, to - from)) * 100))}%`;
}

/** Renders the attempts and states of an application as bands on a time line, and in words. */
export function Timeline(
  { states, attempts, now }: { readonly states: readonly StatePeriod[]; readonly attempts: readonly Attempt[]; readonly now: number },
) {
  if (states.length === 0) return <p class="dim">Nothing is known yet.</p>;
  const last = states.at(-1)!;
  const span = { from: states[0]!.from, to: Math.max(states[0]!.from + 1_000, last.to === undefined ? now : last.to) };
  return (
    <div>
      <div class="timeline" aria-hidden="true">
        <div class="band">
          {attempts.map(({ number, from, to, state }) => (
            <div
              key={`${number}-${from}`} class={`stretch attempt ${toneOf(state)}`} title={`Attempt ${number}`}
              style={{ left: percent(from, span), width: widthOf(from, to ?? now, span) }}
            >{number}</div>
          ))}
        </div>
        <div class="band">
          {states.filter(({ from, to }) => (to ?? now) > from).map(({ state, from, to }) => (
            <div
              key={`${state}-${from}`} class={`stretch ${toneOf(state)}`}
              title={`${stateText(state)}: ${timeText(from)}, ${durationText((to ?? now) - from)}`}
              style={{ left: percent(from, span), width: widthOf(from, to ?? now, span) }}
            >
              {stateText(state)}
            </div>
          ))}
        </div>
        <TimeAxis span={span} />
      </div>
      <details>
        <summary>{countText(states.length, 'state')} in words</summary>
        <Table<StatePeriod>
          label="States" rows={states} keyOf={({ state, from }) => `${state}-${from}`}
          columns={[
            { title: 'State', cell: ({ state }) => <State state={state} /> },
            { title: 'Since', cell: ({ from }) => <Time at={from}>{shortTimeText(from)}</Time> },
            { title: 'For', kind: 'number', cell: ({ from, to }) => (to === from ? '' : durationText((to ?? now) - from)) },
          ]}
        />
      </details>
    </div>
  );
}

/** Width of the text of a mark, in pixels. */
const MARK_WIDTH = 75;

/** Returns the marks of a time line. A text that does not fit is left out. */
export function TimeAxis({ span }: { readonly span: Span }) {
  const { ref, width } = useSize<HTMLDivElement>();
  const marks = timeMarks(span.from, span.to, Math.max(2, Math.floor(width / 110)), new Date().getTimezoneOffset());
  return (
    <div class="axis" ref={ref}>
      {marks.filter((at) => ((span.to - at) / (span.to - span.from)) * width > MARK_WIDTH || marks.length === 1).map((at) => <span key={at} class="mark" style={{ left: percent(at, span) }}>{axisText(at, span.from, span.to)}</span>)}
    </div>
  );
}

function widthOf(from: number, to: number, span: Span): string {
  return `${Math.max(0.2, ((Math.min(to, span.to) - from) / Math.max(1, span.to - span.from)) * 100)}%`;
}
