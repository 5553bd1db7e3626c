import { shortDuration } from '../../text/duration';
import { axisTexts, countText, momentText, stateText, timeText, toneOf } from './format';
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
  const { ref, width } = useSize<HTMLDivElement>();
  if (states.length === 0) return <div ref={ref}><p class="dim">Nothing is known yet.</p></div>;
  const last = states.at(-1)!;
  const span = { from: states[0]!.from, to: Math.max(states[0]!.from + 1_000, last.to === undefined ? now : last.to) };
  /** Returns a text if its stretch has room for it; its tooltip has it in any case. */
  const labelOf = (text: string, from: number, to = now) => fits(text, ((to - from) / (span.to - span.from)) * width) && text;
  return (
    <div ref={ref}>
      <div class="timeline" aria-hidden="true">
        <div class="band">
          {attempts.map(({ number, from, to, state }) => (
            <div
              key={`${number}-${from}`} class={`stretch attempt ${toneOf(state)}`} title={`Attempt ${number}`}
              style={{ left: percent(from, span), width: widthOf(from, to ?? now, span) }}
            >{labelOf(String(number), from, to)}</div>
          ))}
        </div>
        <div class="band">
          {states.filter(({ from, to }) => (to ?? now) > from).map(({ state, from, to }) => (
            <div
              key={`${state}-${from}`} class={`stretch ${toneOf(state)}`}
              title={`${stateText(state)}: ${timeText(from)}, ${shortDuration((to ?? now) - from)}`}
              style={{ left: percent(from, span), width: widthOf(from, to ?? now, span) }}
            >{labelOf(stateText(state), from, to)}</div>
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
            { title: 'Since', cell: ({ from }) => <Time at={from}>{momentText(from)}</Time> },
            {
              title: 'For', kind: 'number', cell: (period) => {
                const { from, to } = period;
                // The end of an application is a state without a duration.
                return period === last && to === from ? '' : shortDuration((to ?? now) - from);
              },
            },
          ]}
        />
      </details>
    </div>
  );
}

/** Width of a character, in pixels, and of the space around a text. */
const [CHARACTER, SPACE] = [7, 10];

/** Whether a text fits into a width in pixels. */
function fits(text: string, width: number): boolean {
  return text.length * CHARACTER + SPACE <= width;
}

/** Returns the marks of a time line. A text that does not fit is left out. */
export function TimeAxis({ span }: { readonly span: Span }) {
  const { ref, width } = useSize<HTMLDivElement>();
  const marks = timeMarks(span.from, span.to, Math.max(2, Math.floor(width / 80)), new Date().getTimezoneOffset());
  return (
    <div class="axis" ref={ref}>
      {axisTexts(marks).map((text, index) => {
        const at = marks[index]!;
        const room = ((span.to - at) / (span.to - span.from)) * width;
        return (marks.length === 1 || fits(text, room)) && <span key={at} class="mark" style={{ left: percent(at, span) }}>{text}</span>;
      })}
    </div>
  );
}

function widthOf(from: number, to: number, span: Span): string {
  return `${Math.max(0.2, ((Math.min(to, span.to) - from) / Math.max(1, span.to - span.from)) * 100)}%`;
}
