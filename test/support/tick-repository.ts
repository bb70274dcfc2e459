import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WORKSPACE_IGNORE } from "../../src/config/workspace-layout.ts";
import { relais } from "./in-process.ts";
import type { Ran } from "./relais.ts";
import { pinWorld } from "./isolation.ts";
import { scratchRepository, type ScratchRepository } from "./scratch-repository.ts";

/** A repository that is set up for ticks with the scripted builder, and a place of its own for the state. */
export interface TickRepository extends ScratchRepository {
  /** Runs relais in the repository. */
  readonly relais: (...args: string[]) => Promise<Ran>;
  /** Runs relais with --json and answers with the status and the document. */
  readonly ask: (...args: string[]) => Promise<{ readonly status: number | null; readonly document: unknown }>;
  /** Runs a tick whose builder takes these steps, and answers with its run id. It must end with this code. */
  readonly tick: (steps: readonly object[], code?: string) => Promise<string>;
  /** The task whose builder takes these steps. */
  readonly task: (steps: readonly object[]) => object;
  /** The state directory of the repository. */
  readonly state: () => string;
}

const FILES = { "src/x.ts": "old\n", "src/y.ts": "y\n", ".gitignore": "/dist/\n" };

interface TickRepositoryOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: object;
  readonly branch?: string;
  readonly objectFormat?: "sha1" | "sha256";
}

export function tickRepository(options: TickRepositoryOptions = {}): TickRepository {
  const { files = {}, config = {}, branch = "topic" } = options;
  const scratch = scratchRepository({ ...FILES, ...files }, options.objectFormat);
  const { box, root, git } = scratch;
  git("symbolic-ref", "HEAD", `refs/heads/${branch}`);
  const env = { HOME: box, XDG_STATE_HOME: join(box, "state") };
  const run = (...args: string[]): Promise<Ran> => relais(args, { cwd: root, env });
  scratch.commit({
    "relais.config.json": JSON.stringify(pinWorld({ builder: { default_mode: "scripted" }, ...config })),
    "relais/.gitignore": WORKSPACE_IGNORE,
    ...("relais/GOAL.md" in files ? {} : { "relais/GOAL.md": "Goal.\n" }),
  });
  const ask: TickRepository["ask"] = async (...args) => {
    const { status, stdout } = await run(...args, "--json");
    const document: unknown = JSON.parse(stdout);
    return { status, document };
  };
  return {
    ...scratch,
    relais: run,
    ask,
    task,
    tick: async (steps, code = "SUCCESS") => {
      writeFileSync(join(box, "task.json"), JSON.stringify(task(steps)));
      const { document } = await ask("run", "--task", join(box, "task.json"));
      if (!isReport(document) || document.code !== code) throw new Error(JSON.stringify(document));
      return document.run_id;
    },
    state: () => {
      const home = join(box, "state/relais");
      return join(home, readdirSync(home).find((name) => name.startsWith("repo-")) ?? "");
    },
  };
}

function isReport(document: unknown): document is { readonly run_id: string; readonly code: string } {
  return typeof document === "object" && document !== null && "run_id" in document && "code" in document;
}

function task(steps: readonly object[]): object {
  const result = { summary: "done", files_intended: [], commands_ran: [], notes: [] };
  const script = { steps: [...steps, { do: "result", content: result }] };
  return {
    task_id: "T-1",
    milestone_id: "M-1",
    task_kind: "execute",
    intent: "Make x new",
    scope: {
      allowed_globs: ["src/**"],
      forbidden_globs: [],
      allow_new_files: true,
      allow_lockfile_changes: false,
    },
    diff_limits: { max_files_touched: 5, max_lines_changed: 50 },
    verification: { fast: [], slow: [] },
    allow_no_change: true,
    builder: { mode: "scripted", max_turns: 4, instructions: JSON.stringify(script) },
  };
}

/** The types of the events in the journal, in their order. */
export function journalTypes({ state }: TickRepository): readonly string[] {
  const path = join(state(), "journal.jsonl");
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => /"event":\{"type":"(?<type>[a-z_]+)"/.exec(line)?.groups?.["type"] ?? "?");
}

/** Takes the journal back to what it was earlier, with every copy of its lines: as if they had never been written. */
export function rewindJournal({ state, root }: TickRepository, text: string | Buffer): void {
  writeFileSync(join(state(), "journal.jsonl"), text);
  rmSync(join(root, "relais/ledger.jsonl"));
  for (const run of readdirSync(join(state(), "runs")))
    rmSync(join(state(), "runs", run, "lines.jsonl"), { force: true });
}

/** A lock of another machine: nobody can tell from here whether its holder is gone. */
export function holdLock({ state }: Pick<TickRepository, "state">): void {
  const lock = {
    run_id: "20260131T235959Z-0123abcd",
    pid: 4711,
    process_start: "1",
    started_at: new Date().toISOString(),
    boot_id: "another",
    host: "another-machine",
    pid_namespace: null,
  };
  writeFileSync(join(state(), "lock.json"), JSON.stringify(lock));
}
