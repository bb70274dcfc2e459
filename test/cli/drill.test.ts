/** `relais drill` as a process: against a good configuration, a weak one, and a relais with a gate that is switched off. */
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { findStrays } from "../../src/io/drill/strays.ts";
import { environmentOf, executable } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { differences, walk } from "../support/walker.ts";

interface Printed {
  readonly ok: boolean;
  readonly places: readonly { readonly place: string }[];
  readonly results: readonly {
    readonly id: string;
    readonly outcome: string;
    readonly code: string | null;
    readonly details: readonly string[];
    readonly setting: { readonly key: string; readonly value: unknown } | null;
  }[];
}

/** A repository with a commit, and a folder for temporary files that must be empty afterwards. */
function makeGround(config: object | null = null) {
  const box = realpathSync(scratchFolder());
  const [root, temporary] = [join(box, "repo"), join(box, "tmp")];
  for (const folder of [root, temporary]) mkdirSync(folder);
  writeFileSync(join(root, "main.c"), "int main(void) { return 0; }\n");
  if (config !== null) writeFileSync(join(root, "relais.config.json"), JSON.stringify(config));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, env: gitEnvironment(box) });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "first");
  return { box, root, temporary, look: () => walk({ folder: box, worktrees: ["repo"] }) };
}

type Ground = ReturnType<typeof makeGround>;

function start({ box, root, temporary }: Ground, args: readonly string[], program = executable) {
  const env = { ...environmentOf({ cwd: box }), TMPDIR: temporary };
  return spawn(process.execPath, [program, "drill", ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
}

async function drill(ground: Ground, args: readonly string[], program = executable) {
  const child = start(ground, args, program);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}

const parse = (stdout: string): Printed => JSON.parse(stdout);
const OUTSIDE = ["--case", "files/outside-the-scope"];

test("a good configuration holds everything, and the repository and the machine are as before", async () => {
  const ground = makeGround();
  const before = ground.look();
  const cases = [...OUTSIDE, "--case", "git/commit", "--case", "honest/written-anew"];
  const { status, stdout, stderr } = await drill(ground, [...cases, "--json"]);
  expect(stderr).toBe("");
  const { ok, places, results } = parse(stdout);
  expect({ ok, status }).toEqual({ ok: true, status: 0 });
  expect(places.map(({ place }) => place)).toContain("in_place");
  expect(results).toHaveLength(3 * places.length);
  expect(new Set(results.map(({ outcome }) => outcome))).not.toContain("escaped");
  expect(results.filter(({ id }) => id === "honest/written-anew").map(({ outcome }) => outcome)).toContain("passed");
  expect(differences(before, ground.look())).toEqual([]);
  expect(readdirSync(ground.temporary)).toEqual([]);
});

test("a relais with a gate that is switched off lets a builder through, and the drill says so", async () => {
  const ground = makeGround();
  const weak = join(ground.box, "weak");
  cpSync(dirname(executable), weak, { recursive: true });
  const parts = join(weak, "parts");
  const isWeakened = readdirSync(parts).filter((name) => {
    const code = name.endsWith(".cjs") ? readFileSync(join(parts, name), "utf8") : "";
    const open = code.replace(/(id:[`"']allowed-scope[`"'],refuse:\w+=>)/u, "$1[]??");
    if (open !== code) writeFileSync(join(parts, name), open);
    return open !== code;
  });
  expect(isWeakened).toHaveLength(1);
  const { status, stdout } = await drill(ground, [...OUTSIDE, "--json"], join(weak, basename(executable)));
  const { ok, results } = parse(stdout);
  expect({ ok, status }).toEqual({ ok: false, status: 10 });
  expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => "escaped"));
  expect(results[0]?.details).toContain("the working tree: docs/guide.md: content");
  expect(readdirSync(ground.temporary)).toEqual([]);
});

test("what only another setting stops is listed with its key, and fails with --strict", async () => {
  const ground = makeGround({ ignored: "allow" });
  const args = ["--case", "files/ignored-file-deleted"];
  const { status, stdout } = await drill(ground, [...args, "--json"]);
  expect(status).toBe(0);
  const { results } = parse(stdout);
  expect(results.map(({ outcome, setting }) => ({ outcome, key: setting?.key }))).toEqual(
    results.map(() => ({ outcome: "needs_setting", key: "ignored" })),
  );
  const strict = await drill(ground, [...args, "--strict"]);
  expect(strict.status).toBe(10);
  expect(strict.stdout).toContain("Another setting stops these:");
  expect(strict.stdout).toContain("`ignored`: its default.");
});

test("Ctrl-C ends it, and nothing is left", async () => {
  const ground = makeGround();
  const child = start(ground, ["--class", "processes", "--plain"]);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  child.stdout.resume();
  for await (const chunk of child.stderr) if (String(chunk).includes("processes/")) break;
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(readdirSync(ground.temporary)).toEqual([]);
  mkdirSync(join(ground.temporary, "pids"));
  expect(findStrays(ground.temporary)).toEqual([]);
});

test("a builder that does not exist is a mistake, and the class is listed", async () => {
  const { status, stderr } = await drill(makeGround(), ["--case", "git/nothing-like-this"]);
  expect(status).toBe(2);
  expect(stderr).toContain("there is no builder git/nothing-like-this");
  expect(stderr).toContain("git/commit");
});
