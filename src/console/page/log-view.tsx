import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pathTo, readBytes, type RequestError } from './api';
import { logLine } from './format';
import { useSize } from './hooks';
import { Trouble } from './parts';
import { readWhole } from './whole-log';

/** Maximum number of kept lines; the oldest are dropped. */
const MOST_LINES = 50_000;

/** Height of a line, in pixels. */
const LINE = 18;

const BEYOND = 30;

/** Maximum length of a line, in characters; longer ones are split. */
const LONGEST = 4_000;

/** Milliseconds until a retry, for a log that has not started or was interrupted. */
const AGAIN = 3_000;

/** Container whose log is shown. */
export interface LogSource {
  readonly namespace: string;
  readonly application: string;
  readonly pod: string;
  /** Uid of the pod: the driver of the next attempt has the same name and its own log. */
  readonly uid: string;
  readonly container?: string;
  /** Whether the container might write more. */
  readonly isAlive: boolean;
}

/** Renders a growing log with a filter. */
export function LogView({ source }: { readonly source: LogSource }) {
  const { lines, error, isOver } = useLog(source);
  const { ref, height } = useSize<HTMLDivElement>();
  const [top, setTop] = useState(0);
  const [isFollowing, setFollowing] = useState(true);
  const [word, setWord] = useState('');
  const shownLines = useMemo(() => (word === ''
    ? lines
    : lines.filter((line) => line.toLowerCase().includes(word.toLowerCase()))), [lines, word]);
  const first = Math.max(0, Math.floor(top / LINE) - BEYOND);
  const last = Math.min(shownLines.length, Math.ceil((top + height) / LINE) + BEYOND);
  useLayoutEffect(() => {
    if (isFollowing && ref.current) ref.current.scrollTop = ref.current.scrollHeight;
  }, [shownLines, isFollowing, height]);

  return (
    <div class="log">
      <div class="log-tools">
        <input
          type="search" aria-label="Only lines with this text" placeholder="Only lines with…" value={word}
          onInput={(event) => setWord(event.currentTarget.value)}
        />
        <label class="check">
          <input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.currentTarget.checked)} /> Follow
        </label>
        <span class="dim">{shownLines.length.toLocaleString('en')} lines{isOver ? ', ended' : ''}</span>
      </div>
      {error && <Trouble>{error.message}</Trouble>}
      {/* No live region: a log would talk without end. */}
      <div
        class="log-lines" ref={ref} role="region" aria-label={`Log of ${source.pod}`} tabIndex={0}
        onScroll={(event) => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
          setTop(scrollTop);
          // Scrolling up pauses the log; scrolling to the end continues it.
          setFollowing(scrollTop + clientHeight >= scrollHeight - LINE);
        }}
      >
        <div class="log-body" style={{ height: `${shownLines.length * LINE}px` }}>
          <pre style={{ transform: `translateY(${first * LINE}px)` }}>{shownLines.slice(first, last).join('\n')}</pre>
        </div>
      </div>
    </div>
  );
}

function useLog({ namespace, application, pod, uid, container, isAlive }: LogSource) {
  const [state, setState] = useState<{ readonly lines: readonly string[]; readonly error?: RequestError; readonly isOver: boolean }>({
    lines: [], isOver: false,
  });
  const alive = useRef(isAlive);
  alive.current = isAlive;
  useEffect(() => {
    setState({ lines: [], isOver: false });
    const left = new AbortController();
    const buffer = new LineBuffer();
    let error: RequestError | undefined;
    let frame = 0;
    const draw = (isOver: boolean) => setState({ lines: buffer.lines(), isOver, ...(error && { error }) });
    // Not for each chunk: a fast log would render more often than the screen updates.
    const drawSoon = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        draw(false);
      });
    };
    let timer = 0;
    void readWhole({
      read({ since, follow }, take) {
        const query = new URLSearchParams({
          pod, uid, timestamps: 'true', follow: String(follow), ...(container !== undefined && { container }),
        });
        if (since) query.set('since', since.toISOString());
        else query.set('tail', '5000');
        return readBytes(`${pathTo('applications', namespace, application, 'log')}?${query}`, left.signal, take);
      },
      isAlive: () => alive.current,
      pause: () => new Promise((resolve) => { timer = window.setTimeout(resolve, AGAIN); }),
      isLeft: () => left.signal.aborted,
    }, {
      onText(text) {
        buffer.push(text);
        drawSoon();
      },
      onTrouble(trouble) {
        if (trouble === error) return;
        error = trouble;
        drawSoon();
      },
    }).then((reason) => {
      if (left.signal.aborted) return;
      cancelAnimationFrame(frame);
      error = reason;
      draw(true);
    });
    return () => {
      left.abort();
      window.clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [namespace, application, pod, uid, container]);
  return state;
}

/** Splits arriving text into lines. */
class LineBuffer {
  private complete: string[] = [];
  private rest = '';

  push(text: string): void {
    const parts = (this.rest + text).split('\n');
    this.rest = parts.pop()!;
    for (const part of parts) this.add(part);
    while (this.rest.length > LONGEST) {
      this.add(this.rest.slice(0, LONGEST));
      this.rest = this.rest.slice(LONGEST);
    }
    if (this.complete.length > MOST_LINES * 1.1) this.complete = this.complete.slice(-MOST_LINES);
  }

  lines(): readonly string[] {
    return this.rest === '' ? [...this.complete] : [...this.complete, logLine(this.rest)];
  }

  private add(line: string): void {
    for (let start = 0; start === 0 || start < line.length; start += LONGEST) {
      this.complete.push(logLine(line.slice(start, start + LONGEST)));
    }
  }
}
