import type { Relation } from "../../../../typescript/src/gen/ctxdb/v1/relation_pb.ts";
import { nameOf, visible } from "../../text/uri.ts";

/** Maximum number of neighbours drawn. */
const MAX_DRAWN = 24;
const WIDTH = 720;
const HEIGHT = 340;
const LABEL_LENGTH = 22;

interface RelationGraphProps {
  readonly uri: string;
  readonly relations: readonly Relation[];
  readonly onSelect: (uri: string) => void;
}

const shortened = (text: string): string =>
  text.length > LABEL_LENGTH ? `${text.slice(0, LABEL_LENGTH - 1)}…` : text;

/** Draws a node in the middle, surrounded by its related nodes. */
export function RelationGraph({ uri, relations, onSelect }: RelationGraphProps) {
  const others = [
    ...new Set(relations.map(({ fromUri, toUri }) => (fromUri === uri ? toUri : fromUri))),
  ].slice(0, MAX_DRAWN);
  const placed = others.map((other, index) => {
    const angle = (2 * Math.PI * index) / others.length - Math.PI / 2;
    return {
      other,
      x: WIDTH / 2 + Math.cos(angle) * 250,
      y: HEIGHT / 2 + Math.sin(angle) * 125,
      isOut: relations.some(({ fromUri, toUri }) => fromUri === uri && toUri === other),
      isIn: relations.some(({ fromUri, toUri }) => fromUri === other && toUri === uri),
    };
  });
  return (
    // hidden from screen readers: the list below has the same content
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden
      className="hidden w-full max-w-3xl rounded-lg border border-line bg-ground sm:block"
    >
      <defs>
        <marker
          id="arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto-start-reverse"
        >
          <path d="M0 0L8 4L0 8z" className="fill-soft" />
        </marker>
      </defs>
      {placed.map(({ other, x, y, isOut, isIn }) => {
        const [fx, fy] = [WIDTH / 2 + (x - WIDTH / 2) * 0.22, HEIGHT / 2 + (y - HEIGHT / 2) * 0.22];
        const [tx, ty] = [WIDTH / 2 + (x - WIDTH / 2) * 0.86, HEIGHT / 2 + (y - HEIGHT / 2) * 0.86];
        return (
          <line
            key={other}
            x1={fx}
            y1={fy}
            x2={tx}
            y2={ty}
            className="stroke-soft"
            markerEnd={isOut ? "url(#arrow)" : undefined}
            markerStart={isIn ? "url(#arrow)" : undefined}
          />
        );
      })}
      <Label x={WIDTH / 2} y={HEIGHT / 2} text={nameOf(uri)} strong />
      {placed.map(({ other, x, y }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: the list below has links to the same nodes for the keyboard
        <g key={other} onClick={() => onSelect(other)} className="cursor-pointer">
          <Label x={x} y={y} text={nameOf(other)} />
        </g>
      ))}
    </svg>
  );
}

function Label({
  x,
  y,
  text,
  strong = false,
}: {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly strong?: boolean;
}) {
  const shown = shortened(visible(text));
  const width = shown.length * 7 + 20;
  return (
    <>
      <rect
        x={x - width / 2}
        y={y - 14}
        width={width}
        height={28}
        rx={8}
        className={strong ? "fill-accent" : "fill-surface stroke-line-strong"}
      />
      <text
        x={x}
        y={y + 4}
        textAnchor="middle"
        fontSize={12}
        className={strong ? "fill-on-accent" : "fill-ink"}
      >
        {shown}
      </text>
    </>
  );
}
