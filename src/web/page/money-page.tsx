/** What was spent: over time, by agent, for each kept line, and what is left of the budgets. */
import type { MoneyPage as MoneyDocument, PageBudget, RepositoryName } from "../page-model/repository-documents.ts";
import { DayChart } from "../client/charts.tsx";
import { Card, Empty, formatCost, formatCount } from "../client/parts.tsx";
import { isReady, pages, repositories } from "../client/store.ts";

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
        <Figure
          label="for each kept line"
          value={money.perKeptLine === null ? "–" : `$${money.perKeptLine.toFixed(4)}`}
        />
        <Figure label="tokens in" value={money.total.tokensIn === 0 ? "–" : formatCount(money.total.tokensIn)} />
        <Figure label="tokens out" value={money.total.tokensOut === 0 ? "–" : formatCount(money.total.tokensOut)} />
      </div>
      {money.unreported === 0 ? null : (
        <p class="faint">{formatCount(money.unreported)} ticks had a session whose program reported no cost.</p>
      )}
      <div class="money">
        <DayChart days={money.days} />
        {money.budgets.length === 0 ? null : (
          <div>
            <h3>Budgets of the milestone</h3>
            {money.budgets.map((budget) => (
              <Budget key={budget.name} budget={budget} />
            ))}
          </div>
        )}
      </div>
      <AgentTable money={money} />
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

function AgentTable({ money }: { readonly money: MoneyDocument }) {
  if (money.agents.length === 0) return null;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">agent</th>
          <th scope="col">sessions</th>
          <th scope="col">tokens in</th>
          <th scope="col">tokens out</th>
          <th scope="col">cost</th>
        </tr>
      </thead>
      <tbody>
        {money.agents.map(({ name, ticks, tokensIn, tokensOut, cost }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>{formatCount(ticks)}</td>
            <td>{formatCount(tokensIn)}</td>
            <td>{formatCount(tokensOut)}</td>
            <td>{formatCost(cost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Budget({ budget: { name, used, cap, isDollars } }: { readonly budget: PageBudget }) {
  const show = isDollars ? formatCost : formatCount;
  return (
    <div class="budget">
      <span>{name}</span>
      <meter min={0} max={cap} high={cap * 0.8} value={Math.min(used, cap)} aria-label={`${name} of the budget`} />
      <span class="faint">
        {show(used)} of {show(cap)}
      </span>
    </div>
  );
}
