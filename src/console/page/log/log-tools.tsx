import type { RefObject } from 'preact';
import { countLevels, countLines, textOf } from './find';
import { LEVELS, type Level } from './levels';
import type { LogLine } from './log-lines';
import { logPath, type LogSource } from './use-log';
import { save } from './save';
import type { Report } from '../actions';
import { request, RequestError } from '../api';
import { countText } from '../format';
import { Check, CopyButton } from '../parts';

/** Names of the levels in the filter. */
const LEVEL_TEXT: Readonly<Record<Level, string>> = { ERROR: 'ERROR', WARN: 'WARN', INFO: 'INFO', OUTPUT: 'Output' };

/** Settings of a log by the user. */
export interface LogSettings {
  readonly word: string;
  readonly onlyMatches: boolean;
  /** Empty for all. */
  readonly levels: ReadonlySet<Level>;
  readonly wraps: boolean;
  readonly hasTimes: boolean;
  readonly isFollowing: boolean;
}

interface LogToolsProps {
  readonly settings: LogSettings;
  readonly lines: readonly LogLine[];
  /** Lines that match the settings. */
  readonly shown: readonly LogLine[];
  readonly isOver: boolean;
  /** Whether the log begins earlier than the lines. */
  readonly isPart: boolean;
  readonly source: LogSource;
  /** Number of the current match, counted from 0; negative without one. */
  readonly match: number;
  readonly matches: number;
  readonly search: RefObject<HTMLInputElement>;
  readonly report: Report;
  readonly onStep: (by: 1 | -1) => void;
  readonly onJump: () => void;
  readonly onWord: (word: string) => void;
  readonly onOnlyMatches: (onlyMatches: boolean) => void;
  readonly onLevels: (levels: ReadonlySet<Level>) => void;
  readonly onWraps: (wraps: boolean) => void;
  readonly onTimes: (hasTimes: boolean) => void;
  readonly onFollowing: (isFollowing: boolean) => void;
}

/** Renders the search, the filter of levels and the buttons of a log. */
export function LogTools(props: LogToolsProps) {
  const { settings: { word, onlyMatches, levels, wraps, hasTimes, isFollowing }, lines, shown, isOver, isPart, match, matches } = props;
  const counts = countLevels(lines);
  const [all, some] = [countLines(lines), countLines(shown)];
  const total = `${isPart ? 'the last ' : ''}${countText(all, 'line')}`;
  const count = some === all ? total : `${some.toLocaleString('en')} of ${total}`;
  return (
    <div class="log-tools" role="group" aria-label="Search and settings of the log">
      <span class="together">
        <input
          ref={props.search} type="search" aria-label="Search the log" placeholder="Search  ( / )" value={word} spellcheck={false}
          onInput={(event) => props.onWord(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') props.onStep(event.shiftKey ? -1 : 1);
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <button type="button" class="icon" aria-label="Previous match" title="Previous match (N)" onClick={() => props.onStep(-1)}>↑</button>
        <button type="button" class="icon" aria-label="Next match" title="Next match (n)" onClick={() => props.onStep(1)}>↓</button>
        <span class="dim" role="status">
          {word === '' ? '' : match < 0 ? `${countText(matches, 'matching line')}${isPart ? ` in ${total}` : ''}` : `${(match + 1).toLocaleString('en')} of ${matches.toLocaleString('en')}`}
        </span>
      </span>
      <Check checked={onlyMatches} onChange={props.onOnlyMatches}>Only matches</Check>
      <div class="chips" role="group" aria-label="Levels">
        {LEVELS.map((level) => <button
          key={level} type="button" class={`chip level ${level}`} aria-pressed={levels.has(level)}
          onClick={() => {
            const next = new Set(levels);
            if (!next.delete(level)) next.add(level);
            props.onLevels(next);
          }}
        >{LEVEL_TEXT[level]} <span class="count">{counts[level].toLocaleString('en')}</span></button>)}
      </div>
      <button type="button" class="button" title="The cause, or the last error; again: the error before it (e)" onClick={props.onJump}>
        Jump to the error
      </button>
      <Check checked={wraps} onChange={props.onWraps}>Wrap</Check>
      <Check checked={hasTimes} onChange={props.onTimes}>Times</Check>
      <Check checked={isFollowing} onChange={props.onFollowing}>Follow</Check>
      <CopyButton
        text={() => textOf(shown, hasTimes)} label="Copy" title={`Copies ${count}`}
        onFail={(reason) => props.report(reason, true)}
      />
      <button type="button" class="button" title="The whole log, as a file" onClick={() => void download(props)}>Download</button>
      <span class="dim" title={isPart ? 'Download has the whole log' : undefined}>{count}{isOver ? ', ended' : ''}</span>
    </div>
  );
}

/** Saves the whole log, not only the lines that the page has read. */
async function download({ source, settings: { hasTimes }, lines, report }: LogToolsProps): Promise<void> {
  try {
    const response = await request(logPath(source, { since: new Date(0).toISOString(), timestamps: String(hasTimes) }));
    save(await response.blob(), `${source.pod}.log`);
  } catch (error) {
    if (error instanceof RequestError && error.status === 404 && lines.length > 0) {
      save(new Blob([`${textOf(lines, hasTimes)}\n`]), `${source.pod}.log`);
      report('The pod has been deleted; the file has the lines that this page has read', true);
      return;
    }
    report(error instanceof Error ? error.message : String(error), true);
  }
}
