import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { executable } from "../support/relais.ts";
import { tickRepository, type TickRepository } from "../support/tick-repository.ts";

const OUTSIDE = "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED";
const WRITE = { do: "write", path: "src/x.ts", text: "new \u001b[31mred\n" };
const STRAY = { do: "write", path: "README", text: "outside\n" };

test("the ticks are listed newest first, and one is shown by a part of its name", async () => {
  const repository = tickRepository();
  expect(await repository.relais("history")).toMatchObject({
    status: 0,
    stdout: "No ticks yet.\n",
  });
  for (const action of ["show", "diff"])
    expect(await repository.ask("history", action)).toMatchObject({
      status: 10,
      document: { cause: "nothing_there" },
    });
  const refused = await repository.tick([STRAY], OUTSIDE);
  const kept = await repository.tick([WRITE]);
  const { stdout } = await repository.relais("history", "list");
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(new RegExp(`${kept} {2}✓ SUCCESS +Make x new$`)),
    expect.stringMatching(new RegExp(`${refused} {2}✗ ${OUTSIDE} +Make x new$`)),
    "",
  ]);
  expect((await repository.ask("history")).document).toMatchObject({
    total: 2,
    ticks: [
      { run_id: kept, code: "SUCCESS", action: "accept", commit: null, undone: false },
      { run_id: refused, code: OUTSIDE, action: "rollback" },
    ],
  });
  expect((await repository.relais("history", "show")).stdout).toContain(`run        ${kept}, series ${kept}`);
  expect((await repository.ask("history", "show", refused.slice(-8))).document).toMatchObject({
    run_id: refused,
    meta: { code: OUTSIDE },
    report: { findings: [{ subject: "README" }] },
    files: expect.arrayContaining([{ name: "evidence.json", bytes: expect.any(Number) }]),
    decision: null,
  });
  expect(await repository.ask("history", "show", "20")).toMatchObject({
    status: 2,
    document: { error: "usage", problems: [kept, refused] },
  });
  rmSync(join(repository.root, "relais/history", kept), { recursive: true });
  expect(await repository.ask("history", "show", kept)).toMatchObject({
    status: 10,
    document: { cause: "history_damaged", run_id: kept },
  });
});

/** What the command prints when a person sits before it. */
async function onTerminal({ root, box }: TickRepository, args: readonly string[]): Promise<string> {
  let said = "";
  const out = (text: string | Uint8Array): void => {
    said += Buffer.from(text).toString("utf8");
  };
  const { signal } = new AbortController();
  const env = { ...process.env, XDG_STATE_HOME: join(box, "state"), NO_COLOR: "1" };
  const relais = [process.execPath, executable] as const;
  const terminal = { cwd: root, out, err: out, isTerminal: true, env, relais, signal };
  expect(await main(args, terminal)).toBe(0);
  return said;
}

test("a diff is the patch to the last byte in a pipe, and harmless on a terminal", async () => {
  const repository = tickRepository({ files: { "src/latin": "caf\n" } });
  const latin = { do: "run", argv: ["sh", "-c", "printf 'caf\\351\\n' > src/latin"] };
  await repository.tick([WRITE, latin]);
  const changed = readFileSync(join(repository.root, "src/x.ts"));
  const patch = join(repository.box, "patch");
  repository.git("checkout", "--quiet", "--", ".");
  // Through a shell, because only raw bytes show that the patch is exact.
  const env = { ...process.env, XDG_STATE_HOME: join(repository.box, "state"), PATCH: patch };
  execFileSync("sh", ["-c", `"${process.execPath}" "${executable}" history diff > "$PATCH"`], {
    cwd: repository.root,
    env,
  });
  repository.git("apply", patch);
  expect(readFileSync(join(repository.root, "src/x.ts"))).toEqual(changed);
  expect(readFileSync(join(repository.root, "src/latin"), "latin1")).toBe("caf\u00e9\n");
  expect(await onTerminal(repository, ["history", "diff"])).toContain("\n+new \\u{1b}[31mred\n");
  const { document } = await repository.ask("history", "diff");
  expect(document).toMatchObject({ patch_base64: readFileSync(patch).toString("base64") });
});

test("a tick that changed nothing has an empty diff, and one that never began has none", async () => {
  const repository = tickRepository();
  await repository.tick([]);
  expect(await repository.relais("history", "diff")).toEqual({ status: 0, stdout: "", stderr: "" });
  repository.put({ mine: "mine\n" });
  const runId = await repository.tick([], "BLOCKED_DIRTY_WORKTREE");
  expect(await repository.ask("history", "diff")).toMatchObject({
    status: 10,
    document: { cause: "no_patch", run_id: runId },
  });
});

const sha256 = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");

test("every verdict replays, and one changed byte of evidence is named with both hashes", async () => {
  const repository = tickRepository();
  expect(await repository.relais("history", "replay")).toMatchObject({
    status: 0,
    stdout: "No ticks in the history.\n",
  });
  const refused = await repository.tick([STRAY], OUTSIDE);
  repository.put({ mine: "mine\n" });
  const blocked = await repository.tick([WRITE], "BLOCKED_DIRTY_WORKTREE");
  rmSync(join(repository.root, "mine"));
  const kept = await repository.tick([WRITE]);
  expect(await repository.relais("history", "replay")).toEqual({
    status: 0,
    stderr: "",
    stdout: [
      `✓ ${kept}  SUCCESS`,
      `- ${blocked}  ended before the judgement`,
      `✓ ${refused}  ${OUTSIDE}`,
      "",
      "3 ticks as recorded.",
      "",
    ].join("\n"),
  });
  const path = join(repository.root, "relais/history", refused, "evidence.json");
  const expected = sha256(path);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace("README", "READMF"));
  const { status, stdout } = await repository.relais("history", "replay", refused);
  expect(status).toBe(10);
  expect(stdout).toMatch(new RegExp(`^✗ ${refused} {2}evidence\\.json differs at byte \\d+\\n`));
  expect(stdout).toContain(`\n    sha256 expected ${expected}\n    sha256 found    ${sha256(path)}\n`);
  expect((await repository.relais("history", "replay", "-q")).stdout).not.toContain(kept);
  expect(await repository.ask("history", "replay")).toMatchObject({
    status: 10,
    document: {
      same: false,
      ticks: [
        { run_id: kept, result: "same", code: "SUCCESS", hash_checked: true },
        { run_id: blocked, result: "nothing_judged" },
        {
          run_id: refused,
          result: "differs",
          file: "evidence.json",
          sha256: { recorded: expected, found: sha256(path) },
        },
      ],
    },
  });
  rmSync(path);
  expect(await repository.relais("history", "replay", refused)).toMatchObject({
    status: 10,
    stdout: expect.stringContaining("evidence.json is damaged: it is missing"),
  });
});
