/**
 * A repository in which relais is killed, with everything that belongs to it in one folder that can be thrown away.
 *
 * The builder of every tick changes, adds and removes files and a mode; the check of a tick that is to be rolled back
 * moreover commits and removes hooks, so that the way back leads through git's own files too.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { WORKSPACE_IGNORE } from "../../src/config/workspace-layout.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { differences, walk, type Walk } from "../support/walker.ts";

export const KINDS = ["accepted", "rolled-back", "committed"] as const;
/** How a tick of the site ends; a patched one is accepted, and nobody but relais writes. */
export type Kind = (typeof KINDS)[number] | "patched" | "undecided" | "held" | "landed" | "dirty";

export type Isolation = "in_place" | "overlay" | "clone";

/** The code of a kind that is reverted; null for the others. */
export const revertedWith = (kind: Kind): string | null => REVERTED[kind] ?? null;

const REVERTED: Readonly<Partial<Record<Kind, string>>> = {
  "rolled-back": "STOP_VERIFY_FAILED_FAST",
  undecided: "STOP_UNDECIDED",
  held: "STOP_SUSPECT",
};

/** What `kill-at.cjs` is to do, as it says there. */
export interface Strike {
  readonly log?: string;
  readonly mark?: string;
  readonly at?: number | string;
  readonly data?: string;
  readonly skip?: number;
  readonly when?: "before" | "after" | "torn" | "pause" | "fail";
}

export interface Ran {
  readonly pid: number | undefined;
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs relais with these words and answers when it has ended. */
export type RunRelais = (
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Site["environment"] },
) => Promise<Ran>;

export interface Site {
  readonly executable: string;
  readonly kind: Kind;
  /** Where its ticks work. */
  readonly isolation: Isolation;
  /** Holds the repository, the home and the state, and is the place for whatever a test needs. */
  readonly box: string;
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Starts relais and answers when it has ended. */
  readonly relais: (args: readonly string[], strike?: Strike) => Promise<Ran>;
  /** The same with further variables in the environment. */
  readonly relaisWith: (args: readonly string[], variables: Site["environment"]) => Promise<Ran>;
  readonly git: (...args: string[]) => string;
  /** The state directory of this repository; null before there is one. */
  readonly state: () => string | null;
  /** The whole journal as it is on the disk; empty where there is none. */
  readonly journal: () => string;
  readonly look: () => Walk;
  /** The same without asking git, which can only see what is in its files. */
  readonly lookAtFiles: () => Walk;
  readonly remove: () => void;
}

const STEPS = [
  { do: "write", path: "src/new/deep.ts", text: "export const deep = true;\n" },
  { do: "delete", path: "src/old.ts" },
  { do: "chmod", path: "src/run.sh", mode: "0755" },
  { do: "write", path: "dist/out.js", text: "built\n" },
  {
    do: "result",
    content: { summary: "did it", files_intended: ["src/x.ts"], commands_ran: [], notes: [] },
  },
];

/** A task whose builder writes this text into src/x.ts, and then what is given. */
export function taskOf(text: string, steps: readonly object[] = STEPS): object {
  const script = [{ do: "write", path: "src/x.ts", text: `${text}\n` }, ...steps];
  return {
    task_id: "T-1",
    milestone_id: "M-1",
    task_kind: "execute",
    intent: "Make x ok.",
    scope: {
      allowed_globs: ["src/**"],
      forbidden_globs: [],
      allow_new_files: true,
      allow_lockfile_changes: false,
    },
    diff_limits: { max_files_touched: 9, max_lines_changed: 99 },
    verification: { fast: ["check"], slow: [] },
    // It fails before the build, so that the tick runs it there, too.
    fixes: ["check"],
    builder: { mode: "scripted", max_turns: 1, instructions: JSON.stringify({ steps: script }) },
  };
}

const PATCH = `diff --git a/src/x.ts b/src/x.ts
--- a/src/x.ts
+++ b/src/x.ts
@@ -1 +1 @@
-no
+ok
diff --git a/src/new/deep.ts b/src/new/deep.ts
new file mode 100644
--- /dev/null
+++ b/src/new/deep.ts
@@ -0,0 +1 @@
+export const deep = true;
diff --git a/src/old.ts b/src/old.ts
deleted file mode 100644
--- a/src/old.ts
+++ /dev/null
@@ -1 +0,0 @@
-old
diff --git a/src/run.sh b/src/run.sh
old mode 100644
new mode 100755
`;

/** It passes the check, and is suspect. */
const SUSPECT = "ok();\nDate.now = () => 0;";

/** A task whose patch makes the same changes as the builder of the others. */
const PATCH_TASK: object = { ...taskOf("ok"), builder: { mode: "patch", patch: PATCH } };

const REFUSING_CHECK = "git -c user.name=c -c user.email=c@example.org commit -qam check; rm -rf .git/hooks; exit 1";

/** The configuration of such a repository. */
export function configOf(kind: Kind): { readonly verification: object; readonly [key: string]: unknown } {
  const script = kind === "rolled-back" ? REFUSING_CHECK : kind === "landed" ? "true" : "grep -q ok src/x.ts";
  return {
    builder: { default_mode: "scripted" },
    git: { commit: kind === "committed" || kind === "dirty" ? "always" : "loop" },
    ...(kind === "undecided" ? { settle: "ask", ask_timeout_seconds: 0.2 } : {}),
    verification: { templates: [{ id: "check", cmd: "sh", args: ["-c", script] }] },
  };
}

function listTasks(kind: Kind): Readonly<Record<string, string>> {
  const [first, second] = kind === "held" ? [SUSPECT, `${SUSPECT} // Again.`] : ["ok", "ok again"];
  const task = kind === "patched" ? PATCH_TASK : taskOf(first);
  return { "../../task.json": JSON.stringify(task), "../../next.json": JSON.stringify(taskOf(second, [])) };
}

/** Makes a repository whose next tick ends in that way. Further keys of the configuration may be given. */
export async function openSite(
  executable: string,
  kind: Kind,
  { isolation = "in_place", ...config }: { readonly isolation?: Isolation; readonly [key: string]: unknown } = {},
): Promise<Site> {
  const site = siteAt({ executable, kind, isolation });
  const { box, root } = site;
  for (const folder of ["home", "state", "tmp", "place/repo/src", "place/repo/dist"])
    mkdirSync(join(box, folder), { recursive: true });
  const files = {
    ".gitignore": "dist/\n",
    "src/x.ts": "no\n",
    "src/old.ts": "old\n",
    "src/run.sh": "#!/bin/sh\n",
    "dist/out.js": "earlier\n",
    "relais.config.json": JSON.stringify({ ...configOf(kind), isolation, ...config }),
    ...listTasks(kind),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  chmodSync(join(root, "src/run.sh"), 0o644);
  symlinkSync("x.ts", join(root, "src/link.ts"));
  // Few files: each of them is several calls of a tick, and a crash is tried at each call.
  site.git("init", "--quiet", "--template=");
  for (const folder of ["hooks", "info"]) mkdirSync(join(root, ".git", folder));
  writeFileSync(join(root, ".git/hooks/pre-commit.sample"), "#!/bin/sh\n");
  mkdirSync(join(root, "relais"));
  writeFileSync(join(root, "relais/.gitignore"), WORKSPACE_IGNORE);
  site.git("add", "--all");
  site.git("commit", "--quiet", "--message", "the beginning");
  if (kind === "landed") makeSide(site);
  if (kind === "dirty") makeDirt(site);
  return site;
}

/** What a person has not committed: staged, staged and changed, changed, added, removed, and ignored. */
function makeDirt({ root, git }: Site): void {
  const put = (name: string, text: string) => writeFileSync(join(root, "mine", name), text);
  mkdirSync(join(root, "mine"));
  for (const name of ["staged", "both", "changed", "removed"]) put(name, "old\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "mine");
  for (const name of ["staged", "both"]) put(name, "staged\n");
  git("add", "--all");
  for (const name of ["both", "changed", "added"]) put(name, "mine\n");
  git("add", "--intent-to-add", "mine/added");
  put("new", "mine\n");
  rmSync(join(root, "mine/removed"));
}

/** Only what a person had not committed, and what git says of it. */
export function lookAtDirt({ git }: Site, look: Walk): Walk {
  const said = git("status", "--porcelain=v2", "-z", "--untracked-files=all", "--", "mine");
  return { ...pickDirt(look), git: new Map([["status", said]]) };
}

export function pickDirt({ entries }: Walk): Walk {
  return { entries: new Map([...entries].filter(([name]) => name.startsWith("./repo/mine"))), git: new Map() };
}

/** A branch of two commits with the same changes as the builder, and one more commit on the branch of the person. */
function makeSide({ root, git }: Site): void {
  git("switch", "--quiet", "--create", "side");
  mkdirSync(join(root, "src/new"));
  writeFileSync(join(root, "src/x.ts"), "ok\n");
  writeFileSync(join(root, "src/new/deep.ts"), "export const deep = true;\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  git("rm", "--quiet", "src/old.ts");
  git("update-index", "--chmod=+x", "src/run.sh");
  git("commit", "--quiet", "--message", "second");
  git("checkout", "--quiet", "--force", "-");
  writeFileSync(join(root, "src/other.ts"), "other\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "meanwhile");
}

/** How the tick of the site is started. */
export function argumentsOf({ kind, box }: Pick<Site, "kind" | "box">): readonly string[] {
  if (kind === "landed") return ["land", "side", "--new-files"];
  return ["run", "--task", join(box, "task.json"), ...(kind === "dirty" ? ["--dirty"] : [])];
}

/** The same repository at another place, as long as no tick has run in it. */
export function copySite(template: Site, runRelais?: RunRelais): Site {
  const site = siteAt(template, runRelais);
  for (const name of ["home", "state", "tmp", "place", "task.json", "next.json"])
    execFileSync("cp", ["-a", join(template.box, name), site.box]);
  return site;
}

function siteAt(template: SiteParts, runRelais?: RunRelais): Site {
  return siteIn(realpathSync(mkdtempSync(join(tmpdir(), "relais-crash-"))), template, runRelais);
}

export type SiteParts = Pick<Site, "executable" | "kind" | "isolation">;

/** The site whose box is at this path. Relais is a process, unless there is another way to run it. */
export function siteIn(
  box: string,
  { executable, kind, isolation }: SiteParts,
  runRelais: RunRelais = (args, options) => run([executable, ...args], options),
): Site {
  const root = join(box, "place/repo");
  const environment = {
    ...gitEnvironment(join(box, "home")),
    GIT_OPTIONAL_LOCKS: "0", // A look must not change what is looked at.
    XDG_STATE_HOME: join(box, "state"),
    TMPDIR: join(box, "tmp"),
  };
  const state = (): string | null => {
    const folder = join(box, "state/relais");
    const [name] = existsSync(folder) ? readdirSync(folder).filter((entry) => entry.startsWith("repo-")) : [];
    return name === undefined ? null : join(folder, name);
  };
  const look = (worktrees: readonly string[]): Walk =>
    named(kind === "landed" ? "overlay" : isolation, walk({ folder: join(box, "place"), worktrees }));
  return {
    executable,
    kind,
    isolation,
    box,
    root,
    environment,
    relais: (args, strike) =>
      strike === undefined
        ? runRelais(args, { cwd: root, env: environment })
        : run([executable, ...args], { cwd: root, env: withStrike(environment, strike) }),
    relaisWith: (args, variables) => run([executable, ...args], { cwd: root, env: { ...environment, ...variables } }),
    git: (...args) =>
      execFileSync("git", args, {
        cwd: root,
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
      }).toString(),
    state,
    journal: () => {
      const path = join(state() ?? box, "journal.jsonl");
      return existsSync(path) ? readFileSync(path, "utf8") : "";
    },
    look: () => look(["repo"]),
    lookAtFiles: () => look([]),
    remove: () => rmSync(box, { recursive: true, force: true }),
  };
}

/** In a place of its own an interrupted commit leaves objects that nothing names, and so does a landing anywhere. */
function named(isolation: Isolation, { entries, git }: Walk): Walk {
  if (isolation === "in_place") return { entries, git };
  return { entries: new Map([...entries].filter(([name]) => !name.startsWith("./repo/.git/objects/"))), git };
}

/** The environment in which relais is struck. */
export function withStrike(environment: Site["environment"], strike: Strike | undefined) {
  if (strike === undefined) return environment;
  const hook = resolve("test/crash/kill-at.cjs");
  return { ...environment, NODE_OPTIONS: `--require ${hook}`, RELAIS_STRIKE: JSON.stringify(strike) };
}

async function run(
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Ran> {
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()));
  await once(child, "close");
  return { pid: child.pid, status: child.exitCode, signal: child.signalCode, ...said };
}

/** What the runner publishes, and what it leaves of it when it is killed while it writes. */
const PUBLISHED =
  /^\.\/repo\/relais\/(?:(?:STATE|TASK|REPORT|BLOCKED)\.json|REPORT\.md|ledger\.jsonl|lock\.json|history(?:\/.*)?|\.relais-\w+\.tmp|lock\.json\.\w+\.tmp)$/;

/** What differs between two looks, but for what the runner publishes in its workspace. */
export function changedBetween(before: Walk, after: Walk): string[] {
  return differences(unpublished(before), unpublished(after));
}

function unpublished({ entries, git }: Walk): Walk {
  const told = [...git].map(([question, answer]): [string, string] => [
    question,
    answer
      .split("\0")
      .filter((part) => !(part.startsWith("! relais/") && PUBLISHED.test(`./repo/${part.slice(2)}`)))
      .join("\0"),
  ]);
  return { entries: new Map([...entries].filter(([name]) => !PUBLISHED.test(name))), git: new Map(told) };
}
