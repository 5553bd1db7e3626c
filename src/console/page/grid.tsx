import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKeys, useSize } from './hooks';

/** The height of a row, in pixels: with all rows of one height nothing has to be measured. */
const ROW = 32;

/** Rows beyond the edges that are there already, so that fast scrolling shows no gaps. */
const BEYOND = 12;

/** A column of a grid. */
export interface Column<T> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Whether rows can be sorted by it. */
  readonly sortable?: boolean;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
}

interface GridProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  /** Class that says how wide the columns are. */
  readonly layout: string;
  readonly sort?: string;
  readonly descending?: boolean;
  readonly onSort?: (column: string) => void;
  readonly onOpen: (row: T) => void;
  /** Told which rows are to be seen. */
  readonly onVisible?: (first: number, last: number) => void;
  /** What stands in place of rows if there are none. */
  readonly empty: ComponentChildren;
}

/** A row as it is drawn, with what it was drawn from. */
interface Drawn<T> {
  readonly row: T;
  readonly index: number;
  readonly isSelected: boolean;
  readonly columns: readonly Column<T>[];
  readonly drawing: VNode;
}

/** Where each grid was left, so that the way back leads to the same row. */
const LEFT = new Map<string, { top: number; selected?: string }>();

/** A table of any length, of which only those rows are in the document that can be seen. Keys: j and k or the arrows, g g and G, Enter. */
export function Grid<T>({ label, rows, keyOf, columns, layout, sort, descending, onSort, onOpen, onVisible, empty }: GridProps<T>) {
  const { ref, height } = useSize<HTMLDivElement>();
  const [top, setTop] = useState(0);
  const [selectedKey, setSelectedKey] = useState<string | undefined>(LEFT.get(label)?.selected);
  useEffect(() => {
    if (ref.current && LEFT.has(label)) ref.current.scrollTop = LEFT.get(label)!.top;
  }, [label]);
  useEffect(() => { LEFT.set(label, { top, ...(selectedKey !== undefined && { selected: selectedKey }) }); }, [label, top, selectedKey]);
  const lastIndex = useRef(0);
  const found = selectedKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === selectedKey);
  // A row that is gone leaves the mark where it was.
  const selected = selectedKey === undefined ? -1 : found >= 0 ? found : Math.min(lastIndex.current, rows.length - 1);
  useEffect(() => { if (found >= 0) lastIndex.current = found; });

  const first = Math.max(0, Math.floor(top / ROW) - BEYOND);
  const last = Math.min(rows.length, Math.ceil((top + height) / ROW) + BEYOND);
  useEffect(() => onVisible?.(first, last), [first, last, rows]);
  useLayoutEffect(() => {
    // Fewer rows than before may end above where it was scrolled to.
    if (ref.current) setTop(rowAt(ref.current));
  });

  const select = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined || !ref.current) return;
    setSelectedKey(keyOf(row));
    const at = Math.max(0, Math.min(rows.length - 1, index)) * ROW;
    const room = height - ROW; // the head stands over the first row
    if (at < ref.current.scrollTop) ref.current.scrollTop = at;
    else if (at + ROW > ref.current.scrollTop + room) ref.current.scrollTop = at + ROW - room;
  };
  const page = Math.max(1, Math.floor(height / ROW) - 2);
  const moves: Readonly<Record<string, () => void>> = {
    j: () => select(selected + 1),
    ArrowDown: () => select(selected + 1),
    k: () => select(Math.max(0, selected - 1)),
    ArrowUp: () => select(Math.max(0, selected - 1)),
    PageDown: () => select(selected + page),
    PageUp: () => select(Math.max(0, selected - page)),
    Home: () => select(0),
    End: () => select(rows.length - 1),
    G: () => select(rows.length - 1),
    Enter: () => { if (rows[selected]) onOpen(rows[selected]); },
  };
  useKeys((event) => {
    // A button or link that has the focus is meant by Enter, not the row.
    const isElsewhere = event.target instanceof HTMLElement && event.target.closest('button, a, summary') !== null;
    if (!Object.hasOwn(moves, event.key) || (event.key === 'Enter' && isElsewhere)) return;
    event.preventDefault();
    moves[event.key]!();
  });

  const open = useRef(onOpen);
  open.current = onOpen;
  const drawn = useRef(new Map<string, Drawn<T>>());
  const before = drawn.current;
  drawn.current = new Map();
  /** What is drawn already, and as it was, is not looked at again: scrolling draws nothing but the rows that come into view. */
  const draw = (row: T, index: number) => {
    const key = keyOf(row);
    const known = before.get(key);
    const isSelected = index === selected;
    const isSame = known && known.row === row && known.index === index && known.isSelected === isSelected && known.columns === columns;
    const now = isSame ? known : {
      row, index, isSelected, columns,
      drawing: (
        <div
          key={key} id={idOf(index)} role="row" aria-rowindex={index + 2} aria-selected={isSelected} class={isSelected ? 'row selected' : 'row'}
          onClick={(event) => {
            // A link does it by itself, also into another tab.
            if ((event.target as HTMLElement).closest('a, button')) return;
            setSelectedKey(key);
            open.current(row);
          }}
        >
          {columns.map(({ id, cell, isNumber }) => <div key={id} role="gridcell" class={isNumber ? 'number' : ''}>{cell(row)}</div>)}
        </div>
      ),
    };
    drawn.current.set(key, now);
    return now.drawing;
  };

  const idOf = (index: number) => `row-${index}`;
  const isShown = selected >= first && selected < last;
  return (
    <div
      class={`grid ${layout}`} ref={ref} role="grid" aria-label={label} aria-rowcount={rows.length + 1} aria-colcount={columns.length} tabIndex={0}
      {...(isShown && { 'aria-activedescendant': idOf(selected) })}
      onScroll={(event) => setTop(rowAt(event.currentTarget))}
    >
      <div class="grid-head" role="row" aria-rowindex={1}>
        {columns.map(({ id, title, sortable, isNumber }) => (
          <div key={id} role="columnheader" class={isNumber ? 'number' : ''} {...(sort === id && { 'aria-sort': descending ? 'descending' as const : 'ascending' as const })}>
            {sortable && onSort
              ? <button type="button" class="sort" onClick={() => onSort(id)}>{title}<span aria-hidden="true">{sort === id ? (descending ? ' ↓' : ' ↑') : ''}</span></button>
              : title}
          </div>
        ))}
      </div>
      {rows.length === 0
        ? <div role="row" class="empty"><div role="gridcell">{empty}</div></div>
        : (
          <div class="grid-body" role="presentation" style={{ height: `${rows.length * ROW}px` }}>
            <div role="presentation" class="grid-window" style={{ transform: `translateY(${first * ROW}px)` }}>
              {rows.slice(first, last).map((row, offset) => draw(row, first + offset))}
            </div>
          </div>
        )}
    </div>
  );
}

/** Where the first row that is to be seen begins, in pixels from the top of all. */
function rowAt({ scrollTop }: HTMLElement): number {
  return Math.floor(scrollTop / ROW) * ROW;
}
