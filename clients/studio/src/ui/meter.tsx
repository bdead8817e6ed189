interface MeterProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  /** The value in words, for screen readers. */
  readonly text: string;
  readonly tone: "neutral" | "warning" | "danger";
}

const TONES: Readonly<Record<MeterProps["tone"], string>> = {
  neutral: "bg-accent",
  warning: "bg-warning",
  danger: "bg-danger",
};

/** A bar that shows how much of a limit is in use. */
export function Meter({ label, value, max, text, tone }: MeterProps) {
  const share = max > 0 ? Math.min(value / max, 1) : 1;
  return (
    <div className="mt-1.5 h-2 overflow-hidden rounded-full border border-line bg-sunken">
      <meter className="sr-only" aria-label={label} aria-valuetext={text} min={0} max={max} value={value} />
      <div
        aria-hidden
        className={`h-full rounded-full ${TONES[tone]}`}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
