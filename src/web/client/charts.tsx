/** Small charts, drawn as SVG. */
import type { MoneyPage } from "../page-model/repository-documents.ts";
import { formatCost } from "./parts.tsx";

const [WIDTH, HEIGHT, FOOT] = [720, 150, 20];
const DAYS_MAX = 60;

/** One bar for each day, and the sum so far as a line. Without any cost, the bars are ticks. */
export function DayChart({ days }: { readonly days: MoneyPage["days"] }) {
  const shown = days.slice(-DAYS_MAX);
  const isCost = shown.some(({ cost }) => cost > 0);
  const values = shown.map(({ cost, ticks }) => (isCost ? cost : ticks));
  const most = Math.max(...values, isCost ? 0.000_001 : 1);
  const step = WIDTH / Math.max(shown.length, 7);
  const room = HEIGHT - FOOT;
  const total = values.reduce((sum, value) => sum + value, 0);
  const what = isCost ? "cost for each day" : "ticks for each day";
  return (
    <figure class="chart">
      <figcaption>
        {what}, {isCost ? formatCost(total) : `${total}`} in{" "}
        {shown.length === 1 ? "1 day" : `${shown.length} days; the line is the sum`}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${what}; the table below has the numbers by agent`}
      >
        <line x1={0} x2={WIDTH} y1={room} y2={room} class="axis" />
        {shown.map(({ day }, index) => {
          const height = ((values[index] ?? 0) / most) * (room - 12);
          return (
            <rect
              key={day}
              x={index * step + step * 0.15}
              width={step * 0.7}
              y={room - height}
              height={height}
              rx={2}
              class="day"
            >
              <title>
                {day}: {isCost ? formatCost(values[index] ?? 0) : values[index]}
              </title>
            </rect>
          );
        })}
        <polyline class="sum" points={sumPoints(values, step, { room, total })} />
        <Labels days={shown.map(({ day }) => day)} step={step} />
      </svg>
    </figure>
  );
}

function sumPoints(
  values: readonly number[],
  step: number,
  { room, total }: { readonly room: number; readonly total: number },
): string {
  let sum = 0;
  return values
    .map((value, index) => {
      sum += value;
      return `${(index + 0.5) * step},${room - (sum / Math.max(total, 0.000_001)) * (room - 12)}`;
    })
    .join(" ");
}

/** The first and the last day, and some between. */
function Labels({ days, step }: { readonly days: readonly string[]; readonly step: number }) {
  const every = Math.max(1, Math.ceil(days.length / 8));
  return (
    <>
      {days.map((day, index) =>
        index % every === 0 ? (
          <text key={day} x={(index + 0.5) * step} y={HEIGHT - 5} text-anchor="middle">
            {day.slice(5)}
          </text>
        ) : null,
      )}
    </>
  );
}
