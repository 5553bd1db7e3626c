import type { ComponentChildren } from 'preact';

/** Column of a table. */
export interface TableColumn<T> {
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /**
   * How cells use their width: words and numbers have their own, long names are cut where there is
   * no room for them, texts wrap at spaces and take most of it, and notes wrap like texts but take
   * no more than they need.
   *
   * @default word
   */
  readonly kind?: 'word' | 'number' | 'name' | 'text' | 'note';
  /** Whether the column is hidden first (2) or second (1) on a narrow screen. @default - never */
  readonly drops?: 1 | 2;
}

interface TableProps<T> {
  readonly label: string;
  readonly columns: readonly TableColumn<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** CSS class of a row. @default - none */
  readonly toneOf?: (row: T) => string;
}

/**
 * Renders a table whose cells never break words. On a phone each row is a card with the titles of
 * all columns.
 */
export function Table<T>({ label, columns, rows, keyOf, toneOf }: TableProps<T>) {
  return (
    // Roles, because the layout of cards removes those of the elements.
    <table class="table" role="table" aria-label={label}>
      <thead role="rowgroup"><tr role="row">
        {columns.map((column) => <th key={column.title} role="columnheader" class={classOf(column)}>{column.title}</th>)}
      </tr></thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row" class={toneOf?.(row)}>
            {columns.map((column) => {
              const content = column.cell(row);
              return <td
                key={column.title} role="cell" class={classOf(column)} data-label={column.title}
                title={typeof content === 'string' && column.kind !== 'number' ? content : undefined}
              >{content}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf<T>({ kind = 'word', drops }: TableColumn<T>): string {
  return drops === undefined ? kind : `${kind} drops-${drops}`;
}
