import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pathTo, readText, RequestError } from './api';
import { logLine } from './format';
import { useSize } from './hooks';
import { Trouble } from './parts';

/** Lines that are kept; the oldest go first. */
const MOST_LINES = 50_000;

/** The height of a line, in pixels. */
const LINE = 18;

const BEYOND = 30;

/** A line that never ends is cut into lines of so many characters. */
const LONGEST = 4_000;

/** Milliseconds until the log of a container that has not started yet is asked for again. */
const AGAIN = 3_000;

/** Whose log it is. */
export interface LogSource {
  readonly namespace: string;
  readonly application: string;
  readonly pod: string;
  readonly container?: string;
  /** Whether more may come. */
  readonly isAlive: boolean;
}

/** A log as it comes, with a filter. */
export function LogView({ source }: { readonly source: LogSource }) {
  const { lines, error, isOver } = useLog(source);
  const { ref, height } = useSize<HTMLDivElement>();
  const [top, setTop] = useState(0);
  const [isFollowing, setFollowing] = useState(true);
  const [word, setWord] = useState('');
  const shownLines = useMemo(() => (word === '' ? lines : lines.filter((line) => line.toLowerCase().includes(word.toLowerCase()))), [lines, word]);
  const first = Math.max(0, Math.floor(top / LINE) - BEYOND);
  const last = Math.min(shownLines.length, Math.ceil((top + height) / LINE) + BEYOND);
  useLayoutEffect(() => {
    if (isFollowing && ref.current) ref.current.scrollTop = ref.current.scrollHeight;
  }, [shownLines, isFollowing, height]);

  return (
    <div class="log">
      <div class="log-tools">
        <input type="search" aria-label="Only lines with this text" placeholder="Only lines with…" value={word} onInput={(event) => setWord(event.currentTarget.value)} />
        <label class="check"><input type="checkbox" checked={isFollowing} onChange={(event) => setFollowing(event.currentTarget.checked)} /> Follow</label>
        <span class="dim">{shownLines.length.toLocaleString('en')} lines{isOver ? ', ended' : ''}</span>
      </div>
      {error && <Trouble>{error.message}</Trouble>}
      {/* No live region: a log would talk without end. */}
      <div
        class="log-lines" ref={ref} role="region" aria-label={`Log of ${source.pod}`} tabIndex={0}
        onScroll={(event) => {
          const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
          setTop(scrollTop);
          // Whoever scrolls up wants to read, and at the end to go on.
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

function useLog({ namespace, application, pod, container, isAlive }: LogSource) {
  const [state, setState] = useState<{ readonly lines: readonly string[]; readonly error?: RequestError; readonly isOver: boolean }>({ lines: [], isOver: false });
  const follow = useRef(isAlive);
  follow.current = isAlive;
  useEffect(() => {
    setState({ lines: [], isOver: false });
    const ended = new AbortController();
    const buffer = new LineBuffer();
    let frame = 0;
    // Not with each piece: a fast log would be drawn faster than it can be seen.
    const draw = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        setState({ lines: buffer.lines(), isOver: false });
      });
    };
    const query = new URLSearchParams({ pod, tail: '5000', follow: String(follow.current), ...(container !== undefined && { container }) });
    let timer = 0;
    const read = () => {
      void readText(`${pathTo('applications', namespace, application, 'log')}?${query}`, ended.signal, (text) => {
        buffer.push(text);
        draw();
      }).then(() => undefined, (error: unknown) => (error instanceof RequestError ? error : new RequestError(0, 'the connection was lost')))
        .then((error) => {
          if (ended.signal.aborted) return;
          setState({ lines: buffer.lines(), isOver: true, ...(error && { error }) });
          // Kubernetes refuses the log of a container that has not started yet.
          if (error?.status === 400 && follow.current) timer = window.setTimeout(read, AGAIN);
        });
    };
    read();
    return () => {
      ended.abort();
      window.clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [namespace, application, pod, container]);
  return state;
}

/** Cuts text into lines as it comes. */
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
    for (let start = 0; start === 0 || start < line.length; start += LONGEST) this.complete.push(logLine(line.slice(start, start + LONGEST)));
  }
}
