/** Proofs with real SSH keys: what is signed, who may sign, and what `relais judge --require-proof` refuses. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { verifyHistory } from "../../lab/second-judge/verify-history.mjs";
import { tickRepository, type TickRepository } from "../support/tick-repository.ts";
import { relais } from "../support/in-process.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { treeWorld } from "../support/tree-world.ts";

const EDIT = [{ do: "write", path: "src/x.ts", text: "new\n" }];
const OUTSIDE = [{ do: "write", path: "docs/x.md", text: "new\n" }];

function makeKey(path: string): string {
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path]);
  return readFileSync(`${path}.pub`, "utf8").trim();
}

interface Signing extends TickRepository {
  readonly start: string;
  readonly key: string;
  readonly judge: (...args: string[]) => Promise<{ readonly status: number | null; readonly findings: string[] }>;
}

const Judged = v.looseObject({ code: v.string(), findings: v.optional(v.array(v.looseObject({ rule: v.string() }))) });

/** A repository whose ticks are committed and signed, with the signers in its first commit. */
function signingRepository(config: object = {}): Signing {
  const repository = tickRepository({ config: { git: { commit: "always" }, ...config } });
  const { box, root, git } = repository;
  const key = join(box, "id_relais");
  const known = makeKey(key);
  writeFileSync(join(root, "signers"), `me@example.org namespaces="relais" ${known}\n`);
  const path = join(root, "relais.config.json");
  const settings = v.parse(v.looseObject({}), JSON.parse(readFileSync(path, "utf8")));
  writeFileSync(path, JSON.stringify({ ...settings, journal: { sign: key, allowed_signers: "signers" } }));
  git("add", "-A");
  git("commit", "-qm", "sign");
  const start = git("rev-parse", "HEAD").trim();
  const judge: Signing["judge"] = async (...args) => {
    const { status, document } = await repository.ask("judge", "--range", `${start}..HEAD`, "--require-proof", ...args);
    const { code, findings = [] } = v.parse(Judged, document);
    return { status, findings: status === 0 ? [] : [code, ...findings.map(({ rule }) => rule)] };
  };
  return { ...repository, start, key, judge };
}

const NOT_FOR_THIS = /^Its proof was not made for this commit by an allowed signer/;

describe("a commit of relais", () => {
  test("carries a proof that CI accepts, and the history has the statement that ssh-keygen reads", async () => {
    const repository = signingRepository();
    const run = await repository.tick(EDIT);
    expect(repository.git("log", "-1", "--format=%(trailers:key=Relais-Proof,valueonly)")).toMatch(
      new RegExp(`^1 ${run} SUCCESS [0-9a-f]{64} [0-9a-f]{64} [A-Za-z0-9+/]+=*\\s*$`),
    );
    expect(await repository.judge()).toEqual({ status: 0, findings: [] });
    const said = await repository.relais("judge", "--range", `${repository.start}..HEAD`, "--require-proof");
    expect(said.stdout).toContain("The commit carries a proof of an allowed signer.");
    const folder = join(repository.root, "relais/history", run);
    const statement = readFileSync(join(folder, "proof.txt"), "utf8");
    const tree = repository.git("rev-parse", "HEAD^{tree}").trim();
    expect(statement).toContain(`\nbase ${repository.start}\ntree ${tree}\nevidence `);
    const asked = ["-Y", "verify", "-f", "signers", "-I", "me@example.org", "-n", "relais", "-s"];
    const args = [...asked, join(folder, "proof.txt.sig")];
    const verified = spawnSync("ssh-keygen", args, { cwd: repository.root, input: statement, encoding: "utf8" });
    expect(verified).toMatchObject({ status: 0 });
    expect(verifyHistory({ root: repository.root }).ticks).toMatchObject([{ result: "agrees" }]);
  });

  test("has its proof too where a person accepts the change", async () => {
    const repository = signingRepository({ git: { commit: "loop" } });
    await repository.tick(EDIT);
    expect((await repository.relais("accept")).status).toBe(0);
    expect(await repository.judge()).toEqual({ status: 0, findings: [] });
  });

  test("is the one of its whole history: each commit of several ticks has its own", async () => {
    const repository = signingRepository();
    await repository.tick(EDIT);
    await repository.tick([{ do: "write", path: "src/y.ts", text: "more\n" }]);
    expect(repository.git("rev-list", "--count", `${repository.start}..HEAD`).trim()).toBe("2");
    expect(await repository.judge()).toEqual({ status: 0, findings: [] });
  });
});

describe("what CI refuses, by commit", () => {
  test("a commit of a person", async () => {
    const repository = signingRepository();
    repository.commit({ "src/x.ts": "mine\n" });
    expect(await repository.judge()).toEqual({
      status: 10,
      findings: ["STOP_PROOF_MISSING", "It has no proof (no trailer `Relais-Proof`)."],
    });
  });

  test.for([
    { shows: "another tree", edit: ["commit", "-q", "--amend", "--no-edit", "--all"] },
    { shows: "the proof of another commit", edit: ["commit", "-q", "--all", "--reuse-message=HEAD"] },
  ])("$shows", async ({ edit }) => {
    const repository = signingRepository();
    await repository.tick(EDIT);
    writeFileSync(join(repository.root, "src/y.ts"), "hidden\n");
    repository.git(...edit);
    expect(await repository.judge()).toEqual({
      status: 10,
      findings: ["STOP_PROOF_MISSING", expect.stringMatching(NOT_FOR_THIS)],
    });
  });

  test("the same tree on another parent", async () => {
    const repository = signingRepository();
    await repository.tick(EDIT);
    const [tree, message] = [repository.git("rev-parse", "HEAD^{tree}"), repository.git("log", "-1", "--format=%B")];
    repository.git("checkout", "-q", repository.start);
    repository.git("commit", "-q", "--allow-empty", "-m", "in between");
    const moved = repository.git("commit-tree", tree.trim(), "-p", "HEAD", "-m", message).trim();
    repository.git("reset", "-q", "--hard", moved);
    const { status, findings } = await repository.judge();
    expect({ status, findings }).toEqual({
      status: 10,
      findings: ["STOP_PROOF_MISSING", expect.stringMatching(/no proof/), expect.stringMatching(NOT_FOR_THIS)],
    });
  });

  test("another key, another namespace, and a key that only the change allows", async () => {
    const repository = signingRepository();
    await repository.tick(EDIT);
    const other = makeKey(join(repository.box, "id_other"));
    const own = readFileSync(`${repository.key}.pub`, "utf8").trim();
    const signers = join(repository.box, "signers");
    const ask = async (line: string) => {
      writeFileSync(signers, `${line}\n`);
      return repository.judge("--allowed-signers", signers);
    };
    const refused = { status: 10, findings: ["STOP_PROOF_MISSING", expect.stringMatching(NOT_FOR_THIS)] };
    expect(await ask(`me@example.org ${other}`)).toEqual(refused);
    expect(await ask(`me@example.org namespaces="git" ${own}`)).toEqual(refused);
    expect(await ask(`me@example.org ${own}`)).toEqual({ status: 0, findings: [] });
  });

  test("a proof whose numbers were edited", async () => {
    const repository = signingRepository();
    await repository.tick(EDIT);
    const message = repository
      .git("log", "-1", "--format=%B")
      .replace(/ SUCCESS [0-9a-f]{64}/, ` SUCCESS ${"0".repeat(64)}`);
    repository.git("commit", "-q", "--amend", "-m", message);
    expect((await repository.judge()).findings).toEqual(["STOP_PROOF_MISSING", expect.stringMatching(NOT_FOR_THIS)]);
  });

  test("it is asked for a range, with a list of signers", async () => {
    const repository = tickRepository();
    const { relais: run } = repository;
    expect(await run("judge", "--require-proof")).toMatchObject({ status: 2, stderr: /needs --range/ });
    expect(await run("judge", "--allowed-signers", "x")).toMatchObject({ status: 2 });
    const { status, document } = await repository.ask("judge", "--range", "HEAD..HEAD", "--require-proof");
    expect({ status, document }).toMatchObject({ status: 11, document: { cause: "signers_missing" } });
    const missing = ["--allowed-signers", join(repository.box, "none")];
    const named = await repository.ask("judge", "--range", "HEAD..HEAD", "--require-proof", ...missing);
    expect(named).toMatchObject({ status: 11, document: { cause: "signers_missing" } });
  });
});

describe("a key that does not work", () => {
  test("blocks a tick before anybody is paid, and doctor says so", async () => {
    const repository = signingRepository();
    rmSync(repository.key);
    writeFileSync(join(repository.box, "task.json"), JSON.stringify(repository.task(EDIT)));
    const { status, document } = await repository.ask("run", "--task", join(repository.box, "task.json"));
    expect({ status, document }).toMatchObject({
      status: 11,
      document: { code: "BLOCKED_MISSING_CONFIG", cause: "signing_key_unusable", budgets: { builder_calls: 0 } },
    });
    const doctor = await repository.relais("doctor");
    expect(doctor.stdout).toMatch(/signing[^]*journal\.sign\s+cannot\s+sign/);
  });

  test("is told by doctor where it works", async () => {
    const repository = signingRepository();
    expect((await repository.relais("doctor")).stdout).toMatch(/signing.*signs\s+every\s+settled\s+tick/s);
  });

  test("that breaks during a tick keeps its commit from being made, and the change is in salvage", async () => {
    const repository = signingRepository();
    const script = join(repository.box, "builder.sh");
    writeFileSync(script, `rm -f ${repository.key}\nprintf 'new\\n' > src/x.ts\n`);
    const task = { ...repository.task([]), builder: { mode: "command", max_turns: 1, instructions: "x" } };
    const path = join(repository.root, "relais.config.json");
    const settings = v.parse(v.looseObject({}), JSON.parse(readFileSync(path, "utf8")));
    const builder = { default_mode: "command", command: { command: "sh", args: [script] } };
    writeFileSync(path, JSON.stringify({ ...settings, builder }));
    repository.git("commit", "-qam", "a program");
    const before = repository.git("rev-parse", "HEAD");
    writeFileSync(join(repository.box, "task.json"), JSON.stringify(task));
    const { status, document } = await repository.ask("run", "--task", join(repository.box, "task.json"));
    expect({ status, document }).toMatchObject({
      status: 10,
      document: { code: "STOP_INTERRUPTED", cause: "signing_failed", settle: { action: "rollback", commit: null } },
    });
    expect(repository.git("rev-parse", "HEAD")).toBe(before);
    expect(repository.git("status", "--porcelain")).toBe("");
    expect(readFileSync(join(repository.root, "src/x.ts"), "utf8")).toBe("old\n");
    expect(readdirSync(join(repository.state(), "salvage"))).toHaveLength(1);
  });
});

test("a reverted tick is signed in its history, and nothing is signed without a key", async () => {
  const repository = signingRepository();
  const run = await repository.tick(OUTSIDE, "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED");
  const statement = readFileSync(join(repository.root, "relais/history", run, "proof.txt"), "utf8");
  expect(statement).toMatch(/\ncode STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED\nbase [0-9a-f]+\ntree none\n/);
  const plain = tickRepository({ config: { git: { commit: "always" } } });
  const other = await plain.tick(EDIT);
  expect(existsSync(join(plain.root, "relais/history", other, "proof.txt"))).toBe(false);
  expect(plain.git("log", "-1", "--format=%B")).not.toContain("Relais-Proof");
});

test("in a tree, notes about a reverted iteration are proven, and a failed attempt that is kept is not", async () => {
  const key = join(scratchFolder(), "key");
  const world = treeWorld({
    turns: ["echo secret > .env\nresult done", "echo wrong > src/x.ts\nresult done"],
    files: { signers: `me@example.org ${makeKey(key)}\n` },
    config: { journal: { sign: key, allowed_signers: "signers" } },
  });
  const start = world.git("rev-parse", "HEAD").trim();
  const ask = async () => {
    const { stdout } = await relais(["judge", "--range", `${start}..HEAD`, "--require-proof", "--json"], {
      cwd: world.root,
      env: { HOME: world.box, XDG_STATE_HOME: join(world.box, "state") },
    });
    const { findings = [] } = v.parse(Judged, JSON.parse(stdout));
    return findings.filter(({ gate }) => gate === "proof").map(({ rule }) => rule);
  };
  expect((await world.iterate("step")).reports).toMatchObject([{ settle: { action: "rollback" } }]);
  expect(world.git("diff", "--name-only", start, "HEAD").trim()).toBe("relais/tree.json");
  expect(world.git("log", "-1", "--format=%B")).toMatch(/^Relais-Proof: 1 \S+ NOTES /m);
  expect(await ask()).toEqual([]);
  expect((await world.iterate("step")).reports).toMatchObject([{ settle: { action: "commit" } }]);
  expect(await ask()).toEqual(["It was judged, and its tick ended with STOP_GUARD_FAILED."]);
});

test("no agent may change who may sign", async () => {
  const repository = signingRepository();
  const path = join(repository.box, "task.json");
  const task = repository.task([{ do: "write", path: "signers", text: "* ssh-ed25519 AAAA\n" }]);
  writeFileSync(path, JSON.stringify({ ...task, scope: { ...ALL, allowed_globs: ["**"] } }));
  const { stdout } = await relais(["run", "--task", path, "--json"], {
    cwd: repository.root,
    env: { HOME: repository.box, XDG_STATE_HOME: join(repository.box, "state") },
  });
  expect(JSON.parse(stdout)).toMatchObject({ code: "STOP_RUNNER_OWNED_MUTATION" });
});

const ALL = { forbidden_globs: [], allow_new_files: true, allow_lockfile_changes: false };
