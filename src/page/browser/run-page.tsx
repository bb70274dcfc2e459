/** One tick: its change first, then the verdict, time and money; the transcript last. */
import type { RunPage as RunDocument } from "../pure/page-documents.ts";
import type { PageAction } from "../pure/repository-documents.ts";
import { ActionButton } from "./actions.tsx";
import { linkTo, route } from "./route.ts";
import { isReadOnly, nameRepository, pages, repositories } from "./store.ts";
import { RunAside } from "./run-aside.tsx";
import { DiffView, nameFile } from "./diff-view.tsx";
import { Badge, Card, Empty, formatCost, Lines, Moment, Size, Span } from "./parts.tsx";
import { currentRow } from "./source.ts";
import { useDocument } from "./use-document.ts";

/** The decisions that the server offers for this tick now. */
function RunActions({ run }: { readonly run: RunDocument }) {
  const repository = repositories.value.find(({ id }) => id === route.value.repository);
  const page = pages.value.get(route.value.repository);
  if (isReadOnly.value || repository === undefined || page === undefined) return null;
  const { runId } = run.row;
  const offered: readonly PageAction[] = [
    ...page.inbox.filter((item) => item.runId === runId).flatMap(({ actions }) => actions),
    ...(page.undoable === runId && page.running === null ? (["undo"] as const) : []),
    ...(page.running?.runId === runId ? ([page.running.isPausing ? "resume" : "pause", "stop"] as const) : []),
  ];
  const shown = [...new Set(offered)].filter((action) => action !== "answer" && action !== "drop");
  if (shown.length === 0) return null;
  return (
    <p class="buttons">
      {shown.map((action) => (
        <ActionButton key={action} repository={repository} action={action} runId={runId} isMain={action === "accept"} />
      ))}
    </p>
  );
}

export function RunPage() {
  const { repository, id } = route.value;
  const run = useDocument({ kind: "run", repository, id, stamp: currentRow() });
  if (run === null) return <p class="faint loading">Reading the tick …</p>;
  if (typeof run === "string") return <Empty command="relais history list">{run}</Empty>;
  return (
    <>
      <RunHead run={run} />
      <div class="columns">
        <div class="column-main">
          <Change run={run} />
        </div>
        <div class="column-aside">
          <RunAside run={run} />
        </div>
      </div>
    </>
  );
}

export function RunHead({ run }: { readonly run: RunDocument }) {
  const { row, meaning } = run;
  const { repository } = route.value;
  return (
    <header class="run-head">
      <nav class="crumbs" aria-label="Where this is">
        <a href={linkTo("now")}>{nameRepository(repository)}</a>
        <span aria-hidden="true">/</span>
        <a href={linkTo("series", repository, row.seriesId)}>relais {row.command}</a>
        <span aria-hidden="true">/</span>
        <span>{row.runId}</span>
      </nav>
      <h1>{row.intent ?? row.runId}</h1>
      <p class="verdict">
        <Badge tone={row.tone}>{row.step === null ? row.word : `${row.word}: ${row.step}`}</Badge>
        <span>{row.reason ?? (row.tone === "good" ? run.said : meaning)}</span>
      </p>
      <p class="run-facts">
        <Size files={row.files} added={row.added} deleted={row.deleted} />
        <Span from={row.startedAt} to={row.endedAt} />
        {row.cost === null ? null : <span>{formatCost(row.cost)}</span>}
        <Moment at={row.startedAt} />
        {row.change === null ? null : <span class="chip">{row.change}</span>}
      </p>
      <RunActions run={run} />
      <RunTabs />
    </header>
  );
}

function RunTabs() {
  const { name, repository, id } = route.value;
  const tabs = [
    ["run", "Overview"],
    ["diff", "Diff"],
    ["transcript", "Transcript"],
  ] as const;
  return (
    <nav class="tabs" aria-label="Pages of this tick">
      {tabs.map(([one, words]) => (
        <a key={one} href={linkTo(one, repository, id)} {...(name === one ? { "aria-current": "page" as const } : {})}>
          {words}
        </a>
      ))}
    </nav>
  );
}

function Change({ run }: { readonly run: RunDocument }) {
  const { repository, id } = route.value;
  const diff = useDocument({ kind: "diff", repository, id, stamp: currentRow() });
  const title = run.row.change === "reverted" ? "Change, reverted" : "Change";
  if (diff === null) return <Card title={title}>{<p class="faint loading">Reading the change …</p>}</Card>;
  if (typeof diff === "string") return <Card title={title}>{<p class="faint">{diff}</p>}</Card>;
  return (
    <>
      <Card title={title} aside={<a href={linkTo("diff", repository, id)}>whole width</a>}>
        <ul class="files">
          {diff.files.map((file) => (
            <li key={file.path}>
              <a
                href={`#${nameFile(file.path)}`}
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(nameFile(file.path))?.scrollIntoView();
                }}
              >
                {file.path}
              </a>
              <span>
                {file.risks.slice(0, 2).map((risk) => (
                  <span key={risk} class={`chip ${risk === "finding" ? "bad" : ""}`}>
                    {risk}
                  </span>
                ))}
                <Lines file={file} />
              </span>
            </li>
          ))}
        </ul>
      </Card>
      <DiffView page={diff} />
    </>
  );
}

export function DiffPage() {
  const { repository, id } = route.value;
  const run = useDocument({ kind: "run", repository, id, stamp: currentRow() });
  const diff = useDocument({ kind: "diff", repository, id, stamp: currentRow() });
  if (run === null) return <p class="faint loading">Reading the tick …</p>;
  if (typeof run === "string") return <Empty command="relais history list">{run}</Empty>;
  return (
    <>
      <RunHead run={run} />
      {diff === null ? <p class="faint loading">Reading the change …</p> : null}
      {typeof diff === "string" ? <Empty>{diff}</Empty> : null}
      {diff === null || typeof diff === "string" ? null : <DiffView page={diff} />}
    </>
  );
}
