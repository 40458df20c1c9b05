import type { Key } from '../../../api/queries/keys.ts';

interface SparklineProps {
  readonly days: Key['days'];
  /** The same in words. */
  readonly label: string;
}

const count = 30;
const height = 24;
const step = 4;

/** Requests of the last 30 days, one bar a day: what went well, and above it in amber what did not. */
export function Sparkline({ days, label }: SparklineProps) {
  const byDay = new Map(days.map((day) => [day.day, day]));
  const bars = Array.from({ length: count }, (_, position) => {
    const at = new Date(Date.now() - (count - 1 - position) * 24 * 3_600_000).toISOString().slice(0, 10);
    const { answered = 0, low = 0, errors = 0, limited = 0 } = byDay.get(at) ?? {};
    return { at, good: answered + low, bad: errors + limited };
  });
  const most = Math.max(1, ...bars.map(({ good, bad }) => good + bad));
  const scaled = (value: number) => (value === 0 ? 0 : Math.max(2, (value / most) * (height - 2)));
  return (
    <svg
      role="img"
      aria-label={label}
      width={count * step}
      height={height}
      viewBox={`0 0 ${count * step} ${height}`}
    >
      <rect y={height - 1} width={count * step} height="1" fill="var(--p-line-strong)" />
      {bars.map(({ at, good, bad }, position) => (
        <g key={at}>
          <rect
            x={position * step}
            y={height - scaled(good)}
            width="3"
            height={scaled(good)}
            fill="var(--p-accent-mid)"
          />
          <rect
            x={position * step}
            y={height - scaled(good) - scaled(bad)}
            width="3"
            height={scaled(bad)}
            fill="var(--p-amber-dot)"
          />
        </g>
      ))}
    </svg>
  );
}
