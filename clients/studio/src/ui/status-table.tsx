import type { StatusTable as Cells } from "../api/observer.ts";
import { Scroller } from "./scroller.tsx";

/** A table of the observer; numbers are aligned to the right. */
export function StatusTable({ label, table }: { readonly label: string; readonly table: Cells }) {
  const { head, rows } = table;
  return (
    <Scroller label={`${label}, may scroll`}>
      <table aria-label={label} className="w-full text-left text-[13px]">
        <thead className="text-soft">
          <tr className="border-b border-line">
            {head.map((title, index) => (
              <th
                key={title}
                scope="col"
                className={`py-1.5 pr-3 align-bottom font-medium last:pr-0 ${index > 0 ? "text-right" : ""}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr
              key={cells.join(" ")}
              className={`border-b border-line last:border-0 ${cells[0] === "TOTAL" ? "font-medium" : ""}`}
            >
              {cells.map((cell, index) => (
                <td
                  key={head[index]}
                  className={`py-1.5 pr-3 tabular-nums last:pr-0 ${index > 0 ? "text-right" : ""}`}
                >
                  {cell === "TOTAL" ? "Total" : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
