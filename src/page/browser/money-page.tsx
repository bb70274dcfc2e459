/** What was spent: over time, by agent, for each kept line, and what is left of the budgets. */
import type { ComponentChildren } from "preact";
import { addUp, drawBars, drawSteps, fillSteps } from "../pure/chart-lines.ts";
import type {
  MoneyPage as MoneyDocument,
  PageBudget,
  PageSeriesCost,
  RepositoryName,
  Spent,
} from "../pure/repository-documents.ts";
import { Card, Empty, formatCost, formatCount, Moment } from "./parts.tsx";
import { linkTo } from "./route.ts";
import { isReady, pages, repositories } from "./store.ts";

/* Charts as SVG. Their words stand beside them as HTML, so that they keep their size on a phone. */

const DAYS_MAX = 60;
const HEADROOM = 1.1;

type Days = MoneyDocument["days"];

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
function DayChart({ days }: { readonly days: Days }) {
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
function SumChart({ days }: { readonly days: Days }) {
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

function TokenChart({ days }: { readonly days: Days }) {
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
function BudgetChart({ budget, moments }: BudgetProps) {
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

export function MoneyPage() {
  const known = repositories.value.flatMap((repository) => {
    const money = pages.value.get(repository.id)?.money;
    return money === undefined || money.total.ticks === 0 ? [] : [{ repository, money }];
  });
  return (
    <>
      <h1 class="hidden">Money</h1>
      {known.length === 0 ? (
        <Empty command='relais run "…"'>{isReady.value ? "Nothing was spent yet. Type:" : "Reading …"}</Empty>
      ) : null}
      {known.map(({ repository, money }) => (
        <RepositoryMoney key={repository.id} repository={repository} money={money} />
      ))}
    </>
  );
}

function RepositoryMoney({
  repository,
  money,
}: {
  readonly repository: RepositoryName;
  readonly money: MoneyDocument;
}) {
  return (
    <Card title={repository.name} aside={money.milestone === null ? null : `milestone ${money.milestone}`}>
      <div class="figures">
        <Figure
          label="spent"
          value={formatCost(money.total.cost === 0 && money.unreported > 0 ? null : money.total.cost)}
        />
        <Figure label="ticks" value={formatCount(money.total.ticks)} />
        {money.perKeptLine === null ? null : (
          <Figure label="for each kept line" value={`$${money.perKeptLine.toFixed(4)}`} />
        )}
        {money.total.tokensIn === 0 ? null : <Figure label="tokens in" value={formatCount(money.total.tokensIn)} />}
        {money.total.tokensOut === 0 ? null : <Figure label="tokens out" value={formatCount(money.total.tokensOut)} />}
      </div>
      {money.unreported === 0 ? null : (
        <p class="faint">{formatCount(money.unreported)} ticks had a session whose program reported no cost.</p>
      )}
      {money.days.length < 2 ? null : (
        <div class="charts">
          <DayChart days={money.days} />
          <SumChart days={money.days} />
          <TokenChart days={money.days} />
        </div>
      )}
      <Budgets money={money} />
      <Numbers money={money} />
      <SpentTable head="agent" counted="sessions" rows={money.agents.map((agent) => ({ ...agent, key: agent.name }))} />
      <SpentTable
        head="series"
        counted="ticks"
        rows={money.series.map((one) => ({ ...one, key: one.seriesId, name: nameSeries(repository.id, one) }))}
      />
    </Card>
  );
}

function Figure({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div class="figure">
      <span class="figure-value">{value}</span>
      <span class="faint">{label}</span>
    </div>
  );
}

interface SpentRow extends Spent {
  readonly key: string;
  readonly name: ComponentChildren;
}

function SpentTable({ head, counted, rows }: SpentTableProps) {
  if (rows.length === 0) return null;
  return (
    <table class="spent">
      <thead>
        <tr>
          {[head, counted, "tokens in", "tokens out", "cost"].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, ticks, tokensIn, tokensOut, cost }) => (
          <tr key={key}>
            <td>{name}</td>
            <td>{formatCount(ticks)}</td>
            <td>{tokensIn === 0 ? "–" : formatCount(tokensIn)}</td>
            <td>{tokensOut === 0 ? "–" : formatCount(tokensOut)}</td>
            <td>{formatCost(cost === 0 ? null : cost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface SpentTableProps {
  readonly head: string;
  readonly counted: "ticks" | "sessions";
  readonly rows: readonly SpentRow[];
}

function nameSeries(repository: string, { seriesId, command, startedAt }: PageSeriesCost): ComponentChildren {
  return (
    <>
      <a href={linkTo("series", repository, seriesId)}>relais {command}</a>{" "}
      <span class="faint">
        <Moment at={startedAt} />
      </span>
    </>
  );
}

function Budgets({ money: { budgets, moments } }: { readonly money: MoneyDocument }) {
  if (budgets.length === 0) return null;
  const unused = budgets.filter(({ used }) => used === 0);
  return (
    <>
      <h3>Budgets of the milestone, tick by tick; the dashed line is the cap</h3>
      <div class="budgets">
        {budgets.map((budget) =>
          budget.used === 0 ? null : <BudgetChart key={budget.name} budget={budget} moments={moments} />,
        )}
      </div>
      {unused.length === 0 ? null : (
        <p class="faint">
          Not used: {unused.map(({ name, cap }) => `${name} (0 of ${formatCount(cap ?? 0)})`).join(", ")}
        </p>
      )}
    </>
  );
}

/** The charts as text, for those who do not see them. */
function Numbers({ money: { days, budgets, moments } }: { readonly money: MoneyDocument }) {
  return (
    <details class="numbers">
      <summary>The charts as tables</summary>
      <SpentTable head="day" counted="ticks" rows={days.map((day) => ({ ...day, key: day.day, name: day.day }))} />
      {moments.length === 0 ? null : <BudgetTable budgets={budgets} moments={moments} />}
    </details>
  );
}

function BudgetTable({ budgets, moments }: Pick<MoneyDocument, "budgets" | "moments">) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">used by</th>
          {budgets.map(({ name }) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {moments.map((at, index) => (
          <tr key={at}>
            <td>
              <Moment at={at} />
            </td>
            {budgets.map(({ name, values, isDollars }) => (
              <td key={name}>{(isDollars ? formatCost : formatCount)(values[index] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
