/** The page by keyboard alone. */
import { useEffect, useRef } from "preact/hooks";
import { linkTo, openLink, route } from "./route.ts";
import { connection, isHelpOpen, isReady, pending } from "./store.ts";

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

/** They open another view, or cover this one. */
const ACTS: Readonly<Record<string, () => void>> = {
  n: () => openLink(linkTo("now")),
  l: () => openLink(linkTo("ticks")),
  q: () => openLink(linkTo("queue")),
  i: () => openLink(linkTo("inbox")),
  m: () => openLink(linkTo("money")),
  "?": () => (isHelpOpen.value = true),
};

/** They are about what the view shows. */
const STEPS: Readonly<Record<string, () => void>> = {
  j: () => move(1),
  k: () => move(-1),
  Enter: () => document.activeElement instanceof HTMLElement && document.activeElement.click(),
  d: () => openTab("diff"),
  t: () => openTab("transcript"),
  o: () => openTab("run"),
  "/": search,
};

/** Keys that were pressed before the view had its rows, and the view that they are for. */
let early: string[] = [];
let place = "";

/** Takes the early keys in their order, as far as the view is drawn; looks again at its next frame. */
function takeEarlyKeys(): void {
  while (early.length > 0) {
    const [key = "", ...others] = early;
    const isForIt = location.hash === place && !isElsewhere();
    if (!isForIt) return void (early = []);
    if (isDrawing(key)) return void requestAnimationFrame(takeEarlyKeys);
    early = others;
    STEPS[key]?.();
    // The keys behind `Enter` are for the view that it opens.
    place = location.hash;
  }
}

function isDrawing(key: string): boolean {
  const main = document.getElementById("main");
  if (main?.dataset["view"] !== location.hash) return true;
  const isLoading = main.querySelector(".loading") !== null;
  if (key === "/") return isLoading && route.value.name === "transcript";
  const isReading = isLoading || (!isReady.value && connection.value !== "refused");
  return (key === "j" || key === "k") && isReading && listStops().length === 0;
}

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
  const stops = listStops();
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = at === -1 ? (by === 1 ? 0 : stops.length - 1) : at + by;
  const stop = stops[Math.max(0, Math.min(next, stops.length - 1))];
  stop?.focus();
  stop?.scrollIntoView({ block: "nearest" });
}

function listStops(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(STOPS)].filter(({ offsetParent }) => offsetParent !== null);
}

function search(): void {
  const field = document.getElementById("search");
  // At once: the next key belongs to the field.
  if (field !== null) return field.focus();
  if (route.value.name === "ticks") return;
  openLink(linkTo("ticks"));
  early = ["/"];
}

/** The keys belong to a field or a dialog. */
function isElsewhere(): boolean {
  return isTyping() || pending.value !== null || isHelpOpen.value;
}

function isTyping(): boolean {
  const element = document.activeElement;
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

function onKey(event: KeyboardEvent): void {
  const { key } = event;
  if (key === "Escape") leave();
  const act = ACTS[key];
  if (isForBrowser(event) || isElsewhere() || (act === undefined && !(key in STEPS))) return;
  event.preventDefault();
  if (act === undefined) return take(key);
  early = [];
  act();
}

/** It opens what has the focus itself, unless the focus has yet to move. */
function isForBrowser({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || (key === "Enter" && early.length === 0);
}

function take(key: string): void {
  if (key === "/") early = [];
  if (early.length === 0) place = location.hash;
  early.push(key);
  if (early.length === 1) takeEarlyKeys();
}

function leave(): void {
  early = [];
  if (isTyping() && document.activeElement instanceof HTMLElement) document.activeElement.blur();
  // The browser tells that it closed a dialog only after the next keys, which belong to the view already.
  document.querySelector<HTMLDialogElement>("dialog[open]")?.close();
  isHelpOpen.value = false;
  pending.value = null;
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
