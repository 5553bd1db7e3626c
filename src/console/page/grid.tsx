import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useKeys, useNarrow, useSize } from './hooks';
import { Offsets } from './offsets';

/** Height of a row, in pixels. Heights follow from the rows, so nothing needs measuring. */
const ROW_HEIGHT = 32;

/** Rows rendered beyond the visible ones, so that fast scrolling shows no gaps. */
const BEYOND = 12;

/** Column of a grid. */
export interface Column<T> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Whether users can sort by it. */
  readonly sortable?: boolean;
  /** Whether its values are numbers, which are aligned to the right. */
  readonly isNumber?: boolean;
}

/** Marked rows, for actions on several rows. */
export interface Marking<T> {
  readonly isMarked: (row: T) => boolean;
  /** Label of the checkbox. */
  readonly labelOf: (row: T) => string;
  readonly onToggle: (row: T) => void;
}

interface GridProps<T> {
  readonly label: string;
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly columns: readonly Column<T>[];
  /** CSS class with the widths of the columns. */
  readonly layout: string;
  /** Widths of columns, as CSS variables of the layout. @default - none */
  readonly widths?: Readonly<Record<string, string>>;
  /**
   * Returns the height of a row on a phone, where it is a card, in pixels. Heights are computed
   * again when the function changes.
   */
  readonly cardHeight: (row: T, width: number) => number;
  /** @default - rows cannot be marked */
  readonly marking?: Marking<T>;
  readonly sort?: string;
  readonly descending?: boolean;
  readonly onSort?: (column: string) => void;
  readonly onOpen: (row: T) => void;
  /** Receives the visible rows. */
  readonly onVisible?: (first: number, last: number) => void;
  /** Text to show without rows. */
  readonly empty: ComponentChildren;
}

/** Rendered row with its input. */
interface Drawn<T> {
  readonly row: T;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly height: number;
  readonly columns: readonly Column<T>[];
  readonly drawing: VNode;
}

/** Selected row of each grid, to restore it when the user comes back. */
const LEFT = new Map<string, { top: number; selected?: string }>();

/**
 * Renders a table of any length; only the visible rows are in the document. Keys: j and k or the
 * arrows, g g and G, Enter.
 */
export function Grid<T>({
  label, rows, keyOf, columns, layout, widths, cardHeight, marking, sort, descending, onSort, onOpen, onVisible, empty,
}: GridProps<T>) {
  const { ref, width, height } = useSize<HTMLDivElement>();
  const isNarrow = useNarrow();
  const offsets = useMemo(
    () => new Offsets(rows.map((row) => (isNarrow ? cardHeight(row, width) : ROW_HEIGHT))),
    [rows, isNarrow, isNarrow && cardHeight, isNarrow && width],
  );
  const [top, setTop] = useState(0);
  const [selectedKey, setSelectedKey] = useState<string | undefined>(LEFT.get(label)?.selected);
  useEffect(() => {
    if (ref.current && LEFT.has(label)) ref.current.scrollTop = LEFT.get(label)!.top;
  }, [label]);
  useEffect(() => { LEFT.set(label, { top, ...(selectedKey !== undefined && { selected: selectedKey }) }); }, [label, top, selectedKey]);
  const lastIndex = useRef(0);
  const found = selectedKey === undefined ? -1 : rows.findIndex((row) => keyOf(row) === selectedKey);
  // When the selected row disappears, the selection keeps its position.
  const selected = selectedKey === undefined ? -1 : found >= 0 ? found : Math.min(lastIndex.current, rows.length - 1);
  useEffect(() => { if (found >= 0) lastIndex.current = found; });

  const first = Math.max(0, offsets.indexAt(top) - BEYOND);
  const last = Math.min(rows.length, offsets.indexAt(top + height) + 1 + BEYOND);
  useEffect(() => onVisible?.(first, last), [first, last, rows]);
  useLayoutEffect(() => {
    // With fewer rows, the scroll position might be beyond the end.
    if (ref.current) setTop(topOf(ref.current, offsets));
  });

  const select = (wanted: number) => {
    const index = Math.max(0, Math.min(rows.length - 1, wanted));
    const row = rows[index];
    if (row === undefined || !ref.current) return;
    setSelectedKey(keyOf(row));
    const [start, end] = [offsets.startOf(index), offsets.startOf(index + 1)];
    const room = isNarrow ? height : height - ROW_HEIGHT; // the header covers the first row
    if (start < ref.current.scrollTop) ref.current.scrollTop = start;
    else if (end > ref.current.scrollTop + room) ref.current.scrollTop = end - room;
  };
  const page = Math.max(1, offsets.indexAt(top + height) - offsets.indexAt(top) - 2);
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
    ...(marking && { x: () => { if (rows[selected]) marking.onToggle(rows[selected]); } }),
  };
  useKeys((event) => {
    // Enter activates a focused button or link instead of the row.
    const isElsewhere = event.target instanceof HTMLElement && event.target.closest('button, a, summary, input') !== null;
    if (!Object.hasOwn(moves, event.key) || (event.key === 'Enter' && isElsewhere)) return;
    event.preventDefault();
    moves[event.key]!();
  });

  const open = useRef(onOpen);
  open.current = onOpen;
  const mark = useRef(marking);
  mark.current = marking;
  const drawn = useRef(new Map<string, Drawn<T>>());
  const before = drawn.current;
  drawn.current = new Map();
  /** Reuses rows that are unchanged: scrolling renders only the rows that become visible. */
  const draw = (row: T, index: number) => {
    const key = keyOf(row);
    const known = before.get(key);
    const isSelected = index === selected;
    const isMarked = marking?.isMarked(row) ?? false;
    const rowHeight = offsets.startOf(index + 1) - offsets.startOf(index);
    const isSame = known && known.row === row && known.index === index && known.isSelected === isSelected
      && known.isMarked === isMarked && known.columns === columns && known.height === rowHeight;
    const now = isSame ? known : {
      row, index, isSelected, isMarked, columns, height: rowHeight,
      drawing: (
        <div
          key={key} id={idOf(index)} role="row" aria-rowindex={index + 2} aria-selected={isSelected}
          class={isSelected ? 'row selected' : 'row'} style={{ height: `${rowHeight}px` }}
          onClick={(event) => {
            // A link handles the click itself, also to open a new tab.
            if ((event.target as HTMLElement).closest('a, button, label')) return;
            setSelectedKey(key);
            open.current(row);
          }}
        >
          {marking && <div role="gridcell" class="col-mark"><label><input
            type="checkbox" tabIndex={-1} checked={isMarked} aria-label={marking.labelOf(row)} onChange={() => mark.current?.onToggle(row)}
          /></label></div>}
          {columns.map(({ id, title, cell, isNumber }) => <div
            key={id} role="gridcell" class={`col-${id}${isNumber ? ' number' : ''}`} data-label={title}
          >{cell(row)}</div>)}
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
      class={`grid ${layout}${marking ? ' marking' : ''}`} ref={ref} role="grid" aria-label={label} aria-rowcount={rows.length + 1}
      {...(widths && { style: widths })}
      aria-colcount={columns.length + (marking ? 1 : 0)} tabIndex={0}
      {...(isShown && { 'aria-activedescendant': idOf(selected) })}
      onScroll={(event) => setTop(topOf(event.currentTarget, offsets))}
    >
      <div class="grid-head" role="row" aria-rowindex={1}>
        {marking && <div role="columnheader" class="col-mark"><span class="hidden">Selected</span></div>}
        {columns.map(({ id, title, sortable, isNumber }) => (
          <div
            key={id} role="columnheader" class={`col-${id}${isNumber ? ' number' : ''}`}
            {...(sort === id && { 'aria-sort': descending ? 'descending' as const : 'ascending' as const })}
          >
            {sortable && onSort
              ? <button type="button" class="sort" onClick={() => onSort(id)}>
                {title}<span aria-hidden="true">{sort === id ? (descending ? ' ↓' : ' ↑') : ''}</span>
              </button>
              : title}
          </div>
        ))}
      </div>
      {rows.length === 0
        ? <div role="row" class="empty"><div role="gridcell">{empty}</div></div>
        : (
          <div class="grid-body" role="presentation" style={{ height: `${offsets.total}px` }}>
            <div role="presentation" class="grid-window" style={{ transform: `translateY(${offsets.startOf(first)}px)` }}>
              {rows.slice(first, last).map((row, offset) => draw(row, first + offset))}
            </div>
          </div>
        )}
    </div>
  );
}

/** Returns the position of the first visible row, in pixels from the top. */
function topOf({ scrollTop }: HTMLElement, offsets: Offsets): number {
  return offsets.startOf(offsets.indexAt(scrollTop));
}
