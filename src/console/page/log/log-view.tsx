import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { errorLine, matchesOf, ofLevels, onlyMatching, partsOf } from './find';
import { keptPosition, plainLayout, wrappedLayout } from './layout';
import type { Level } from './levels';
import type { LogLine } from './log-lines';
import { LogTools, type LogSettings } from './log-tools';
import { useLog, type LogSource } from './use-log';
import type { Report } from '../actions';
import { logTimeText, sentenceText, shown as shownText } from '../format';
import { useKeys, useSize } from '../hooks';
import { useKept } from '../kept';
import { Trouble } from '../parts';
import { NOT_STARTED } from '../../wire';

/** Status of an answer without the permission to read the log: there are no lines to count. */
const FORBIDDEN = 403;

/** Height of a row, in pixels. */
const ROW = 18;

/** Rows rendered beyond the visible ones. */
const BEYOND = 30;

/** Left and right padding of a line, in pixels; as in console.css. */
const PADDING = 24;

/** Characters in a hidden text whose width is measured. */
const MEASURED = 100;

interface LogViewProps {
  readonly source: LogSource;
  /** One-line cause of the application's failure, to find its line. */
  readonly cause?: string;
  /** Whether to scroll to the error once the log is read. */
  readonly jumps: boolean;
  readonly report: Report;
}

/** Renders a growing log, with search, levels and times. */
export function LogView({ source, cause, jumps, report }: LogViewProps) {
  const { lines, error, isOver, isPart } = useLog(source);
  const { ref, width, height } = useSize<HTMLDivElement>();
  const [top, setTop] = useState(0);
  const [isFollowing, setFollowing] = useState(!jumps);
  const [isJumping, setJumping] = useState(jumps);
  const [word, setWord] = useState('');
  const [onlyMatches, setOnlyMatches] = useState(false);
  const [levels, setLevels] = useState<ReadonlySet<Level>>(new Set());
  const [wraps, setWraps] = useKept('log-wrap');
  const [hasTimes, setTimes] = useKept('log-times');
  const [current, setCurrent] = useState<LogLine>();
  const { measure, characterWidth } = useCharacterWidth();

  const found = useMemo(() => {
    const leveled = ofLevels(lines, levels);
    const matches = matchesOf(leveled, word);
    return onlyMatches && word !== '' ? onlyMatching(leveled, matches) : { shown: leveled, matches };
  }, [lines, levels, word, onlyMatches]);
  const { shown, matches } = found;
  const prefix = hasTimes ? logTimeText(undefined).length : 0;
  const columns = Math.max(20, Math.floor((width - PADDING) / characterWidth));
  const layout = useMemo(() => (wraps
    ? wrappedLayout(shown.map(({ text }) => text.length + prefix), columns)
    : plainLayout(shown.length)), [shown, wraps, prefix, columns]);
  const firstRow = Math.floor(top / ROW);
  const first = Math.max(0, layout.lineAt(firstRow) - BEYOND);
  const last = Math.min(shown.length, layout.lineAt(firstRow + Math.ceil(height / ROW)) + 1 + BEYOND);

  const at = current === undefined ? -1 : shown.indexOf(current);
  const drawn = useRef({ layout, shown });
  // The event of a scroll comes after further renders, so `top` can be old.
  const scrolled = useRef(0);
  const scrollTo = (element: HTMLElement, position: number) => {
    element.scrollTop = position;
    scrolled.current = element.scrollTop;
  };
  useLayoutEffect(() => {
    const { layout: before, shown: shownBefore } = drawn.current;
    drawn.current = { layout, shown };
    if (before === layout || shownBefore !== shown || isFollowing || !ref.current) return;
    const [position, matchRow] = [scrolled.current / ROW, before.rowOf(at)];
    const isInView = at >= 0 && matchRow >= position && matchRow < position + height / ROW;
    scrollTo(ref.current, ROW * keptPosition(before, layout, isInView ? at : before.lineAt(Math.floor(position)), position));
  }, [layout]);

  useLayoutEffect(() => {
    if (isFollowing && ref.current) scrollTo(ref.current, ref.current.scrollHeight);
  }, [layout, isFollowing, height]);

  const goTo = (index: number) => {
    setFollowing(false);
    setCurrent(shown[index]);
    if (ref.current) scrollTo(ref.current, Math.max(0, layout.rowOf(index) * ROW - height / 3));
  };
  const step = (by: 1 | -1) => {
    if (matches.length === 0) return;
    const from = at >= 0 ? at : layout.lineAt(firstRow) - by;
    goTo(by > 0
      ? matches.find((index) => index > from) ?? matches[0]!
      : matches.findLast((index) => index < from) ?? matches.at(-1)!);
  };
  const jump = () => {
    const isAtError = at >= 0 && shown[at]!.level === 'ERROR';
    const index = (isAtError ? errorLine(shown, cause, at) : undefined) ?? errorLine(shown, cause);
    if (index !== undefined) goTo(index);
    else report(levels.size > 0 || onlyMatches ? 'There is no error among the lines shown' : 'There is no error in the log', true);
  };
  useEffect(() => {
    if (!isJumping || height === 0) return;
    const index = errorLine(shown, cause);
    if (index !== undefined) goTo(index);
    if (!isOver) return;
    setJumping(false);
    // Without an error, the end of the log is the nearest to it.
    if (index === undefined) setFollowing(true);
  }, [isJumping, shown, isOver, height]);

  useEffect(() => {
    if (!jumps) return undefined;
    const begin = () => {
      setFollowing(false);
      setJumping(true);
    };
    begin();
    // The link leads to the same address again.
    window.addEventListener('hashchange', begin);
    return () => window.removeEventListener('hashchange', begin);
  }, [jumps]);

  const search = useRef<HTMLInputElement>(null);
  useKeys((event) => {
    const keys: Readonly<Record<string, () => void>> = {
      '/': () => search.current?.focus(), 'n': () => step(1), 'N': () => step(-1), 'e': jump,
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]!();
  });

  const settings: LogSettings = { word, onlyMatches, levels, wraps, hasTimes, isFollowing };
  return (
    <div class="log">
      {error?.status !== FORBIDDEN && <LogTools
        settings={settings} lines={lines} shown={shown} isOver={isOver} isPart={isPart} source={source} report={report} search={search}
        match={matches.indexOf(at)} matches={matches.length} onStep={step} onJump={jump}
        onWord={setWord} onOnlyMatches={setOnlyMatches} onLevels={setLevels} onWraps={setWraps} onTimes={setTimes}
        onFollowing={setFollowing}
      />}
      {error && (error.status === NOT_STARTED
        ? <p class="why waiting" role="status">{sentenceText(shownText(error.message))} The log appears here when it starts.</p>
        : <Trouble>{error.message}</Trouble>)}
      <span class="measure" ref={measure} aria-hidden="true">{'0'.repeat(MEASURED)}</span>
      {/* No live region: a log would talk without end. */}
      <div
        class={wraps ? 'log-lines wraps' : 'log-lines'} ref={ref} role="region" aria-label={`Log of ${source.pod}`} tabIndex={0}
        onWheel={() => setJumping(false)} onPointerDown={() => setJumping(false)}
        onScroll={(event) => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
          scrolled.current = scrollTop;
          setTop(scrollTop);
          // Scrolling up pauses the log; scrolling to the end continues it.
          if (!isJumping) setFollowing(scrollTop + clientHeight >= scrollHeight - ROW);
        }}
      >
        {shown.length === 0 && (lines.length > 0 || (isOver && !error)) && <p class="dim">
          {lines.length > 0 ? 'No line matches.' : 'The log is empty.'}
        </p>}
        <div class="log-body" style={{ height: `${layout.rows * ROW}px` }}>
          <div class="log-window" style={{ transform: `translateY(${layout.rowOf(first) * ROW}px)` }}>
            {shown.slice(first, last).map((line, offset) => <Line
              key={first + offset} line={line} word={word} hasTime={hasTimes} isCurrent={first + offset === at}
            />)}
          </div>
        </div>
      </div>
    </div>
  );
}

interface LineProps {
  readonly line: LogLine;
  readonly word: string;
  readonly hasTime: boolean;
  readonly isCurrent: boolean;
}

function Line({ line: { text, time, level, isRest: rest }, word, hasTime, isCurrent }: LineProps) {
  return (
    <div class={`log-line ${level}${isCurrent ? ' current' : ''}${rest ? ' rest' : ''}`} title={rest && 'Continues the line above'}>
      {hasTime && <span class="log-time" title={time}>{logTimeText(rest ? undefined : time)}</span>}
      {word === '' ? text : partsOf(text, word).map((part, index) => (part.isMatch ? <mark key={index}>{part.text}</mark> : part.text))}
    </div>
  );
}

/** Returns the width of a character of the log, in pixels. */
function useCharacterWidth() {
  const measure = useRef<HTMLSpanElement>(null);
  const [characterWidth, setWidth] = useState(7);
  useLayoutEffect(() => {
    const measured = measure.current?.getBoundingClientRect().width ?? 0;
    if (measured > 0) setWidth(measured / MEASURED);
  }, []);
  return { measure, characterWidth };
}
