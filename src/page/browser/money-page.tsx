/** What was spent: over time, by agent, for each kept line, and what is left of the budgets. */
import type { ComponentChildren } from "preact";
import type {
  MoneyPage as MoneyDocument,
  PageSeriesCost,
  RepositoryName,
  Spent,
} from "../pure/repository-documents.ts";
import { BudgetChart, DayChart, SumChart, TokenChart } from "./charts.tsx";
import { Card, Empty, formatCost, formatCount, Moment } from "./parts.tsx";
import { linkTo } from "./route.ts";
import { isReady, pages, repositories } from "./store.ts";

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
