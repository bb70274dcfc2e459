import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listIsolations } from "./isolations.ts";
import { tickRepository, type TickRepository } from "./tick-repository.ts";

/** A place of its own for each tick, which several attempts need. */
export const OWN_PLACE = (await listIsolations()).find((name) => name !== "in_place") ?? "clone";

const TEMPLATES = [{ id: "good", cmd: "sh", args: ["-c", "! grep -q bad src/x.ts && grep -q installed deps/index"] }];

/** The builder is a shell script; `$n` is the number of its attempt. */
export function attemptWorld(script: string, config: object = {}): TickRepository {
  const repository = tickRepository({
    files: { ".gitignore": "/dist/\n/deps/\n" },
    config: {
      isolation: OWN_PLACE,
      builder: { default_mode: "command", command: { command: "sh", args: ["../builder.sh"] } },
      scope: { default_allowed_globs: ["src/**"] },
      verification: { templates: TEMPLATES },
      ...config,
    },
  });
  const { box, put, root, git } = repository;
  put({ "deps/index": "installed\n" });
  const builder = join(box, "builder.sh");
  const configFile = join(root, "relais.config.json");
  writeFileSync(configFile, readFileSync(configFile, "utf8").replace("../builder.sh", builder));
  git("commit", "--quiet", "--all", "--message", "the builder");
  writeFileSync(builder, `n=$(pwd | sed 's|.*/\\([0-9]*\\)/repo.*|\\1|')\n${script}\n`);
  return repository;
}

/** What attempts have left in the state directory. */
export const listLeft = (repository: TickRepository): readonly string[] =>
  readdirSync(repository.state()).filter((name) => ["attempts", "land", "places"].includes(name));

/** The processes that work for this repository. */
export function listProcesses({ box }: TickRepository): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readCommand(pid))
    .filter((command) => command.includes(box));
}

function readCommand(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
  } catch {
    return ""; // It has ended.
  }
}
