/** The process of one search: its first argument is a `Search` as JSON; `lab/fuzz/run-searches.ts` adds the target. */
import { pathToFileURL } from "node:url";
import { searchInputs, type Search } from "./search.ts";
import type { FuzzTarget } from "./target.ts";

export function startSearch(targets: Readonly<Record<string, FuzzTarget>>): void {
  const given: Omit<Search, "target" | "code"> = JSON.parse(process.argv[2] ?? "{}");
  const [target] = Object.values(targets);
  if (target === undefined) throw new Error("a file without a target");
  const code = pathToFileURL(process.argv[1] ?? "").href;
  void searchInputs({ ...given, target, code }).then(() => process.exit());
}
