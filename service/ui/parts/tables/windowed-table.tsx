/**
 * A table of many rows, of which only those that can be seen are elements. Its rows have one height and its columns fixed widths, so that
 * nothing moves while it is scrolled.
 */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

type WindowedOf<Row> = {
  /** For readers that do not see what stands above it. */
  readonly label: string;
  /** With the width of each column in pixels. */
  readonly columns: readonly (readonly [title: string, width: number])[];
  readonly rows: readonly Row[];
  /** Its cells. */
  readonly children: (row: Row) => ComponentChildren;
};

/** Rows outside of what can be seen, above and below. The window moves in steps of this many rows. */
const SPARE = 6;
/** Until the first row was measured. */
const ROW = { height: 32, shown: 20 };

export function WindowedTable<Row>({ label, columns, rows, children }: WindowedOf<Row>) {
  const box = useRef<HTMLElement>(null);
  const [{ height, shown }, setSize] = useState(ROW);
  const [top, setTop] = useState(0);
  const size = shown + 2 * SPARE;
  const first = Math.max(0, Math.min(top, rows.length - shown) - SPARE);
  const end = Math.min(rows.length, first + size);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const watching = new ResizeObserver(() => {
      const row = current.querySelector<HTMLElement>("tr.row");
      if (row === null) return;
      setSize({ height: row.offsetHeight, shown: Math.ceil(current.clientHeight / row.offsetHeight) });
    });
    watching.observe(current);
    return () => watching.disconnect();
  }, []);
  const scrolled = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    const next = Math.floor(currentTarget.scrollTop / height / SPARE) * SPARE;
    if (next === top) return;
    setTop(next);
    const focused = document.activeElement?.closest("tr.row");
    if (focused == null || !currentTarget.contains(focused)) return;
    // The row that has the focus makes way for another one; keys keep scrolling the table.
    const at = Number(focused.getAttribute("aria-rowindex")) - 2;
    if (at < next - SPARE || at >= next - SPARE + size) currentTarget.focus({ preventScroll: true });
  };
  return (
    <section class="wide windowed" tabIndex={0} aria-label={label} ref={box} onScroll={scrolled}>
      <table aria-rowcount={rows.length + 1}>
        <colgroup>
          {columns.map(([title, width]) => (
            <col key={title} width={width} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(([title]) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space rows={first} height={height} columns={columns.length} />
          {rows.slice(first, end).map((row, at) => (
            // A row that comes takes the elements of one that went.
            <tr key={(first + at) % size} class="row" aria-rowindex={first + at + 2}>
              {children(row)}
            </tr>
          ))}
          <Space rows={rows.length - end} height={height} columns={columns.length} />
        </tbody>
      </table>
    </section>
  );
}

/** The place of rows that are not elements. */
function Space({
  rows,
  height,
  columns,
}: {
  readonly rows: number;
  readonly height: number;
  readonly columns: number;
}) {
  if (rows === 0) return null;
  return (
    <tr>
      <td class="space" colSpan={columns} style={{ height: `${rows * height}px` }} />
    </tr>
  );
}
