/** The states of the first hour: each hint that is printed is typed, and works. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sentenceWorld, type SentenceWorld } from "../support/sentence-world.ts";

const LOGGED_IN = { agents: { claude: "in" } } as const;

/** The commands of the last list of next steps, as a person copies them. */
function listHints(stdout: string): readonly string[] {
  const lines = stdout.slice(stdout.lastIndexOf("\nNext:")).split("\n");
  return lines.flatMap(
    (line) => /^ {2}(?<command>(?:relais|git) .*?)(?: {2,}.*)?$/u.exec(line)?.groups?.["command"] ?? [],
  );
}

/** Types one line; relais is in this process, all else in a shell. */
async function type(world: SentenceWorld, line: string): Promise<number | null> {
  if (!line.startsWith("relais ")) {
    execFileSync("/bin/sh", ["-c", line], {
      cwd: world.root,
      stdio: "ignore",
      env: { ...process.env, HOME: world.box },
    });
    return 0;
  }
  const words = [...line.matchAll(/"(?<quoted>[^"]*)"|(?<plain>\S+)/gu)].map(
    ({ groups }) => groups?.["quoted"] ?? groups?.["plain"] ?? "",
  );
  return (await world.relais(...words.slice(1))).status;
}

/** Types the hints one after the other. */
async function follow(world: SentenceWorld, stdout: string, expected: readonly string[]): Promise<void> {
  expect(listHints(stdout)).toEqual(expected);
  for (const line of expected) expect([line, await type(world, line)]).toEqual([line, 0]);
}

const SENTENCE = 'relais run "say what to change"';
const wasPaid = ({ box }: SentenceWorld) => existsSync(join(box, "bin/claude.args"));

test("fresh: the status leads to the first tick", async () => {
  const world = sentenceWorld(LOGGED_IN);
  await follow(world, (await world.relais("status")).stdout, ["relais status --preflight", SENTENCE]);
  expect(world.git("status", "--porcelain")).toBe("M src/greet.js");
});

test.each([[["init"]], [["init", "--full"]]])("after %j, every hint works", async (args) => {
  const world = sentenceWorld(LOGGED_IN);
  const { status, stdout } = await world.relais(...args);
  expect(status).toBe(0);
  await follow(world, stdout, ["relais init --commit", "relais doctor", SENTENCE]);
});

test("without an agent, the judge reports nothing of relais' own files", async () => {
  const world = sentenceWorld();
  const { stdout } = await world.relais("init", "--full");
  expect(listHints(stdout).at(-1)).toBe("relais judge");
  expect(await world.ask("judge")).toMatchObject({ status: 0, document: { touched_paths: [] } });
  world.put({ "src/greet.js": "mine\n", "relais/mine.md": "mine\n" });
  expect(await world.ask("judge")).toMatchObject({
    status: 10,
    document: { touched_paths: ["relais/mine.md", "src/greet.js"] },
  });
  world.git("clean", "--quiet", "-d", "--force", "relais/mine.md");
  expect(await world.ask("judge", "--staged")).toMatchObject({ status: 0 });
  expect((await world.relais("init", "--commit")).status).toBe(0);
  // Committed files are judged like any other.
  world.put({ "relais.config.json": "{}\n" });
  expect(await world.ask("judge")).toMatchObject({ status: 10 });
});

test("an uncommitted configuration has its own hint, and nobody is told to stash it", async () => {
  const world = sentenceWorld(LOGGED_IN);
  await world.relais("init");
  for (const command of [["run", "Fix it."], ["run"], ["loop"]]) {
    const { status, stdout } = await world.relais(...command);
    expect(status).toBe(11);
    expect(stdout).toContain("Not committed: relais.config.json.");
    expect(stdout).not.toContain("stash");
    expect(listHints(stdout)[0]).toBe("relais init --commit");
  }
  expect(await type(world, "relais init --commit")).toBe(0);
  expect(await type(world, SENTENCE)).toBe(0);
});

test("beside other changes, the configuration is committed first and survives the stash", async () => {
  const world = sentenceWorld(LOGGED_IN);
  await world.relais("init");
  world.put({ "src/greet.js": "mine\n", "src/new.js": "mine\n" });
  const first = (await world.relais("run", "Fix it.")).stdout;
  expect(first).not.toContain("stash");
  expect(await type(world, listHints(first)[0] ?? "")).toBe(0);
  const second = listHints((await world.relais("status", "--preflight")).stdout);
  expect(second).toEqual(["git stash -u"]);
  for (const line of second) await type(world, line);
  expect(world.git("status", "--porcelain")).toBe("");
  expect(existsSync(join(world.root, "relais.config.json"))).toBe(true);
  expect(await type(world, SENTENCE)).toBe(0);
});

test("a deleted configuration is no new one", async () => {
  const world = sentenceWorld(LOGGED_IN);
  await world.relais("init", "--commit");
  rmSync(join(world.root, "relais.config.json"));
  expect(await world.ask("status", "--preflight")).toMatchObject({ document: { preflight: { cause: "dirty" } } });
});

test.each([["loop"], ["run"]])(
  "without a goal, the hint of `%s` makes one, and nobody is paid before",
  async (command) => {
    const world = sentenceWorld(LOGGED_IN);
    await world.relais("init", "--commit");
    const blocked = await world.relais(command);
    expect(blocked.status).toBe(11);
    expect(blocked.stdout).toContain("relais/GOAL.md does not exist.");
    expect(listHints(blocked.stdout)[0]).toBe("relais eject GOAL.md");
    const made = await world.relais("eject", "GOAL.md");
    expect(made.status).toBe(0);
    // A goal that says nothing is not paid for either.
    await world.relais("init", "--commit");
    const empty = await world.relais(command);
    expect(empty.stdout).toContain("relais/GOAL.md is empty.");
    expect(await type(world, listHints(empty.stdout)[0] ?? "")).toBe(0);
    expect(wasPaid(world)).toBe(false);
    world.put({ "relais/GOAL.md": "# Goal\n\nGreet the world.\n" });
    await follow(world, made.stdout, ["relais init --commit"]);
    expect(world.git("status", "--porcelain")).toBe("");
    expect((await world.relais(command)).stdout).not.toContain("GOAL.md");
    expect(wasPaid(world)).toBe(true);
  },
);

test("eject lists the names, finds the nearest one, and lets git see what it writes", async () => {
  const world = sentenceWorld(LOGGED_IN);
  await world.relais("run", "Fix it.");
  await world.relais("undo");
  expect(world.git("status", "--porcelain")).toBe("");
  const listed = (await world.relais("eject")).stdout;
  expect(listed).toMatch(/^ {2}GOAL\.md +not written$/m);
  expect(listed).toMatch(/^ {2}prompts\/builder\.user\.txt +not written$/m);
  const misspelt = await world.relais("eject", "biulder.user.txt");
  expect(misspelt.status).toBe(2);
  expect(misspelt.stderr).toContain("did you mean builder.user.txt?");
  for (const name of ["builder.user.txt", "schemas/task.schema.json", "relais/FACTS.md"])
    expect((await world.relais("eject", name)).status).toBe(0);
  const seen = world.git("status", "--porcelain", "--untracked-files=all");
  expect(seen.split("\n").map((line) => line.slice(3))).toEqual([
    "relais/.gitignore",
    "relais/FACTS.md",
    "relais/prompts/builder.user.txt",
    "relais/schemas/task.schema.json",
  ]);
  expect(world.read("relais/prompts/builder.user.txt")).toBe(readFileSync("prompts/builder.user.txt", "utf8"));
  world.put({ "relais/prompts/builder.user.txt": "Mine: {{TASK_JSON}}\n" });
  const again = await world.relais("eject", "builder.user.txt");
  expect(again.stdout).toContain("= relais/prompts/builder.user.txt (unchanged)");
  expect(world.read("relais/prompts/builder.user.txt")).toBe("Mine: {{TASK_JSON}}\n");
  expect((await world.relais("eject")).stdout).toMatch(/builder\.user\.txt +relais\/prompts\/builder\.user\.txt$/m);
  await follow(world, again.stdout, ["relais init --commit"]);
  // The prompt of the workspace wins.
  expect((await world.relais("run", "Fix it.", "--dry-run")).stdout).toContain("Mine: ");
});
