/** Where the page gets its documents: from the server that sent it, or from the file that holds it. */
import { batch } from "@preact/signals";
import * as store from "./store.ts";
import type { DiffPage, RunPage, SeriesPage, TranscriptPage } from "../pure/page-documents.ts";
import type { ReportBundle, StreamLine } from "../pure/repository-documents.ts";
import { openLink, route } from "./route.ts";

export type ShownDocument = RunPage | DiffPage | SeriesPage | TranscriptPage;

const TOKEN = "relais-token";
const RETRY_MS = 1500;
const BEAT_MS = 45_000;
let bundle: ReportBundle | null = null;
let token = "";

export function startSource(): void {
  setInterval(() => (store.clockMs.value = Date.now()), 1000);
  const data = document.getElementById("data")?.textContent;
  if (typeof data === "string") openBundle(JSON.parse(data));
  else void takeToken().then(followServer);
}

/** Removes the secret from the address; a reload of this tab still knows the token. */
async function takeToken(): Promise<void> {
  const given = /^#(?<kind>token|open)=(?<secret>[\w-]+)(?<rest>\/.*)?$/u.exec(location.hash)?.groups;
  if (given !== undefined) {
    const { kind, secret = "", rest = "/now" } = given;
    history.replaceState(null, "", `#${rest}`);
    dispatchEvent(new HashChangeEvent("hashchange"));
    sessionStorage.setItem(TOKEN, kind === "token" ? secret : await changeKey(secret).catch(() => ""));
  }
  token = sessionStorage.getItem(TOKEN) ?? "";
}

/** The token for the key of the link that the browser was started with. */
async function changeKey(key: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const response = await fetch("/api/open", { method: "POST", headers, body: "{}" });
  const { token: given }: { readonly token?: string } = await response.json();
  return given ?? "";
}

function openBundle(read: ReportBundle): void {
  bundle = read;
  store.version.value = read.version;
  store.madeAt.value = read.madeAt;
  store.repositories.value = [read.repository];
  store.addTicks(read.repository.id, read.rows);
  store.setPage(read.repository.id, read.page);
  store.connection.value = "file";
  store.isReady.value = true;
  if (location.hash === "") openLink(read.first);
}

async function followServer(): Promise<void> {
  for (;;) {
    const end = await readStream().catch(() => "lost" as const);
    store.connection.value = end;
    if (end === "refused") return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Reads lines until the server is gone; a server that is silent for too long is. */
async function readStream(): Promise<"lost" | "refused"> {
  const over = new AbortController();
  const response = await fetch("/api/stream", { headers: authorise(), signal: over.signal });
  if (response.status === 401 || response.status === 403) return "refused";
  if (!response.ok || response.body === null) return "lost";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const timer = setTimeout(() => over.abort(), BEAT_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return "lost";
    const lines = `${rest}${value}`.split("\n");
    rest = lines.pop() ?? "";
    // Drawn once for all of them.
    batch(() => lines.forEach((line) => takeLine(JSON.parse(line))));
  }
}

function takeLine(line: StreamLine): void {
  switch (line.kind) {
    case "hello":
      store.connection.value = "live";
      store.version.value = line.version;
      store.isReadOnly.value = line.isReadOnly;
      store.repositories.value = line.repositories;
      break;
    case "ticks":
      store.addTicks(line.repository, line.rows);
      break;
    case "now":
      store.setPage(line.repository, line.page);
      break;
    case "queue":
      store.queue.value = line.page;
      break;
    case "ready":
      store.isReady.value = true;
      break;
    case "beat":
      break;
  }
}

const authorise = (): Record<string, string> => ({ Authorization: `Bearer ${token}` });

/** The document of an address of this page; a sentence where there is none. */
export async function loadDocument(name: string, repository: string, id: string): Promise<ShownDocument | string> {
  if (bundle !== null) return bundle.documents[`${name}/${id}`] ?? "This file does not hold it.";
  const query = new URLSearchParams({ repository, id }).toString();
  const response = await fetch(`/api/${name}?${query}`, { headers: authorise() });
  const body = await response.json();
  return response.ok ? body : typeof body.message === "string" ? body.message : "It cannot be read.";
}

export interface ActionAnswer {
  readonly isDone: boolean;
  readonly text: string;
}

/** Sends a decision; the answer is what the command would print. */
export async function sendAction(pending: store.PendingAction, text: string): Promise<ActionAnswer> {
  const headers = { ...authorise(), "Content-Type": "application/json" };
  const [path, wish] = describeWish(pending, text);
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(wish) });
  return response.json();
}

function describeWish(pending: store.PendingAction, text: string): readonly [path: string, wish: object] {
  const { action } = pending;
  if (pending.kind === "job") return ["/api/job", { action, job: pending.job }];
  return ["/api/act", { repository: pending.repository.id, action, run: pending.runId, text }];
}

const LOOK_MS = 3000;

/** Whether another look is due: the row of this tick changed, or its agent may have done something meanwhile. */
export function currentRow(): string {
  const { repository, id } = route.value;
  const tick = store.findTick(repository, id);
  const isFollowed = tick?.endedAt === null && store.connection.value === "live" && !document.hidden;
  return `${JSON.stringify(tick)}${isFollowed ? Math.floor(store.clockMs.value / LOOK_MS) : ""}`;
}
