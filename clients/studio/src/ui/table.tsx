import { type ReactNode, useState } from "react";
import { count } from "../text/format.ts";
import { Button } from "./button.tsx";
import { Scroller } from "./scroller.tsx";

export interface Column<T> {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** Whether the column is aligned to the right, for numbers. */
  readonly numeric?: boolean;
  /** The title is visible to screen readers only. */
  readonly hideTitle?: boolean;
}

/** Number of rows shown initially, and added by each click. */
const STEP = 100;

interface TableProps<T> {
  /** Description of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
}

export function Table<T>(props: TableProps<T>) {
  const [shown, setShown] = useState(STEP);
  const more = props.rows.length - shown;
  return (
    <>
      <Rows {...props} rows={more > 0 ? props.rows.slice(0, shown) : props.rows} />
      {more > 0 && (
        <div className="border-t border-line p-3 text-center">
          <Button onClick={() => setShown(shown + STEP)}>Show more ({count(more)} left)</Button>
        </div>
      )}
    </>
  );
}

function Rows<T>({ label, columns, rows, rowKey }: TableProps<T>) {
  return (
    <Scroller label={`${label}, may scroll`}>
      <table className="w-full text-left text-[13px]" aria-label={label}>
        <thead className="text-soft">
          <tr className="border-b border-line">
            {columns.map(({ title, numeric, hideTitle }) => (
              <th
                key={title}
                scope="col"
                className={`px-4 py-2 font-medium whitespace-nowrap ${numeric ? "text-right" : ""}`}
              >
                <span className={hideTitle ? "sr-only" : ""}>{title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b border-line last:border-0 hover:bg-sunken/60">
              {columns.map(({ title, cell, numeric }) => (
                <td key={title} className={`px-4 py-2 align-top ${numeric ? "text-right tabular-nums" : ""}`}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
