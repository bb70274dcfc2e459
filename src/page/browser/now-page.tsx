/** What happens now: one row for each running or recent series, and what needs the person. */
import type { RepositoryName, RepositoryPage, SeriesRow } from "../pure/repository-documents.ts";
import { Badge, Card, Empty, formatCost, formatCount, Moment, Span } from "./parts.tsx";
import { ActionButton } from "./actions.tsx";
import { linkTo } from "./route.ts";
import { findTick, inbox, isReady, pages, type PlacedTick, repositories, tickCount, ticks } from "./store.ts";
import { TickLine } from "./tick-list.tsx";
import { InboxList } from "./inbox-page.tsx";

/* What the last drill of a repository came to. */

const COLUMNS = ["stopped", "told", "passed", "bad", "untried"] as const;

function Scorecard({ card }: { readonly card: NonNullable<RepositoryPage["scorecard"]> }) {
  const { at, bad, builders, rows } = card;
  return (
    <details class="scorecard">
      <summary>
        <Badge tone={bad.length === 0 ? "good" : "bad"}>Drill</Badge>{" "}
        {bad.length === 0
          ? `${formatCount(builders)} hostile and honest builders, none got through`
          : `${formatCount(bad.length)} of ${formatCount(card.ticks)} trials got through, or were refused although honest`}
        {card.not_reached === 0 ? null : (
          <span class="faint"> · {formatCount(card.not_reached)} not tried for lack of time</span>
        )}
        <span class="faint">
          {" "}
          · <Moment at={at} />
        </span>
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">class</th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td>{row.name}</td>
              {COLUMNS.map((name) => (
                <td key={name}>{row[name] === 0 ? "–" : formatCount(row[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul>
        {bad.map(({ id, does, place, details }) => (
          <li key={`${id}/${place}`}>
            <code>{id}</code> {does} <span class="faint">{[place, ...details].join(", ")}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const RECENT = 8;
const SERIES_SHOWN = 3;

export function NowPage() {
  if (repositories.value.length === 0 && isReady.value)
    return <Empty command='relais run "…"'>No repository of yours has a journal yet. In a git repository, type:</Empty>;
  const urgent = inbox.value.filter(({ kind }) => kind !== "salvage");
  return (
    <>
      <h1 class="hidden">Now</h1>
      {urgent.length === 0 ? null : (
        <Card title="Needs you">
          <InboxList items={urgent} />
        </Card>
      )}
      {repositories.value.map((repository) => (
        <RepositoryCard key={repository.id} repository={repository} page={pages.value.get(repository.id) ?? null} />
      ))}
      <Card title="Latest ticks" aside={<a href={linkTo("ticks")}>all {formatCount(tickCount.value)}</a>}>
        {ticks.value.length === 0 ? (
          <Empty command='relais run "…"'>{isReady.value ? "No tick yet. Type:" : "Reading the journals …"}</Empty>
        ) : (
          <div role="list">
            {ticks.value.slice(0, RECENT).map((tick) => (
              <TickLine key={`${tick.repository}/${tick.runId}`} tick={tick} />
            ))}
          </div>
        )}
      </Card>
    </>
  );
}

function RepositoryCard({
  repository,
  page,
}: {
  readonly repository: RepositoryName;
  readonly page: RepositoryPage | null;
}) {
  const branch = page?.branch ?? null;
  return (
    <section class="card" aria-label={repository.name}>
      <h2>
        {repository.name}
        {branch === null ? null : <span class="chip">{branch}</span>}
        <span class="aside path">{repository.root}</span>
      </h2>
      {page === null ? (
        <p class="faint">{isReady.value ? "It cannot be read." : "Reading …"}</p>
      ) : (
        <RepositoryNow repository={repository} page={page} />
      )}
    </section>
  );
}

function RepositoryNow({ repository, page }: { readonly repository: RepositoryName; readonly page: RepositoryPage }) {
  return (
    <>
      {page.trouble === null ? null : <p class="trouble">{page.trouble}</p>}
      <Running repository={repository} page={page} />
      <SeriesTable repository={repository} series={page.series} />
      {page.scorecard === null ? null : <Scorecard card={page.scorecard} />}
    </>
  );
}

function Running({ repository, page }: { readonly repository: RepositoryName; readonly page: RepositoryPage }) {
  const { running } = page;
  if (running === null) return null;
  const { runId, isPausing, waitsUntil } = running;
  const tick = findTick(repository.id, runId) ?? ticks.value.find((one) => one.repository === repository.id) ?? null;
  return (
    <div class="running">
      <div class="running-head">
        <RunningTick repository={repository} tick={tick} runId={runId} />
        <span class="buttons">
          {tick?.command === "run" ? null : (
            <ActionButton repository={repository} action={isPausing ? "resume" : "pause"} runId={runId} />
          )}
          <ActionButton repository={repository} action="stop" runId={runId} />
        </span>
      </div>
      {tick?.endedAt === null ? <Elapsed tick={tick} /> : null}
      {waitsUntil === null ? null : (
        <p>
          Waits for a limit until <Moment at={waitsUntil} />.
        </p>
      )}
    </div>
  );
}

interface RunningProps {
  readonly repository: RepositoryName;
  /** Null before its first event. */
  readonly tick: PlacedTick | null;
  readonly runId: string;
}

function RunningTick({ repository, tick, runId }: RunningProps) {
  return (
    <>
      <Badge tone="wait">{tick?.step ?? "starting"}</Badge>
      <a href={linkTo("run", repository.id, tick?.runId ?? runId)}>{tick?.intent ?? runId}</a>
    </>
  );
}

/** The time so far against the limit of the tick. */
function Elapsed({ tick }: { readonly tick: PlacedTick }) {
  const elapsed = Math.max(0, Date.now() - Date.parse(tick.startedAt));
  const limit = tick.limitMs;
  return (
    <div class="elapsed">
      {limit === null ? null : (
        <progress max={limit} value={Math.min(elapsed, limit)} aria-label="time of the tick against its limit" />
      )}
      <span class="faint">
        <Span from={tick.startedAt} to={null} />
        {limit === null ? "" : ` of at most ${Math.round(limit / 60_000)} min`}
      </span>
    </div>
  );
}

function SeriesTable({
  repository,
  series,
}: {
  readonly repository: RepositoryName;
  readonly series: readonly SeriesRow[];
}) {
  if (series.length === 0) return null;
  return (
    <div class="series" role="list">
      {series.slice(0, SERIES_SHOWN).map((row) => (
        <div role="listitem" key={row.seriesId}>
          <a class="series-row" href={linkTo("series", repository.id, row.seriesId)}>
            <Badge tone={row.tone}>{row.word}</Badge>
            <span class="series-name">{row.title}</span>
            <span class="faint">
              relais {row.command}, {row.ticks} tick{row.ticks === 1 ? "" : "s"}
            </span>
            {row.cost === null ? <span /> : <span>{formatCost(row.cost)}</span>}
            <Moment at={row.updatedAt} />
          </a>
        </div>
      ))}
    </div>
  );
}
