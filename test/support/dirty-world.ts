/** A repository in which a person has not committed everything. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { listIsolations } from "./isolations.ts";
import { sentenceWorld, type SentenceWorld } from "./sentence-world.ts";

export const SENTENCE = "greet the world";
export const FIX = "echo '// world' >> src/greet.js";
/** A tick can begin with it only in a copy. */
export const PLACES = (await listIsolations()).filter((name) => name !== "in_place");

interface Parts {
  readonly isolation: string;
  readonly does: string;
  /** A shell script: the check. */
  readonly check?: string;
  readonly git?: object;
  readonly files?: Readonly<Record<string, string>>;
}

/** In a tree with a changed, a staged, a deleted and a new file. */
export function openDirty({
  isolation,
  does,
  check = "test -f src/greet.js",
  git,
  files: others = {},
}: Parts): SentenceWorld {
  const verification = { templates: [{ id: "check", cmd: "sh", args: ["-c", check] }] };
  const config = { isolation, verification, builder: { default_mode: "claude_code" }, ...(git && { git }) };
  const files = {
    ...others,
    "relais.config.json": JSON.stringify(config),
    "lib/old.js": "old\n",
    "lib/rates.js": "committed\n",
  };
  const world = sentenceWorld({ agents: { claude: "in" }, files, does });
  world.put({ "lib/rates.js": "mine\n", "lib/staged.js": "staged\n", "lib/new.js": "new\n" });
  world.git("add", "lib/staged.js");
  rmSync(join(world.root, "lib/old.js"));
  return world;
}

export const MINE = ["A  lib/staged.js", "D lib/old.js", "M lib/rates.js", "?? lib/new.js"];
export const readStatus = (world: SentenceWorld): readonly string[] =>
  world
    .git("status", "--porcelain", "--untracked-files=all")
    .split("\n")
    .map((line) => line.trim())
    .toSorted();

export const readId = (world: SentenceWorld): string =>
  /"run_id":"(?<id>[^"]+)"/u.exec(world.read("relais/ledger.jsonl"))?.groups?.["id"] ?? "";
