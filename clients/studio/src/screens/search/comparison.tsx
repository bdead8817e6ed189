import { Link } from "@tanstack/react-router";
import type { MatchedContext } from "../../../../typescript/src/gen/ctxdb/v1/search_pb.ts";
import { score } from "../../text/format.ts";
import { nodeOf } from "../../text/uri.ts";
import { Card } from "../../ui/layout.tsx";
import { Table } from "../../ui/table.tsx";
import { UriText } from "../../ui/uri-text.tsx";

type Hits = readonly MatchedContext[];

/** Position of a hit in one list. */
interface Standing {
  readonly rank: number;
  readonly score: number;
}

interface Row {
  readonly uri: string;
  readonly a?: Standing;
  readonly b?: Standing;
}

/** All hits of two lists with their ranks, sorted by the better rank. */
function rowsOf(a: Hits, b: Hits): Row[] {
  const standings = (hits: Hits) =>
    new Map(hits.map((hit, index) => [hit.uri, { rank: index + 1, score: hit.score }]));
  const [inA, inB] = [standings(a), standings(b)];
  const best = ({ a: first, b: second }: Row) =>
    Math.min(first?.rank ?? Number.POSITIVE_INFINITY, second?.rank ?? Number.POSITIVE_INFINITY);
  return [...new Set([...inA.keys(), ...inB.keys()])]
    .map((uri) => ({ uri, a: inA.get(uri), b: inB.get(uri) }))
    .sort((one, other) => best(one) - best(other));
}

/** Compares two lists of hits: common hits, changed ranks, hits in only one list. */
export function Comparison({ a, b }: { readonly a: Hits; readonly b: Hits }) {
  const rows = rowsOf(a, b);
  const both = rows.filter((row) => row.a !== undefined && row.b !== undefined).length;
  return (
    <Card title="A beside B" flush>
      <p className="border-b border-line px-4 py-2 text-[13px] text-soft">
        {both} of {rows.length} hits are in both lists; {a.length - both} in A alone, {b.length - both} in B
        alone.
      </p>
      <Table
        label="Hits of both searches"
        rows={rows}
        rowKey={({ uri }) => uri}
        columns={[
          {
            title: "Hit",
            cell: ({ uri }) => (
              <Link
                to="/explorer"
                search={{ uri: nodeOf(uri) }}
                className="block min-w-40 text-accent hover:underline"
              >
                <UriText uri={uri} />
              </Link>
            ),
          },
          { title: "A", numeric: true, cell: (row) => <Place at={row.a} /> },
          { title: "B", numeric: true, cell: (row) => <Place at={row.b} /> },
          { title: "From A to B", numeric: true, cell: (row) => <Move row={row} /> },
        ]}
      />
    </Card>
  );
}

function Place({ at }: { readonly at: Standing | undefined }) {
  if (at === undefined) return <span className="text-soft">–</span>;
  return (
    <span className="whitespace-nowrap">
      {at.rank}. <span className="text-soft">{score(at.score)}</span>
    </span>
  );
}

function Move({ row: { a, b } }: { readonly row: Row }) {
  if (a === undefined) return <span className="text-accent">new</span>;
  if (b === undefined) return <span className="text-danger">gone</span>;
  const up = a.rank - b.rank;
  if (up === 0) return <span className="text-soft">same place</span>;
  return (
    <span className={`whitespace-nowrap ${up > 0 ? "text-accent" : "text-danger"}`}>
      {up > 0 ? `${up} up` : `${-up} down`}
    </span>
  );
}
