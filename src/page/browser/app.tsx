/** Every tick of every repository, the newest first. */
import { useEffect } from "preact/hooks";
import { Card, Empty, formatCount, Moment } from "./parts.tsx";
import { linkTo, route, type RouteName } from "./route.ts";
import {
  connection,
  type Connection,
  isHelpOpen,
  isReadOnly,
  isReady,
  madeAt,
  nameRepository,
  type PlacedTick,
  tickCount,
  ticks,
  urgent,
  version,
} from "./store.ts";
import { TickList } from "./tick-list.tsx";
import { Search, TranscriptPage } from "./transcript-page.tsx";
import { ConfirmDialog, Notice } from "./actions.tsx";
import { InboxPage } from "./inbox-page.tsx";
import { Keys } from "./keys.tsx";
import { MoneyPage } from "./money-page.tsx";
import { NowPage } from "./now-page.tsx";
import { QueuePage } from "./queue-page.tsx";
import { DiffPage, RunPage } from "./run-page.tsx";
import { SeriesPage } from "./series-page.tsx";

function TicksPage() {
  const wanted = route.value.query.toLowerCase();
  const found = wanted === "" ? ticks.value : ticks.value.filter((tick) => matches(tick, wanted));
  return (
    <>
      <h1 class="hidden">Ticks</h1>
      <Search words="Search ticks" />
      <Card title="Ticks" aside={`${formatCount(found.length)} of ${formatCount(tickCount.value)}`}>
        {found.length === 0 ? (
          <Empty {...(wanted === "" ? { command: 'relais run "…"' } : {})}>
            {isReady.value ? "No tick here." : "Reading the journals …"}
          </Empty>
        ) : (
          <TickList ticks={found} />
        )}
      </Card>
    </>
  );
}

function matches(tick: PlacedTick, wanted: string): boolean {
  const { runId, seriesId, intent, reason, code, word, command, repository } = tick;
  const text = [runId, seriesId, intent, reason, code, word, command, nameRepository(repository)].join("\n");
  return text.toLowerCase().includes(wanted);
}

const PAGES: Readonly<Record<RouteName, () => preact.JSX.Element>> = {
  now: NowPage,
  ticks: TicksPage,
  queue: QueuePage,
  inbox: InboxPage,
  money: MoneyPage,
  run: RunPage,
  diff: DiffPage,
  transcript: TranscriptPage,
  series: SeriesPage,
};

const TITLES: Readonly<Record<RouteName, string>> = {
  now: "Now",
  ticks: "Ticks",
  queue: "Queue",
  inbox: "Inbox",
  money: "Money",
  run: "Tick",
  diff: "Diff",
  transcript: "Transcript",
  series: "Series",
};

export function App() {
  const { name, hash } = route.value;
  const Page = PAGES[name];
  const title = `${urgent.value > 0 ? `(${urgent.value}) ` : ""}${TITLES[name]} – relais`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the content
      </a>
      <Header />
      <main id="main" data-view={hash} tabIndex={-1} class={name === "diff" ? "wide" : ""}>
        {connection.value === "refused" ? <Refused /> : <Page />}
      </main>
      <Footer />
      <ConfirmDialog />
      <Notice />
      <Keys />
    </>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

const LINKS = ["now", "ticks", "queue", "inbox", "money"] as const;

function Header() {
  const { name } = route.value;
  // A file is about the ticks of one repository.
  const links = madeAt.value === null ? LINKS : LINKS.filter((link) => link !== "queue");
  return (
    <header class="top">
      <a class="brand" href={linkTo("now")}>
        <span class="brand-mark" aria-hidden="true">
          ✓
        </span>
        relais
      </a>
      <nav aria-label="Pages">
        {links.map((link) => (
          <a key={link} href={linkTo(link)} {...(name === link ? { "aria-current": "page" as const } : {})}>
            {TITLES[link]}
            {link === "inbox" && urgent.value > 0 ? <span class="count">{urgent.value}</span> : null}
          </a>
        ))}
      </nav>
      <State />
    </header>
  );
}

const STATES: Readonly<Record<Connection, string>> = {
  opening: "opening",
  live: "live",
  lost: "no connection",
  refused: "refused",
  file: "file",
};

function State() {
  const state = connection.value;
  return (
    <span class={`state is-${state}`} role="status">
      <span class="dot" aria-hidden="true" />
      {STATES[state]}
      {state === "live" && isReadOnly.value ? ", read-only" : ""}
    </span>
  );
}

function Refused() {
  return (
    <div class="empty">
      <h1>This address has no valid token</h1>
      <p>Open the link that `relais ui` printed. It is valid as long as that command runs.</p>
    </div>
  );
}

function Footer() {
  return (
    <footer>
      <span>relais {version.value}</span>
      {madeAt.value === null ? null : (
        <span>
          made <Moment at={madeAt.value} />
        </span>
      )}
      <button type="button" class="link" onClick={() => (isHelpOpen.value = true)}>
        Keys (?)
      </button>
    </footer>
  );
}
