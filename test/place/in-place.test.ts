import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RollbackError } from "../../src/base/rollback-error.ts";
import { judge } from "../../src/judge/pure/judge.ts";
import { gitShim, place } from "../support/workplace.ts";

test("an honest change in scope is seen exactly and can be taken back", async () => {
  const repo = place();
  const workplace = await repo.open();
  expect(await workplace.change.prepare()).toMatch(/^[0-9a-f]{64}$/u);
  repo.write("src/a.ts", "one\n2\nthree\n");
  rmSync(join(repo.root, "src/b.ts"));
  const { evidence } = await workplace.change.collect();
  expect(judge(evidence)).toMatchObject({
    code: "SUCCESS",
    blast_radius: { files_touched: 2, lines_added: 2, lines_deleted: 2, new_files: 0 },
  });
  await workplace.settlement.discard();
  expect(repo.read("src/a.ts")).toBe("one\ntwo\n");
  expect(repo.git("status", "--porcelain")).toBe("?? notes.txt\n");
});

test("an empty file that was removed comes back, also when it is the only one", async () => {
  const repo = place({ "src/empty.ts": "" });
  const workplace = await repo.open();
  await workplace.change.prepare();
  rmSync(join(repo.root, "src/empty.ts"));
  await workplace.settlement.discard();
  expect(repo.read("src/empty.ts")).toBe("");
});

test("an edit that keeps size and times is seen", async () => {
  const repo = place();
  const past = new Date("2020-01-01");
  utimesSync(join(repo.root, "src/a.ts"), past, past);
  const workplace = await repo.open();
  await workplace.change.prepare();
  repo.write("src/a.ts", "ONE\nTWO\n");
  utimesSync(join(repo.root, "src/a.ts"), past, past);
  const { evidence } = await workplace.change.collect();
  expect(evidence.changes.map(({ path }) => path)).toEqual(["src/a.ts"]);
  await workplace.settlement.discard();
  expect(repo.read("src/a.ts")).toBe("one\ntwo\n");
  expect(statSync(join(repo.root, "src/a.ts")).mtime).toEqual(past);
});

test("a touched file of the runner is not worth a note", async () => {
  const repo = place();
  repo.write("relais/TASK.json", "{}\n");
  const workplace = await repo.open();
  await workplace.change.prepare();
  for (const path of ["src/a.ts", "relais/TASK.json"]) {
    chmodSync(join(repo.root, path), 0o600);
    chmodSync(join(repo.root, path), 0o644);
  }
  const { evidence } = await workplace.change.collect();
  expect(evidence.attributes_touched).toEqual({ count: 1, paths: ["src/a.ts"] });
});

test("standing follows the rules as they were, not as the builder left them", async () => {
  const repo = place();
  const workplace = await repo.open();
  await workplace.change.prepare();
  repo.write(".gitignore", "dist/\nsrc/hidden.ts\n");
  repo.write("src/hidden.ts", "x\n");
  repo.write("dist/new.js", "x\n");
  const { evidence } = await workplace.change.collect();
  const standing = Object.fromEntries(evidence.changes.map((change) => [change.path, change.standing]));
  expect(standing).toEqual({
    ".gitignore": "tracked",
    "src/hidden.ts": "untracked",
    "dist/new.js": "ignored",
  });
  await workplace.settlement.discard();
});

test("a hard link to a tracked file is found although its content is the same", async () => {
  const repo = place();
  const workplace = await repo.open();
  await workplace.change.prepare();
  const outside = join(repo.state, "..", "held");
  linkSync(join(repo.root, "src/a.ts"), outside);
  const { evidence } = await workplace.change.collect();
  expect(judge(evidence).code).toBe("STOP_UNSAFE_PATH");
  await workplace.settlement.discard();
  writeFileSync(outside, "later\n");
  expect(repo.read("src/a.ts")).toBe("one\ntwo\n");
});

test("merging notices what changed after the candidate was collected", async () => {
  const repo = place();
  const workplace = await repo.open();
  await workplace.change.prepare();
  repo.write("src/a.ts", "judged\n");
  const candidate = await workplace.change.collect();
  repo.write("src/b.ts", "late\n");
  expect(await workplace.settlement.merge(candidate)).toEqual(["src/b.ts"]);
  repo.write("src/b.ts", "b\n");
  expect(await workplace.settlement.merge(candidate)).toEqual([]);
  expect(repo.read("src/a.ts")).toBe("judged\n");
});

test("a merge keeps the files and puts git's data back, however often", async () => {
  const repo = place();
  const workplace = await repo.open();
  await workplace.change.prepare();
  const index = readFileSync(join(repo.root, ".git/index"));
  const objects = readdirSync(join(repo.root, ".git/objects"), { recursive: true }).length;
  repo.write("src/a.ts", "judged\n");
  repo.git("add", "src/a.ts");
  const candidate = await workplace.change.collect();
  for (let time = 0; time < 2; time += 1) {
    expect(await workplace.settlement.merge(candidate)).toEqual([]);
    expect(readFileSync(join(repo.root, ".git/index"))).toEqual(index);
    expect(readdirSync(join(repo.root, ".git/objects"), { recursive: true })).toHaveLength(objects);
    expect(repo.read("src/a.ts")).toBe("judged\n");
  }
  await workplace.settlement.discard();
  expect(repo.read("src/a.ts")).toBe("one\ntwo\n");
});

test("what honest commands write between the collecting and the merging is no change", async () => {
  const repo = place();
  const workplace = await repo.open();
  await workplace.change.prepare();
  repo.write("src/a.ts", "judged\n");
  const candidate = await workplace.change.collect();
  repo.git("add", "src/a.ts");
  expect(await workplace.settlement.merge(candidate)).toEqual([]);
  expect(repo.git("diff", "--cached", "--name-only")).toBe("");
});

test("a commit between the collecting and the merging is named and left alone", async () => {
  const repo = place();
  const workplace = await repo.open();
  await workplace.change.prepare();
  repo.write("src/a.ts", "judged\n");
  const candidate = await workplace.change.collect();
  repo.git("commit", "--quiet", "--all", "--message=mine");
  expect(await workplace.settlement.merge(candidate)).toContain("git: refs/heads/main");
  expect(repo.git("log", "-1", "--format=%s")).toBe("mine\n");
  expect(repo.git("status", "--porcelain")).toBe("?? notes.txt\n");
});

test("commits and stashes that are put back can still be found", async () => {
  const repo = place();
  const workplace = await repo.open();
  await workplace.change.prepare();
  repo.write("src/a.ts", "committed by somebody\n");
  repo.git("commit", "--quiet", "--all", "--message=mine");
  const commit = repo.git("rev-parse", "HEAD").trim();
  repo.write("src/b.ts", "stashed by somebody\n");
  repo.git("stash");
  const stash = repo.git("rev-parse", "stash").trim();
  await workplace.settlement.discard();
  expect(() => repo.git("cat-file", "-e", commit)).toThrow(/Command failed/);
  const alternates = join(repo.state, "rescued", "objects");
  const shown = (name: string): string =>
    execFileSync("git", ["show", name], {
      cwd: repo.root,
      encoding: "utf8",
      env: { ...process.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates },
    });
  expect(shown(`${commit}:src/a.ts`)).toBe("committed by somebody\n");
  expect(shown(`${stash}:src/b.ts`)).toBe("stashed by somebody\n");
  const log = readFileSync(join(repo.state, "rescued", "refs.log"), "utf8");
  expect(log).toContain(`refs/heads/main "${commit}"`);
  expect(log).toContain(`refs/stash "${stash}"`);
});

test("an edit that nobody has kept is copied before it is reverted, and kept work is not copied again", async () => {
  const repo = place();
  const workplace = await repo.open();
  await workplace.change.prepare();
  const remembered = await workplace.change.observe();
  repo.write("src/a.ts", "edited while a check ran\n");
  await workplace.change.bringBack(remembered);
  expect(repo.read("src/a.ts")).toBe("one\ntwo\n");
  const rescued = join(repo.state, "rescued", "files");
  const [first = ""] = readdirSync(rescued);
  expect(readFileSync(join(rescued, first, "src/a.ts"), "utf8")).toBe("edited while a check ran\n");

  repo.write("src/a.ts", "the work\n");
  await workplace.change.collect();
  repo.write("src/b.ts", "edited after the work was kept\n");
  await workplace.settlement.discard();
  const [second = ""] = readdirSync(rescued).filter((name) => name !== first);
  expect(readdirSync(join(rescued, second, "src"))).toEqual(["b.ts"]);
});

test("another process puts back what the first one remembered, and nothing else", async () => {
  const repo = place();
  const observationSha256 = await (await repo.open()).change.prepare();
  repo.write("src/a.ts", "crashed\n");
  const later = await repo.open();
  await expect(later.recovery.resume("0".repeat(64))).rejects.toThrow(RollbackError);
  await later.recovery.resume(observationSha256);
  await later.settlement.discard();
  expect(repo.read("src/a.ts")).toBe("one\ntwo\n");
});

test("a second process takes the observation over and reads only what changed", async () => {
  const repo = place();
  // Older than the clock's granularity, so that nothing has to be read again for caution.
  const past = new Date("2020-01-01");
  for (const path of ["src/a.ts", "src/b.ts"]) utimesSync(join(repo.root, path), past, past);
  await (await repo.open()).change.prepare();
  await new Promise((done) => setTimeout(done, 2_100));
  const observationSha256 = await (await repo.open()).change.prepare();
  const shim = gitShim();
  await (await repo.open()).change.prepare(observationSha256);
  expect(shim.calls()).toEqual([]);
});

test("a store that got something more is not read again", async () => {
  const repo = place();
  await (await repo.open()).change.prepare();
  await new Promise((done) => setTimeout(done, 2_100));
  const observationSha256 = await (await repo.open()).change.prepare();
  mkdirSync(join(repo.state, "judge.git", "objects", "ff"), { recursive: true });
  writeFileSync(join(repo.state, "judge.git", "objects", "ff", "more"), "");
  const shim = gitShim();
  await (await repo.open()).change.prepare(observationSha256);
  expect(shim.calls()).toEqual([]);
});

test("a store that lost something is filled again", async () => {
  const repo = place();
  await (await repo.open()).change.prepare();
  const objects = join(repo.state, "judge.git", "objects");
  for (const folder of readdirSync(objects)) rmSync(join(objects, folder), { recursive: true });
  const workplace = await repo.open();
  await workplace.change.prepare();
  rmSync(join(repo.root, "src"), { recursive: true });
  await workplace.settlement.discard();
  expect(repo.read("src/a.ts")).toBe("one\ntwo\n");
});

test("what an observation and a judgement cost in git processes does not grow", async () => {
  const repo = place();
  const workplace = await repo.open();
  const first = gitShim();
  await workplace.change.prepare();
  expect(first.calls()).toEqual([]);
  repo.write("src/a.ts", "edited\n");
  const tracked = gitShim();
  await workplace.change.collect();
  expect(tracked.calls()).toEqual(["diff-tree"]);
  repo.write("src/new.ts", "new\n");
  const untracked = gitShim();
  await workplace.change.collect();
  expect(untracked.calls()).toEqual(["check-ignore", "diff-tree"]);
  const discard = gitShim();
  await workplace.settlement.discard();
  expect(discard.calls()).toEqual([]);
});
