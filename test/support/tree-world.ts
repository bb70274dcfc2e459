/**
 * A repository in which `relais tree` is let run. The agent is a shell script that plays one turn after the other; a
 * turn is the body of a script that finds the drop folder in `$RELAIS_DROP`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { JournalLine } from "../../src/records/event.ts";
import { Meta } from "../../src/records/meta.ts";
import { Report } from "../../src/records/report.ts";
import { SeriesSummary } from "../../src/records/series.ts";
import { Tree, type TreeNode } from "../../src/records/tree.ts";
import { writeTree } from "../../src/workflows/pure/tree-nodes.ts";
import { WORKSPACE_IGNORE } from "../../src/config/workspace-layout.ts";
import { pinWorld } from "./isolation.ts";
import { runInProcess } from "./in-process.ts";
import { type Ran, runExecutable } from "./relais.ts";
import { gitEnvironment } from "./repositories.ts";
import { scratchRepository, type ScratchRepository } from "./scratch-repository.ts";
import { node } from "./tree-node.ts";

const AGENT = [
  'box="${0%/*}"',
  'n=$(( $(cat "$box/asked" 2>/dev/null || echo 0) + 1 )); echo "$n" > "$box/asked"',
  'cat > "$box/prompt-$n"',
  'result() { printf \'{"status": "%s", "summary": "%s"}\' "$1" "turn $n" > "$RELAIS_RESULT_PATH"; }',
  'echo "turn $n"',
  '. "$box/turns/$n.sh"',
  "",
].join("\n");

const KILL_AT = join(import.meta.dirname, "../crash/kill-at.cjs");

interface TreeRan extends Ran {
  readonly reports: readonly Report[];
  readonly summary: SeriesSummary;
}

export interface TreeWorld extends ScratchRepository {
  readonly tree: () => Tree;
  /** Runs `relais tree` with these arguments. */
  readonly relais: (...args: string[]) => Promise<Ran>;
  /** Runs `relais tree step` or `relais tree run`, and reads what they print. */
  readonly iterate: (...args: string[]) => Promise<TreeRan>;
  /** What a person says yes to. */
  readonly recover: () => Promise<Ran>;
  /** Runs it with a fault that test/crash/kill-at.cjs brings about. */
  readonly struck: (strike: object, ...args: string[]) => ReturnType<typeof runExecutable>;
  readonly prompt: (n: number) => string;
  readonly asked: () => number;
  readonly history: (report: Report | undefined, name: string) => string;
  readonly meta: (report: Report | undefined) => Meta;
  readonly journal: () => readonly JournalLine[];
  /** The subjects of the commits since the world began, oldest first. */
  readonly subjects: () => readonly string[];
}

interface WorldRequest {
  readonly turns: readonly string[];
  readonly root?: TreeNode;
  readonly tree?: object;
  readonly config?: object;
  readonly files?: Readonly<Record<string, string>>;
  readonly branch?: string;
  /** Whether each relais is a process of its own. */
  readonly ownProcess?: boolean;
}

/** The shell that writes another tree into the drop folder. */
export function propose(root: TreeNode): string {
  return `cat > "$RELAIS_DROP/tree.json" <<'TREE'\n${writeTree({ version: 1, root })}TREE`;
}

export const DONE = "result done";
export const write = (path: string, text: string): string => `printf '%s\\n' '${text}' > ${path}`;

/** Builds the world on a branch that is not protected; the guard wants the word `right` in src/x.ts. */
export function treeWorld(request: WorldRequest): TreeWorld {
  const { turns, root = node("root"), config = {}, files = {}, branch = "topic", ownProcess = false } = request;
  const scratch = scratchRepository({
    "src/x.ts": "old\n",
    "check.sh": "grep -q right src/x.ts\n",
    ...files,
  });
  const { box, git } = scratch;
  git("symbolic-ref", "HEAD", `refs/heads/${branch}`);
  mkdirSync(join(box, "turns"));
  for (const [index, turn] of turns.entries()) writeFileSync(join(box, "turns", `${index + 1}.sh`), `${turn}\n`);
  writeFileSync(join(box, "agent.sh"), AGENT);
  const { tree, ...others } = v.parse(v.looseObject({ tree: v.optional(v.looseObject({})) }), config);
  const whole = pinWorld({
    builder: { default_mode: "command", command: { command: "sh", args: [join(box, "agent.sh")] } },
    tree: { guard: ["sh", "check.sh"], ...tree },
    ...others,
  });
  const start = scratch.commit({
    "relais.config.json": JSON.stringify(whole),
    "relais/.gitignore": WORKSPACE_IGNORE,
    "relais/tree.json": request.tree === undefined ? writeTree({ version: 1, root }) : JSON.stringify(request.tree),
    "relais/GOAL.md": "# Make it right\n",
  });
  const env = { HOME: box, XDG_STATE_HOME: join(box, "state") };
  const options = {
    cwd: scratch.root,
    env: { ...gitEnvironment(box), ...env, TMPDIR: process.env["TMPDIR"] },
  } as const;
  const run = (...args: string[]): Promise<Ran> =>
    (ownProcess ? runExecutable : runInProcess)(["tree", ...args], options);
  const read = (path: string): string => readFileSync(join(scratch.root, path), "utf8");
  const history: TreeWorld["history"] = (report, name) => read(`relais/history/${report?.run_id}/${name}`);
  return {
    ...scratch,
    relais: run,
    recover: () => runInProcess(["recover", "--yes"], options),
    iterate: async (...args) => readSeries(await run(...args, "--json")),
    struck: (strike, ...args) =>
      runExecutable(["tree", ...args], {
        ...options,
        env: { ...options.env, NODE_OPTIONS: `--require ${KILL_AT}`, RELAIS_STRIKE: JSON.stringify(strike) },
      }),
    tree: () => v.parse(Tree, JSON.parse(read("relais/tree.json"))),
    prompt: (n) => readFileSync(join(box, `prompt-${n}`), "utf8"),
    asked: () => (existsSync(join(box, "asked")) ? Number(readFileSync(join(box, "asked"), "utf8")) : 0),
    history,
    meta: (report) => v.parse(Meta, JSON.parse(history(report, "meta.json"))),
    journal: () =>
      read("relais/ledger.jsonl")
        .trimEnd()
        .split("\n")
        .map((line) => v.parse(JournalLine, JSON.parse(line))),
    subjects: () => git("log", "--reverse", "--format=%s", `${start}..`).split("\n").filter(Boolean),
  };
}

function readSeries(ran: Ran): TreeRan {
  const documents = ran.stdout
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  return {
    ...ran,
    reports: documents.slice(0, -1).map((document) => v.parse(Report, document)),
    summary: v.parse(SeriesSummary, documents.at(-1)),
  };
}
