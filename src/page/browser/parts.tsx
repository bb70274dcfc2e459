/** Small things that every page is made of. */
import type { ComponentChildren } from "preact";
import type { DiffFile, PageTone } from "../pure/page-documents.ts";
import { formatDuration } from "../../base/duration-text.ts";
import { clockMs } from "./store.ts";

export const MARKS: Readonly<Record<PageTone, string>> = { good: "✓", bad: "✗", wait: "●", calm: "○" };

export function Badge({ tone, children }: { readonly tone: PageTone; readonly children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{MARKS[tone]}</span> {children}
    </span>
  );
}

const QUOTED = /(`[^`\n]+`)/u;

/** A sentence in which commands, files and names stand in backticks, as on the command line. */
export function Words({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(QUOTED)
        .map((part, index) => (QUOTED.test(part) ? <code key={index}>{part.slice(1, -1)}</code> : part))}
    </>
  );
}

export function formatCost(cost: number | null): string {
  if (cost === null) return "–";
  return `$${cost > 0 && cost < 0.01 ? cost.toFixed(4) : cost.toFixed(2)}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

const KILO = 1024;

export function formatBytes(bytes: number): string {
  if (bytes < KILO) return `${bytes} B`;
  return bytes < KILO * KILO ? `${Math.round(bytes / KILO)} KB` : `${(bytes / KILO / KILO).toFixed(1)} MB`;
}

interface SizeProps {
  /** Null where the change was never measured. */
  readonly files: number | null;
  readonly added: number;
  readonly deleted: number;
}

export function Size({ files, added, deleted }: SizeProps) {
  if (files === null) return <span class="faint">not measured</span>;
  if (files === 0) return <span class="faint">no change</span>;
  return (
    <span class="size">
      <span class="plus">+{formatCount(added)}</span> <span class="minus">−{formatCount(deleted)}</span>{" "}
      <span class="faint">
        in {formatCount(files)} file{files === 1 ? "" : "s"}
      </span>
    </span>
  );
}

/** The changed lines of a file; a binary one has none. */
export function Lines({ file }: { readonly file: Pick<DiffFile, "added" | "deleted" | "isBinary"> }) {
  if (file.isBinary) return null;
  return (
    <span>
      <span class="plus">+{formatCount(file.added)}</span> <span class="minus">−{formatCount(file.deleted)}</span>
    </span>
  );
}

/** The time of day, with the date unless it is today. */
export function Moment({ at }: { readonly at: string }) {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(clockMs.value).toDateString();
  const time = date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const day = date.toLocaleDateString([], { month: "short", day: "numeric" });
  return (
    <time dateTime={at} title={date.toLocaleString()}>
      {isToday ? time : `${day}, ${time}`}
    </time>
  );
}

/** How long it took, or takes so far. */
export function Span({ from, to }: { readonly from: string; readonly to: string | null }) {
  const end = to === null ? Math.max(clockMs.value, Date.parse(from)) : Date.parse(to);
  return <span class="span">{formatDuration(roundMs(end - Date.parse(from), to === null))}</span>;
}

/** A running clock shows whole seconds, so that it does not flicker. */
function roundMs(ms: number, isRunning: boolean): number {
  return isRunning ? Math.round(ms / 1000) * 1000 : ms;
}

export function Card(props: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly aside?: ComponentChildren;
}) {
  return (
    <section class="card" aria-label={props.title}>
      <h2>
        {props.title}
        {props.aside === undefined ? null : <span class="aside">{props.aside}</span>}
      </h2>
      {props.children}
    </section>
  );
}

/** A place without anything, and what to type to change that. */
export function Empty({ children, command }: { readonly children: ComponentChildren; readonly command?: string }) {
  return (
    <div class="empty">
      <p>{children}</p>
      {command === undefined ? null : (
        <p>
          <code>{command}</code>
        </p>
      )}
    </div>
  );
}

export function Commands({
  steps,
}: {
  readonly steps: readonly { readonly command: string; readonly explains: string }[];
}) {
  return (
    <dl class="commands">
      {steps.map(({ command, explains }) => (
        <div key={command}>
          <dt>
            <code>{command}</code>
          </dt>
          <dd>{explains}</dd>
        </div>
      ))}
    </dl>
  );
}
