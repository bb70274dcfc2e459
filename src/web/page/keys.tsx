/** The page by keyboard alone. */
import { useEffect, useRef } from "preact/hooks";
import { linkTo, openLink, route } from "../client/route.ts";
import { isHelpOpen, pending } from "../client/store.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["j, k", "next and previous tick, file or item"],
  ["Enter", "open it"],
  ["d", "the diff of this tick"],
  ["t", "its transcript"],
  ["o", "its overview"],
  ["/", "search"],
  ["n, l, q, i, m", "Now, Ticks, Queue, Inbox, Money"],
  ["?", "these keys"],
  ["Esc", "close, or leave a field"],
];

const STOPS = "a.tick, a.series-row, .file-head button, .inbox li a, .jobs summary, .checks summary, .entries summary";

const ACTS: Readonly<Record<string, () => void>> = {
  j: () => move(1),
  k: () => move(-1),
  d: () => openTab("diff"),
  t: () => openTab("transcript"),
  o: () => openTab("run"),
  n: () => openLink(linkTo("now")),
  l: () => openLink(linkTo("ticks")),
  q: () => openLink(linkTo("queue")),
  i: () => openLink(linkTo("inbox")),
  m: () => openLink(linkTo("money")),
  "/": search,
  "?": () => (isHelpOpen.value = true),
};

function openTab(name: "run" | "diff" | "transcript"): void {
  const focused = document.activeElement?.closest<HTMLElement>("a.tick");
  if (focused !== null && focused !== undefined) {
    openLink((focused.getAttribute("href") ?? "").replace("/run/", `/${name}/`));
    return;
  }
  const { repository, id, name: at } = route.value;
  if (repository !== "" && at !== "series") openLink(linkTo(name, repository, id));
}

function move(by: 1 | -1): void {
  const stops = [...document.querySelectorAll<HTMLElement>(STOPS)].filter(({ offsetParent }) => offsetParent !== null);
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = at === -1 ? (by === 1 ? 0 : stops.length - 1) : at + by;
  const stop = stops[Math.max(0, Math.min(next, stops.length - 1))];
  stop?.focus();
  stop?.scrollIntoView({ block: "nearest" });
}

function search(): void {
  const field = document.getElementById("search");
  // At once: the next key belongs to the field.
  if (field !== null) return field.focus();
  openLink(linkTo("ticks"));
  setTimeout(() => document.getElementById("search")?.focus(), 0);
}

function isTyping(): boolean {
  const element = document.activeElement;
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

function onKey(event: KeyboardEvent): void {
  if (event.key === "Escape") leaveField();
  const isForBrowser = event.ctrlKey || event.metaKey || event.altKey;
  const isForDialog = pending.value !== null || isHelpOpen.value;
  const act = ACTS[event.key];
  if (isForBrowser || isForDialog || isTyping() || act === undefined) return;
  event.preventDefault();
  act();
}

function leaveField(): void {
  if (isTyping() && document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

export function Keys() {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return isHelpOpen.value ? <Help /> : null;
}

function Help() {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog ref={box} onClose={() => (isHelpOpen.value = false)} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="facts">
        {KEYS.map(([key, words]) => (
          <>
            <dt key={key}>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </>
        ))}
      </dl>
      <form method="dialog" class="buttons end">
        <button class="main">Close</button>
      </form>
    </dialog>
  );
}
