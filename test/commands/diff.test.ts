/** `relais diff`: the recorded change of a tick, whatever became of it, and the change so far of a running one. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { runExecutable } from "../support/relais.ts";
import { listIsolations } from "../support/isolations.ts";
import { sitAtTerminal } from "../support/terminal.ts";
import { tickRepository, type TickRepository } from "../support/tick-repository.ts";

const LINES = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join("");
const FILES = { "src/long.txt": LINES, "src/gone.ts": "gone\n", "src/tool.sh": "#!/bin/sh\n", "src/café.txt": "a\n" };
const sh = (script: string) => ({ do: "run", argv: ["sh", "-c", script] });
/** Every kind of change that git knows. */
const EVERYTHING = [
  sh("mv src/long.txt src/moved.txt; printf 'end\\n' >> src/moved.txt; rm src/gone.ts; chmod +x src/tool.sh"),
  sh("printf 'a\\000b' > src/data.bin; printf 'b\\033[2J\\n' > 'src/café.txt'"),
  { do: "write", path: "src/new.ts", text: "one\ntwo\n" },
];

async function changedRepository(): Promise<{ readonly repository: TickRepository; readonly runId: string }> {
  const repository = tickRepository({ files: FILES });
  writeFileSync(join(repository.box, "task.json"), JSON.stringify(taskOf(repository, EVERYTHING)));
  const { document } = await repository.ask("run", "--task", join(repository.box, "task.json"));
  expect(document).toMatchObject({ code: "SUCCESS" });
  return { repository, runId: String(Object(document).run_id) };
}

const taskOf = ({ task }: TickRepository, steps: readonly object[]): object => ({
  ...task(steps),
  diff_limits: { max_files_touched: 20, max_lines_changed: 500 },
});

interface Shown {
  readonly status: number;
  readonly text: string;
}

/** What the command prints when a person sits before it; without a pager unless one is named. */
async function onTerminal(
  { root, box }: TickRepository,
  args: readonly string[],
  { env = {}, columns = 80 }: Partial<Wish> = {},
): Promise<Shown> {
  const own = { PATH: process.env["PATH"], HOME: box, XDG_STATE_HOME: join(box, "state"), PAGER: "cat", ...env };
  const { terminal, text } = sitAtTerminal({ cwd: root, env: own, columns });
  return { status: await main(args, terminal), text: text() };
}

interface Wish {
  readonly env: Readonly<Record<string, string>>;
  readonly columns: number;
}

test("a change is shown with renames, modes, binary, new and deleted files, and as an exact patch in a pipe", async () => {
  const { repository, runId } = await changedRepository();
  const { document } = await repository.ask("diff");
  const { files, ...rest } = Object(document);
  expect(rest).toMatchObject({ run_id: runId, state: "kept", intent: "Make x new", commit: null, left_out: [] });
  expect(files.toSorted((a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1))).toEqual([
    fileOf("src/café.txt", { added: 1, deleted: 1 }),
    fileOf("src/data.bin", { status: "added", new_mode: "100644", binary: true }),
    fileOf("src/gone.ts", { status: "deleted", old_mode: "100644", deleted: 1 }),
    fileOf("src/moved.txt", { status: "renamed", old_path: "src/long.txt", added: 1 }),
    fileOf("src/new.ts", { status: "added", new_mode: "100644", added: 2 }),
    fileOf("src/tool.sh", { old_mode: "100644", new_mode: "100755" }),
  ]);
  const env = { PATH: process.env["PATH"], HOME: repository.box, XDG_STATE_HOME: join(repository.box, "state") };
  const { stdout } = await runExecutable(["diff"], { cwd: repository.root, env });
  writeFileSync(join(repository.box, "patch"), stdout);
  repository.git("add", "-A");
  const tree = repository.git("write-tree");
  repository.git("reset", "--quiet", "--hard");
  repository.git("apply", "--index", join(repository.box, "patch"));
  expect(repository.git("write-tree")).toBe(tree);
});

const fileOf = (path: string, over: object): object => ({
  path,
  old_path: null,
  status: "modified",
  added: 0,
  deleted: 0,
  old_mode: null,
  new_mode: null,
  binary: false,
  ...over,
});

test("on a terminal it has our colours and no other escape sequence, and fits every width", async () => {
  const { repository, runId } = await changedRepository();
  const { status, text } = await onTerminal(repository, ["diff"]);
  expect(status).toBe(0);
  expect(text).toContain(`${runId}  kept, not committed\u001B[22m\n6 files +4 -2  Make x new\n`);
  expect(text).toContain("\u001B[32m+b\\u{1b}[2J\u001B[39m");
  expect(text).toContain("rename from src/long.txt");
  expect(text).toContain("Binary file src/data.bin differs");
  expect(text).not.toContain("GIT binary patch");
  const ours = ["1", "2", "22", "31", "32", "39"].map((code) => `\u001B[${code}m`);
  expect(ours.reduce((rest, sequence) => rest.replaceAll(sequence, ""), text)).not.toContain("\u001B");
  for (const columns of [60, 80, 120]) {
    const stat = await onTerminal(repository, ["diff", "--stat", "--color", "never"], { columns });
    expect(stat.text).toMatch(/^ src\/new\.ts \(new\) +\| +2 \+\+$/mu);
    expect(stat.text).toMatch(/^ src\/long\.txt → src\/moved\.txt +\| +1 \+$/mu);
    expect(stat.text.split("\n").filter((line) => line.length > columns)).toEqual([]);
  }
});

test("the pager is the person's own, and --no-pager, --plain, --json and PAGER=cat do without", async () => {
  const { repository } = await changedRepository();
  const page = join(repository.box, "page");
  const pager = { env: { GIT_PAGER: `cat > '${page}'`, PAGER: "false" } };
  expect((await onTerminal(repository, ["diff"], pager)).text).toBe("");
  expect(readFileSync(page, "utf8")).toContain("rename to src/moved.txt");
  for (const without of ["--no-pager", "--plain", "--json"])
    expect((await onTerminal(repository, ["diff", without], pager)).text).toContain("rename to src/moved.txt");
  for (const command of ["cat", "", "no-such-pager"])
    expect((await onTerminal(repository, ["diff"], { env: { PAGER: command } })).text).toContain(
      "rename to src/moved.txt",
    );
});

test("what became of a change is named, and without RUN the last tick with a change is meant", async () => {
  const repository = tickRepository();
  expect(await repository.ask("diff")).toMatchObject({ status: 10, document: { cause: "nothing_there" } });
  const stray = { do: "write", path: "README", text: "outside\n" };
  const reverted = await repository.tick([stray], "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED");
  const kept = await repository.tick([{ do: "write", path: "src/x.ts", text: "new\n" }]);
  expect((await repository.ask("diff", reverted.slice(-8))).document).toMatchObject({ state: "reverted" });
  expect((await repository.ask("diff")).document).toMatchObject({ run_id: kept, state: "kept" });
  await repository.relais("accept");
  expect((await repository.ask("diff")).document).toMatchObject({ run_id: kept, state: "committed", branch: "topic" });
  await repository.relais("undo");
  const { document } = await repository.ask("diff");
  expect(document).toMatchObject({ run_id: kept, state: "undone", files: [{ path: "src/x.ts" }] });
  const idle = await repository.tick([]);
  expect((await repository.ask("diff")).document).toMatchObject({ run_id: kept });
  expect((await onTerminal(repository, ["diff", idle])).text).toContain("no changed file");
  expect(await repository.ask("diff", "20")).toMatchObject({ status: 2, document: { error: "usage" } });
  await repository.relais("history", "prune", "--keep", "0");
  expect((await repository.ask("diff", kept)).document).toMatchObject({ state: "undone", files: [{ added: 1 }] });
  rmSync(join(repository.state(), "accepted", kept), { recursive: true });
  expect(await repository.ask("diff", kept)).toMatchObject({ status: 10, document: { cause: "history_pruned" } });
});

describe.each(await listIsolations())("while a tick works %s", (isolation) => {
  test("its change so far is shown, with new files and without ignored files and those of relais", async () => {
    const repository = tickRepository({ files: { "src/gone.ts": "gone\n" }, config: { isolation } });
    const go = join(repository.box, "go");
    const steps = [
      { do: "write", path: "src/x.ts", text: "so far\n" },
      { do: "write", path: "src/fresh.ts", text: "fresh\n" },
      { do: "write", path: "dist/ignored.js", text: "ignored\n" },
      sh(`rm src/gone.ts; touch '${go}.here'; while [ ! -e '${go}' ]; do sleep 0.05; done; rm -r dist`),
    ];
    const ticking = repository.tick(steps);
    for (let tries = 0; tries < 400 && !existsSync(`${go}.here`); tries += 1) await delay(50);
    try {
      const { document } = await repository.ask("diff");
      expect(document).toMatchObject({
        state: "running",
        files: [{ path: "src/fresh.ts" }, { path: "src/gone.ts", status: "deleted" }, { path: "src/x.ts" }],
        left_out: [],
      });
      expect((await onTerminal(repository, ["diff"])).text).toContain(
        "running: the change so far\u001B[22m\n3 files +2 -2  Make x new\n",
      );
    } finally {
      writeFileSync(go, "");
    }
    const runId = await ticking;
    expect((await repository.ask("diff")).document).toMatchObject({ run_id: runId, state: "kept" });
  });

  test("an agent that writes all the time does not keep it from being shown", async () => {
    const repository = tickRepository({ config: { isolation } });
    const go = join(repository.box, "go");
    const busy = "echo some > src/d/$i; echo more > src/x.ts; sleep 0.03; rm -f src/d/*";
    const steps = [
      { do: "write", path: "src/fresh.ts", text: "fresh\n" },
      sh(`touch '${go}.here'; mkdir src/d; while [ ! -e '${go}' ]; do i=$((i + 1)); ${busy}; done; rmdir src/d`),
    ];
    const ticking = repository.tick(steps);
    for (let tries = 0; tries < 400 && !existsSync(`${go}.here`); tries += 1) await delay(50);
    try {
      for (let times = 0; times < 4; times += 1)
        expect((await repository.ask("diff", "--stat")).document).toMatchObject({ state: "running" });
    } finally {
      writeFileSync(go, "");
    }
    await ticking;
  });
});
