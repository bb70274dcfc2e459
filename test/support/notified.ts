/** A program for `notify.command` that keeps what it is told. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { Notification } from "../../src/records/notification.ts";
import type { World } from "./scenario-world.ts";

/** Keeps its input, its variables, and whether anybody works in the repository right now. */
export const KEEPER = [
  'n=$(ls "$HOME" | grep -c "^told-")',
  'cat > "$HOME/told-$n"',
  'env | sort > "$HOME/env-$n"',
  'ls "$HOME"/../state/relais/*/lock.json >> "$HOME/locks" 2>/dev/null',
  'tail -n 1 "$HOME"/../state/relais/*/journal.jsonl >> "$HOME/last-line"',
  "",
].join("\n");

/** The program lies beside the repository, and finds its place by HOME. */
export const notifying = (script: string, parts: object = {}) => ({
  ...parts,
  config: { notify: { command: ["sh", "-c", script, "notify", "$(touch injected)"] } },
});

export function told(world: World): readonly Notification[] {
  const home = join(world.box, "home");
  return readdirSync(home)
    .filter((name) => name.startsWith("told-"))
    .toSorted()
    .map((name) => v.parse(Notification, JSON.parse(readFileSync(join(home, name), "utf8"))));
}

export const inHome = (world: World, name: string): string => readFileSync(join(world.box, "home", name), "utf8");
