/** The queue of this user: what waits, runs and ended, with the decisions of `relais queue`. */
import { JobButton } from "./actions.tsx";
import type { PageJob, QueuePage as QueueDocument } from "../pure/repository-documents.ts";
import { Badge, Card, Empty, formatBytes, Moment, Span } from "./parts.tsx";
import { clockMs, queue } from "./store.ts";

export function QueuePage() {
  const page = queue.value;
  if (page === null) return <p class="faint loading">Reading the queue …</p>;
  const open = page.jobs.filter(({ isOver }) => !isOver);
  const over = page.jobs.filter(({ isOver }) => isOver);
  return (
    <>
      <h1 class="hidden">Queue</h1>
      {page.trouble === null ? null : <p class="trouble">{page.trouble}</p>}
      <Card title="Waiting and running" aside={<Hold page={page} />}>
        {page.isHeld ? <p class="prompt">The queue is paused: no worker takes another job.</p> : null}
        {page.limits.map(({ agent, until }) => (
          <p key={agent} class="faint">
            {agent} accepts no work until <Moment at={until} />.
          </p>
        ))}
        {open.length === 0 ? (
          <Empty command='relais submit run "…"'>The queue is empty. To add a job:</Empty>
        ) : (
          <Jobs jobs={open} />
        )}
      </Card>
      {over.length === 0 ? null : (
        <Card title="Ended" aside={page.jobsLeftOut === 0 ? null : `${page.jobsLeftOut} older ones: relais queue`}>
          <Jobs jobs={over} />
        </Card>
      )}
    </>
  );
}

function Hold({ page: { isHeld, jobs } }: { readonly page: QueueDocument }) {
  if (jobs.length === 0 && !isHeld) return null;
  return <JobButton action={isHeld ? "resume" : "pause"} job={null} title="every job of this user" />;
}

function Jobs({ jobs }: { readonly jobs: readonly PageJob[] }) {
  return (
    <ul class="jobs">
      {jobs.map((job) => (
        <li key={job.id}>
          <Job job={job} />
        </li>
      ))}
    </ul>
  );
}

function Job({ job }: { readonly job: PageJob }) {
  const { id, command, title, tone, word, actions, waitsFor, result, isOver } = job;
  return (
    <>
      <div class="item-head">
        <Badge tone={tone}>{word}</Badge>
        <span class="job-title">{title}</span>
        <span class="buttons">
          {actions.map((action) => (
            <JobButton key={action} action={action} job={id} title={title} />
          ))}
        </span>
      </div>
      {waitsFor === null ? null : <p>{waitsFor}</p>}
      {result === null ? null : <p class={tone === "bad" ? "bad-text" : ""}>{result}</p>}
      <p class="job-facts">
        <code>{id}</code>
        <span>{command}</span>
        {job.branch === null ? null : <span>{job.branch}</span>}
        {job.spent === null ? null : <span>{job.spent}</span>}
        <Life job={job} />
      </p>
      <details>
        <summary>Details</summary>
        <JobFacts job={job} />
        {isOver ? (
          <p>
            <code>relais fetch {id}</code>
          </p>
        ) : (
          <p>
            <code>relais queue show {id} --follow</code>
          </p>
        )}
      </details>
    </>
  );
}

function Life({ job: { submittedAt, startedAt, endedAt, worker, beatAt } }: { readonly job: PageJob }) {
  if (worker !== null)
    return (
      <span>
        {worker}
        {beatAt === null ? "" : `, seen ${countSeconds(beatAt)} s ago`}
        {startedAt === null ? null : (
          <>
            , runs <Span from={startedAt} to={null} />
          </>
        )}
      </span>
    );
  return <Moment at={endedAt ?? submittedAt} />;
}

function countSeconds(at: string): number {
  return Math.max(0, Math.round((clockMs.value - Date.parse(at)) / 1000));
}

function JobFacts({ job }: { readonly job: PageJob }) {
  const { from, attempt, branch, code, attachments, losses, submittedAt } = job;
  const files = attachments.map(({ name, bytes }) => `${name} (${formatBytes(bytes)})`).join(", ");
  const facts: readonly (readonly [string, string | null])[] = [
    ["from", from],
    ["submitted", new Date(submittedAt).toLocaleString()],
    ["attempt", attempt === 0 ? null : String(attempt)],
    ["branch", branch],
    ["code", code],
    ["lost", losses.length === 0 ? null : losses.join("; ")],
    ["files", files === "" ? null : files],
  ];
  return (
    <dl class="facts">
      {facts.map(([label, text]) =>
        text === null ? null : (
          <>
            <dt key={label}>{label}</dt>
            <dd>{text}</dd>
          </>
        ),
      )}
    </dl>
  );
}
