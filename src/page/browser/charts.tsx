/** Charts as SVG. Their words stand beside them as HTML, so that they keep their size on a phone. */
import type { ComponentChildren } from "preact";
import { addUp, drawBars, drawSteps, fillSteps } from "../pure/chart-lines.ts";
import type { MoneyPage, PageBudget } from "../pure/repository-documents.ts";
import { formatCost, formatCount, Moment } from "./parts.tsx";

const DAYS_MAX = 60;
const HEADROOM = 1.1;

type Days = MoneyPage["days"];

/** A stretched box; lines keep their width. */
function Plot({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={label}>
      <line x1={0} x2={100} y1={100} y2={100} class="axis" />
      {children}
    </svg>
  );
}

function Bars({ days, values, most, below, kind = "day" }: BarProps) {
  return (
    <>
      {drawBars(values, most, below).map((bar, at) => (
        <rect key={days[at]?.day} {...bar} class={kind} />
      ))}
    </>
  );
}

interface BarProps {
  readonly days: Days;
  readonly values: readonly number[];
  readonly most: number;
  readonly below?: readonly number[];
  readonly kind?: string;
}

/** One bar for each day. Without any cost, the bars are ticks. */
export function DayChart({ days }: { readonly days: Days }) {
  const shown = days.slice(-DAYS_MAX);
  const { what, show, values } = chooseValues(shown);
  const most = Math.max(...values);
  return (
    <figure class="chart">
      <figcaption>
        <b>{what} for each day</b> <span>at most {show(most)}</span>
      </figcaption>
      <Plot label={`${what} for each day; at most ${show(most)} in ${countDays(shown.length)}`}>
        <Bars days={shown} values={values} most={most * HEADROOM} />
      </Plot>
      <DayLabels days={shown} />
    </figure>
  );
}

/** The same, added up. */
export function SumChart({ days }: { readonly days: Days }) {
  const { what, show, values } = chooseValues(days);
  const sums = addUp(values);
  const total = sums.at(-1) ?? 0;
  const moments = days.map(({ day }) => `${day}T00:00:00Z`);
  return (
    <figure class="chart">
      <figcaption>
        <b>{what} so far</b> <span>{show(total)}</span>
      </figcaption>
      <Plot label={`${what} so far: ${show(total)} in ${countDays(days.length)}`}>
        <path class="area" d={fillSteps(moments, sums, total * HEADROOM)} />
        <path class="sum" d={drawSteps(moments, sums, total * HEADROOM)} />
      </Plot>
      <p class="ends" aria-hidden="true">
        <span>{days[0]?.day}</span>
        <span>{days.at(-1)?.day}</span>
      </p>
    </figure>
  );
}

function chooseValues(days: Days) {
  const isCost = days.some(({ cost }) => cost > 0);
  const values = days.map(({ cost, ticks }) => (isCost ? cost : ticks));
  return { what: isCost ? "Cost" : "Ticks", show: isCost ? formatCost : formatCount, values };
}

export function TokenChart({ days }: { readonly days: Days }) {
  const shown = days.slice(-DAYS_MAX);
  const most = Math.max(...shown.map(({ tokensIn, tokensOut }) => tokensIn + tokensOut), 0);
  if (most === 0) return null;
  const [read, written] = [shown.map(({ tokensIn }) => tokensIn), shown.map(({ tokensOut }) => tokensOut)];
  return (
    <figure class="chart">
      <figcaption>
        <b>Tokens for each day</b> <Key kind="day">in</Key> <Key kind="out">out</Key>
      </figcaption>
      <Plot label={`Tokens for each day; at most ${formatCount(most)} in ${countDays(shown.length)}`}>
        <Bars days={shown} values={read} most={most * HEADROOM} />
        <Bars days={shown} values={written} most={most * HEADROOM} below={read} kind="out" />
      </Plot>
      <DayLabels days={shown} />
    </figure>
  );
}

const countDays = (days: number): string => (days === 1 ? "1 day" : `${days} days`);

function Key({ kind, children }: { readonly kind: string; readonly children: ComponentChildren }) {
  return <span class={`key ${kind}`}>{children}</span>;
}

/** The first and the last day, under their bars. */
function DayLabels({ days }: { readonly days: Days }) {
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  return (
    <p class="ends" aria-hidden="true">
      <span>{first}</span>
      {days.length < 7 ? null : <span>{last}</span>}
    </p>
  );
}

interface BudgetProps {
  readonly budget: PageBudget;
  readonly moments: readonly string[];
}

/** What a milestone used of one budget, tick by tick, and its cap as a line. */
export function BudgetChart({ budget, moments }: BudgetProps) {
  const { name, used, cap, isDollars, values } = budget;
  const show = isDollars ? formatCost : formatCount;
  const words = cap === null ? `${show(used)}, no cap` : `${show(used)} of ${show(cap)}`;
  const isFull = cap !== null && used >= cap;
  return (
    <figure class={`chart budget${isFull ? " full" : ""}`}>
      <figcaption>
        <b>{name}</b> <span>{words}</span>
      </figcaption>
      <BudgetPlot budget={budget} moments={moments} label={`${name}: ${words} used, over ${values.length} ticks`} />
      <p class="ends" aria-hidden="true">
        {moments.slice(0, 1).map((at) => (
          <Moment key="first" at={at} />
        ))}
        {moments
          .slice(1)
          .slice(-1)
          .map((at) => (
            <Moment key="last" at={at} />
          ))}
      </p>
    </figure>
  );
}

function BudgetPlot({ budget: { used, cap, values }, moments, label }: BudgetProps & { readonly label: string }) {
  const most = Math.max(cap ?? 0, used, ...values) * HEADROOM;
  const capAt = cap === null ? null : 100 - (100 * cap) / Math.max(most, Number.MIN_VALUE);
  return (
    <Plot label={label}>
      <path class="area" d={fillSteps(moments, values, most)} />
      <path class="sum" d={drawSteps(moments, values, most)} />
      {capAt === null ? null : <line class="cap" x1={0} x2={100} y1={capAt} y2={capAt} />}
    </Plot>
  );
}
