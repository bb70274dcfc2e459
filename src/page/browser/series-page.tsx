/** A series: its ticks, and the turns, tree or stories of its workflow. */
import type { GoalTurn, PageStory, SeriesPage as SeriesDocument, TreeLeaf } from "../pure/page-documents.ts";
import { Badge, Card, Empty, formatCost, MARKS, Moment, Size, Span, Words } from "./parts.tsx";
import { linkTo, route } from "./route.ts";
import { Votes } from "./run-aside.tsx";
import { findTick, nameRepository, type PlacedTick, ticks } from "./store.ts";
import { TickList } from "./tick-list.tsx";
import { useDocument } from "./use-document.ts";

/* A tree drawn as a tree: each node with its state, its attempts and the ticks that tried it. */

function TreeView({ root, repository }: { readonly root: TreeLeaf; readonly repository: string }) {
  return (
    <ul class="tree">
      <Leaf leaf={root} repository={repository} />
    </ul>
  );
}

function Leaf({ leaf, repository }: { readonly leaf: TreeLeaf; readonly repository: string }) {
  const { id, title, passes, isNext, children } = leaf;
  return (
    <li>
      <div class={isNext ? "node next" : "node"}>
        <Badge tone={passes ? "good" : isNext ? "wait" : "calm"}>{id}</Badge>
        <span>{title}</span>
        {isNext ? <span class="chip">next</span> : null}
        <Attempts leaf={leaf} repository={repository} />
      </div>
      {children.length === 0 ? null : (
        <ul>
          {children.map((child) => (
            <Leaf key={child.id} leaf={child} repository={repository} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Attempts({ leaf, repository }: { readonly leaf: TreeLeaf; readonly repository: string }) {
  const { attempts, maxAttempts, passes, tries } = leaf;
  return (
    <span class="attempts">
      {attempts > 0 && !passes ? (
        <span class="faint">
          {attempts} of {maxAttempts} attempts failed
        </span>
      ) : null}
      {tries.map(({ runId, tone, words }) => (
        <a key={runId} class={`try ${tone}`} href={linkTo("run", repository, runId)} title={words}>
          <span aria-hidden="true">{MARKS[tone]}</span>
          <span class="hidden">{words}</span>
        </a>
      ))}
    </span>
  );
}

export function SeriesPage() {
  const { repository, id } = route.value;
  const own = ticks.value.filter((tick) => tick.repository === repository && tick.seriesId === id);
  const stamp = JSON.stringify(own.map(({ runId, step, endedAt, word }) => [runId, step, endedAt, word]));
  const series = useDocument({ kind: "series", repository, id, stamp });
  if (series === null) return <p class="faint loading">Reading the series …</p>;
  if (typeof series === "string") return <Empty command="relais status">{series}</Empty>;
  return (
    <>
      <SeriesHead series={series} />
      {series.tree === null ? null : (
        <Card title="Tree">
          <TreeView root={series.tree} repository={repository} />
        </Card>
      )}
      {series.turns.length === 0 ? null : (
        <Card title="Turns" aside={series.quorum === null ? null : `${series.quorum} votes needed`}>
          <Turns turns={series.turns} />
        </Card>
      )}
      {series.stories.length === 0 ? null : (
        <Card title="Stories">
          <Stories stories={series.stories} />
        </Card>
      )}
      <Card title="Ticks" aside={`${series.runIds.length}`}>
        <TickList ticks={findTicks(repository, series)} />
      </Card>
    </>
  );
}

function findTicks(repository: string, { runIds }: SeriesDocument): readonly PlacedTick[] {
  return runIds.toReversed().flatMap((runId) => findTick(repository, runId) ?? []);
}

function SeriesHead({ series }: { readonly series: SeriesDocument }) {
  const { total, success, stop, blocked } = series.ticks;
  const most = series.maxTurns === null ? "" : ` of at most ${series.maxTurns}`;
  return (
    <header class="run-head">
      <nav class="crumbs" aria-label="Where this is">
        <a href={linkTo("now")}>{nameRepository(route.value.repository)}</a>
        <span aria-hidden="true">/</span>
        <span>{series.seriesId}</span>
      </nav>
      <h1 class="lines">{series.title}</h1>
      <p class="verdict">
        <Badge tone={series.tone}>{series.word}</Badge>
        <span>{series.message}</span>
      </p>
      {series.hint === null ? null : <p class="lines">{series.hint}</p>}
      <p class="run-facts">
        <span>
          {total} tick{total === 1 ? "" : "s"}
          {series.workflow === "goal" ? "" : most}: {success} kept, {stop} stopped, {blocked} blocked
        </span>
        <Size files={series.files} added={series.added} deleted={series.deleted} />
        {series.cost === null ? null : <span>{formatCost(series.cost)}</span>}
        <span>
          <Span from={series.startedAt} to={series.updatedAt} />
        </span>
        <Moment at={series.updatedAt} />
        {series.branch === null ? null : <span class="chip">{series.branch}</span>}
      </p>
    </header>
  );
}

function Turns({ turns }: { readonly turns: readonly GoalTurn[] }) {
  return (
    <ol class="turns">
      {turns.map(({ turn, receipt, votes, decision, reason }) => (
        <li key={turn}>
          <h3>
            Turn {turn} {decision === null ? null : <span class="chip">{decision.replaceAll("_", " ")}</span>}
          </h3>
          {receipt === null ? null : <p class="lines">{receipt}</p>}
          <Votes votes={votes} />
          {reason === null ? null : (
            <p class="faint lines">
              <Words text={reason} />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

const STORY_TONES = { verified: "good", due: "wait", open: "calm", failed: "bad" } as const;

function Stories({ stories }: { readonly stories: readonly PageStory[] }) {
  return (
    <ul class="stories">
      {stories.map(({ id, title, criteria, state, history }) => (
        <li key={id}>
          <h3>
            <Badge tone={STORY_TONES[state]}>{state}</Badge> {id} {title}
          </h3>
          <ul>
            {criteria.map((criterion) => (
              <li key={criterion.id}>
                <span class="faint">{criterion.id}</span> <Words text={criterion.text} />
              </li>
            ))}
          </ul>
          {history.map(({ iteration, tone, words }, index) => (
            <details key={index}>
              <summary>
                <Badge tone={tone}>iteration {iteration}</Badge>
              </summary>
              <p class="lines">{words}</p>
            </details>
          ))}
        </li>
      ))}
    </ul>
  );
}
