/** The state of the page in its address, behind the `#`, which no browser sends. */
import { signal } from "@preact/signals";

export type RouteName = "now" | "ticks" | "queue" | "inbox" | "money" | "run" | "diff" | "transcript" | "series";

export interface Route {
  readonly name: RouteName;
  /** Empty where the page is about all repositories. */
  readonly repository: string;
  /** A tick or a series. */
  readonly id: string;
  readonly query: string;
  /** The address that it was read from. */
  readonly hash: string;
}

const LISTS: readonly RouteName[] = ["now", "ticks", "queue", "inbox", "money"];
const ABOUT_ONE: readonly RouteName[] = ["run", "diff", "transcript", "series"];

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/u, "").split("?");
  const parts = path.split("/").map(decode);
  const read = (at: number): string => parts[at] ?? "";
  const text = new URLSearchParams(query).get("q") ?? "";
  const one = ABOUT_ONE.find((known) => known === read(2));
  if (read(0) === "r" && one !== undefined) return { name: one, repository: read(1), id: read(3), query: text, hash };
  return { name: LISTS.find((known) => known === read(0)) ?? "now", repository: "", id: "", query: text, hash };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

export function linkTo(name: RouteName, repository = "", id = ""): string {
  if (repository === "") return `#/${name}`;
  return `#/r/${encodeURIComponent(repository)}/${name}/${encodeURIComponent(id)}`;
}

export const route = signal<Route>(parseRoute(location.hash));

export function openLink(link: string): void {
  location.hash = link;
}

/** Keeps the search in the address, without a new entry in the history of the browser. */
export function setQuery(query: string): void {
  const [path = "#/now"] = location.hash.split("?");
  const search = query === "" ? "" : `?${new URLSearchParams({ q: query }).toString()}`;
  history.replaceState(null, "", `${path === "" ? "#/now" : path}${search}`);
  route.value = parseRoute(location.hash);
}

addEventListener("hashchange", () => {
  route.value = parseRoute(location.hash);
  scrollTo(0, 0);
});
