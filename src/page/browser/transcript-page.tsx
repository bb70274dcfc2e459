/** What the agents said and did: folded, and searchable. */
import type { TranscriptLine, TranscriptSession } from "../pure/page-documents.ts";
import { Badge, Empty, formatCount, Moment } from "./parts.tsx";
import { route, setQuery } from "./route.ts";
import { RunHead } from "./run-page.tsx";
import { currentRow } from "./source.ts";
import { useDocument } from "./use-document.ts";

export function TranscriptPage() {
  const { repository, id, query } = route.value;
  const run = useDocument({ kind: "run", repository, id, stamp: currentRow() });
  const transcript = useDocument({ kind: "transcript", repository, id, stamp: currentRow() });
  if (run === null || transcript === null) return <p class="faint loading">Reading the transcript …</p>;
  if (typeof run === "string") return <Empty>{run}</Empty>;
  return (
    <>
      <RunHead run={run} />
      <Search words="Search in the transcript" />
      {typeof transcript === "string" ? <Empty>{transcript}</Empty> : null}
      {typeof transcript !== "string" && transcript.sessions.length === 0 ? (
        <Empty>This tick has no session.</Empty>
      ) : null}
      {typeof transcript === "string"
        ? null
        : transcript.sessions.map((session) => <Session key={session.name} session={session} query={query} />)}
    </>
  );
}

export function Search({ words }: { readonly words: string }) {
  return (
    <label class="search">
      <span class="hidden">{words}</span>
      <input
        type="search"
        id="search"
        placeholder={`${words} (/)`}
        value={route.value.query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
    </label>
  );
}

function Session({ session, query }: { readonly session: TranscriptSession; readonly query: string }) {
  const { name, agent, startedAt, entries, entriesLeftOut } = session;
  const wanted = query.toLowerCase();
  const shown = entries.filter(({ head, body }) => wanted === "" || `${head}\n${body}`.toLowerCase().includes(wanted));
  return (
    <section class="card" aria-label={name}>
      <details open={wanted !== "" && shown.length > 0}>
        <summary>
          <strong>{name}</strong> {agent === null ? null : <span class="chip">{agent}</span>}{" "}
          <span class="faint">
            {describeCount(shown.length, entries.length + entriesLeftOut)}, <Moment at={startedAt} />
          </span>
        </summary>
        <ol class="entries">
          {shown.map((entry, index) => (
            <li key={index} class={entry.kind}>
              <Entry entry={entry} isOpen={wanted !== ""} />
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}

function Entry({ entry, isOpen }: { readonly entry: TranscriptLine; readonly isOpen: boolean }) {
  const { kind, tone, head, body } = entry;
  if (kind !== "used") return <p class="lines">{kind === "ended" ? <Badge tone={tone}>{body}</Badge> : body}</p>;
  if (body === "") return <Badge tone={tone}>{head}</Badge>;
  return (
    <details open={isOpen}>
      <summary>
        <Badge tone={tone}>{head}</Badge>
      </summary>
      <pre class="tail">{body}</pre>
    </details>
  );
}

function describeCount(shown: number, all: number): string {
  const words = `${formatCount(all)} ${all === 1 ? "entry" : "entries"}`;
  return shown === all ? words : `${formatCount(shown)} of ${words}`;
}
