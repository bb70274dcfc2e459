/**
 * A repository in which a loop works on several tasks at once. The orchestrator answers with the rounds of a list, one
 * after the other, and then stops; the builder runs the shell script of its task.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OWN_PLACE } from "./attempt-world.ts";
import { tickRepository, type TickRepository } from "./tick-repository.ts";

/** One task: what its builder does, and where it may. */
interface RoundStep {
  readonly id: string;
  readonly script: string;
  readonly globs?: readonly string[];
}

const BRAIN = `box="\${0%/*}"
n=$(( $(cat "$box/asked" 2>/dev/null || echo 0) + 1 )); echo "$n" > "$box/asked"
cp "$RELAIS_PROMPT_PATH" "$box/prompt-$n"
plan="$box/plans/$n.json"; [ -e "$plan" ] || plan="$box/plans/stop.json"
cat "$plan" > "$RELAIS_RESULT_PATH"
`;

/** It runs the script of its task; after a failed landing the instructions say why. */
const HANDS = `box="\${0%/*}"
case "$PWD" in */attempts/*) where=beside;; *) where=here;; esac
again=no; if grep -q "could not land" "$RELAIS_TASK_PATH"; then again=yes; fi
. "$box/steps/$(sed -n 's/.*"task_id": "\\(.*\\)".*/\\1/p' "$RELAIS_TASK_PATH").sh"
printf '%s' '{"summary":"Done.","files_intended":[],"commands_ran":[],"notes":[]}' > "$RELAIS_RESULT_PATH"
`;

const STOP = { task_id: "T-stop", milestone_id: "M-1", control: { action: "stop", reason: "All is done." } };

function makeStep({ id, globs = [`src/${id}.txt`] }: RoundStep): object {
  return {
    task_id: id,
    milestone_id: "M-1",
    task_kind: "execute",
    intent: `The part ${id} is there.`,
    scope: { allowed_globs: globs, forbidden_globs: [], allow_new_files: true, allow_lockfile_changes: false },
    diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
    verification: { fast: ["whole"], slow: [] },
    builder: { mode: "command", instructions: `Make the part ${id}.` },
  };
}

export interface RoundWorld extends TickRepository {
  readonly loop: (...args: string[]) => Promise<Looped>;
}

interface Looped {
  readonly status: number | null;
  readonly reports: readonly Record<string, unknown>[];
  readonly summary: Record<string, unknown>;
}

export function roundWorld(rounds: readonly (readonly RoundStep[])[], config: object = {}): RoundWorld {
  const repository = tickRepository({
    files: { "src/shared.txt": "one\ntwo\nthree\n" },
    config: {
      isolation: OWN_PLACE,
      git: { protected_branches: [] },
      roles: { orchestrator: { driver: "command" } },
      orchestrator: { command: { command: "sh", args: ["BOX/brain.sh"] } },
      builder: { default_mode: "command", command: { command: "sh", args: ["BOX/hands.sh"] } },
      scope: { default_allowed_globs: ["src/**"], default_allow_new_files: true },
      // Two halves of a pair must not both be there.
      verification: {
        templates: [{ id: "whole", cmd: "sh", args: ["-c", "! { test -e src/left.txt && test -e src/right.txt; }"] }],
      },
      ...config,
    },
  });
  const { box, root, git } = repository;
  const file = join(root, "relais.config.json");
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("BOX/", `${box}/`));
  git("commit", "--quiet", "--all", "--message", "the agents");
  for (const name of ["plans", "steps"]) mkdirSync(join(box, name));
  for (const { id, script } of rounds.flat()) writeFileSync(join(box, "steps", `${id}.sh`), `${script}\n`);
  for (const [index, steps] of rounds.entries())
    writeFileSync(join(box, "plans", `${index + 1}.json`), JSON.stringify({ tasks: steps.map(makeStep) }));
  writeFileSync(join(box, "plans", "stop.json"), JSON.stringify(STOP));
  writeFileSync(join(box, "brain.sh"), BRAIN);
  writeFileSync(join(box, "hands.sh"), HANDS);
  const loop: RoundWorld["loop"] = async (...args) => {
    const { status, stdout } = await repository.relais("loop", "--json", ...args);
    const documents = stdout
      .trimEnd()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
    return { status, reports: documents.slice(0, -1), summary: documents.at(-1) ?? {} };
  };
  return { ...repository, root, loop };
}
