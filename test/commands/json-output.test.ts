/** What every command prints with `--json` is what its published schema says, failures included. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/command-list.ts";
import { inCampaignWorld } from "../support/campaign-world.ts";
import { inGoalWorld } from "../support/goal-world.ts";
import { ASK, untilAsked } from "../support/held-world.ts";
import { accepts } from "../support/json-schema.ts";
import { goodStep, inLoopWorld, type LoopWorld, stepOf, STOP } from "../support/loop-world.ts";
import { relais } from "../support/in-process.ts";
import { speakProtocol } from "../support/mcp-client.ts";
import { type Ran } from "../support/relais.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { inWorld } from "../support/scenario.ts";
import { GOOD_EDIT, taskOf } from "../support/scenario-documents.ts";
import type { World } from "../support/scenario-world.ts";
import { scratchFolder } from "../support/scratch-repository.ts";

const FOLDER = join(import.meta.dirname, "../../schemas/cli/v1");
const schemaOf = (name: string): unknown => JSON.parse(readFileSync(join(FOLDER, `${name}.schema.json`), "utf8"));
const documentsOf = ({ stdout }: Ran): readonly unknown[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** Commands that print a document a line. */
const OF_MANY_LINES = ["loop", "tree", "goal", "campaign", "log", "events", "mcp", "worker", "queue"];
/** Commands that need no repository. */
const ANYWHERE = ["ui", "explain", "completions", "demo", "mcp", "queue", "worker", "fetch"];
/** By command: what it was asked, and what came of it. */
const samples = new Map<string, { readonly args: string; readonly ran: Ran }[]>();

function keep(args: readonly string[], ran: Ran): Ran {
  const [name = ""] = args;
  samples.set(name, [...(samples.get(name) ?? []), { args: args.join(" "), ran }]);
  return ran;
}

/** Runs a command with `--json` and keeps what it printed. */
const sample = async (world: World, ...args: string[]): Promise<Ran> =>
  keep(args, await world.relais([...args, "--json"]));

function task(world: World, name: string, document: object): string {
  const path = join(world.box, name);
  writeFileSync(path, JSON.stringify(document));
  return path;
}

async function oneTickAfterTheOther(world: World): Promise<void> {
  const file = join(world.box, "task.json");
  await sample(world, "status", "--preflight");
  await sample(world, "salvage", "show");
  await sample(world, "answer", "nobody asked");
  await sample(world, "run", "--task", file, "--dry-run");
  await sample(world, "run", "--task", file);
  await sample(world, "status");
  await sample(world, "run", "--task", file); // The change of the first still lies there.
  await sample(world, "accept");
  for (const action of ["list", "show", "diff", "replay"]) await sample(world, "history", action);
  await sample(world, "diff");
  await sample(world, "log");
  await sample(world, "ui", "--no-open", "--idle", "1");
  await sample(world, "report", "--html", join(world.box, "report.html"));
  await sample(world, "report", "nobody", "--html", join(world.box, "report.html"));
  await sample(world, "undo");
  await sample(world, "undo");
  const red = { ...taskDocument(), verification: { fast: ["red"], slow: [] } };
  await sample(world, "run", "--task", task(world, "red.json", red));
  await sample(world, "fix", "--dry-run");
  for (const action of ["list", "show", "apply"]) await sample(world, "salvage", action);
  world.git("checkout", "-q", "--", ".");
  const newest = /"run_id":"(?<id>[^"]+)"/.exec((await world.relais(["salvage", "--json"])).stdout)?.groups?.["id"];
  await sample(world, "land", newest ?? "");
  await sample(world, "land", "HEAD");
  const question = {
    task_id: "Q",
    milestone_id: "M-1",
    task_kind: "question",
    intent: "Ask.",
    question: { prompt: "Which?", choices: ["a", "b"] },
  };
  await sample(world, "run", "--task", task(world, "question.json", question));
  await sample(world, "answer", "2");
  await sample(world, "milestone", "next");
  await sample(world, "history", "prune", "--keep", "1");
  await sample(world, "history", "show", "nobody");
  await sample(world, "events");
  await sample(world, "recover");
  await sample(world, "doctor");
  await sample(world, "drill", "--case", "honest/nothing");
  await sample(world, "judge");
  await sample(world, "judge", "--history", "9");
  await sample(world, "submit", "task", file);
  await sample(world, "submit", "task", "nowhere.json");
  await sample(world, "worker", "--once", "--unsandboxed");
  await sample(world, "queue");
  await sample(world, "queue", "show", "job-");
  await sample(world, "queue", "cancel", "job-");
  await sample(world, "queue", "retry", "job-");
  await sample(world, "queue", "move", "job-", "3");
  await sample(world, "queue", "pause");
  await sample(world, "queue", "resume");
  await sample(world, "queue", "cancel", "job-");
  await sample(world, "queue", "invite", "build-1", "--repo", "https://git.example.com/team/app");
  await sample(world, "queue", "join", "nowhere.json");
  await sample(world, "queue", "rebuild");
  await sample(world, "fetch", "job-");
  for (const action of ["init", "show", "select", "validate"]) await sample(world, "tree", action);
  world.put({ "relais/tree.json": "{}" });
  await sample(world, "tree", "validate");
}

/** While a loop runs in another process, and waits in its first build. */
async function besideALoop(world: LoopWorld): Promise<void> {
  const started = world.start(["loop"]);
  while (!existsSync(join(world.box, "home", "here"))) await delay(20);
  for (const command of ["pause", "resume", "stop"]) await sample(world, command);
  await started.ended;
}

/** While a tick of another process holds its change. */
async function besideAQuestion(world: World): Promise<void> {
  for (const command of ["reject", "accept"] as const) {
    const started = world.start(["run", "--task", join(world.box, "task.json")]);
    await sample(world, command, await untilAsked(world, command === "reject" ? 1 : 2));
    await started.ended;
  }
}

const HANGING = stepOf([{ do: "run", argv: ["sh", "-c", ': > "$HOME/here"; sleep 60'] }]);

function taskDocument(): object {
  const document = taskOf({ steps: [GOOD_EDIT] });
  if (typeof document !== "object" || document === null) throw new Error("the usual task is an object");
  return document;
}

const place = realpathSync(mkdtempSync(join(tmpdir(), "relais-json-")));
afterAll(() => rmSync(place, { recursive: true, force: true }));

beforeAll(async () => {
  const loop = inLoopWorld({ plans: [goodStep(), STOP] }, async (world) => void (await sample(world, "loop")));
  const goal = inGoalWorld({}, async ({ world }) => {
    await sample(world, "goal", "One line");
    await sample(world, "goal", "report");
    await sample(world, "goal", "handoff");
  });
  const campaign = inCampaignWorld({}, async ({ world }) => {
    await sample(world, "campaign", "init", "other", "An objective");
    await sample(world, "campaign", "brainstorm", "--from", "../contract.json");
    await sample(world, "campaign", "status");
    for (const action of ["run", "status", "logs", "clean"]) await sample(world, "campaign", action, "lines");
  });
  const asked = inWorld({ steps: [GOOD_EDIT], config: ASK }, besideAQuestion);
  const held = inLoopWorld({ plans: [HANGING] }, besideALoop);
  await Promise.all([inWorld({ steps: [GOOD_EDIT] }, oneTickAfterTheOther), loop, goal, campaign, held, asked]);
  for (const args of [["explain"], ["explain", "SUCCESS"], ["explain", "stuck"], ["completions", "bash"]])
    keep(args, await relais([...args, "--json"], { cwd: place }));
  keep(["mcp"], await speakProtocol({ cwd: place, args: ["--json"] }));
  keep(["demo"], await relais(["demo", "tick", "--into", join(place, "demo"), "--json"], { cwd: place }));
  const fresh = repositoryIn(join(place, "fresh"), null);
  keep(["init"], await relais(["init", "--json"], { cwd: fresh }));
  keep(["eject"], await relais(["eject", "GOAL.md", "--json"], { cwd: fresh }));
  keep(["eject"], await relais(["eject", "--json"], { cwd: fresh }));
}, 600_000);

/** A repository with one commit and this configuration. */
function repositoryIn(folder: string, config: string | null): string {
  mkdirSync(folder, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: folder, env: { ...gitEnvironment(folder) }, stdio: "ignore" });
  git("init", "-q", "--template=");
  writeFileSync(join(folder, "package.json"), '{ "scripts": { "test": "true" } }\n');
  if (config !== null) writeFileSync(join(folder, "relais.config.json"), config);
  git("add", "-A");
  git("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "first");
  return folder;
}

test("every schema belongs to a command, and every command has one", () => {
  const schemas = readdirSync(FOLDER).map((name) => name.replace(".schema.json", ""));
  expect(schemas.toSorted()).toEqual([...COMMANDS.map(({ name }) => name), "failure"].toSorted());
});

describe.each(COMMANDS.map(({ name }) => name))("relais %s", (name) => {
  test("prints what its schema says, and at least once something else than a failure", () => {
    const kept = samples.get(name) ?? [];
    const refused = kept.filter(({ ran }) => !documentsOf(ran).every((one) => accepts(schemaOf(name), one)));
    expect(refused).toEqual([]);
    const several = kept.filter(({ ran }) => documentsOf(ran).length !== 1).map(({ args }) => args);
    expect(OF_MANY_LINES.includes(name) ? [] : several).toEqual([]);
    const good = kept.filter(({ ran }) => documentsOf(ran).some((one) => !accepts(schemaOf("failure"), one)));
    expect(good.length).toBeGreaterThan(0);
  });

  test("prints a failure as one document that the schema knows", async () => {
    const folder = scratchFolder();
    const operand =
      {
        answer: ["x"],
        reject: ["x"],
        goal: ["x"],
        campaign: ["status", "x"],
        milestone: ["next"],
        completions: ["bash"],
        submit: ["loop"],
        report: ["--html", "report.html"],
      }[name] ?? [];
    const calls = [
      ["wrong option", await relais([name, "--nonsense", "--json"], { cwd: folder }), [2]],
      ["help", await relais([name, "--help", "--json"], { cwd: folder }), [0]],
      ...(ANYWHERE.includes(name)
        ? []
        : ([
            ["no repository", await relais([name, ...operand, "--json"], { cwd: folder }), [11]],
            [
              "bad configuration",
              await relais([name, ...operand, "--json"], {
                cwd: repositoryIn(join(folder, "r"), "{"),
                env: { XDG_STATE_HOME: join(folder, "state") },
              }),
              [0, 10, 11, ...(name === "reject" ? [2] : [])],
            ],
          ] as const)),
    ] as const;
    for (const [what, ran, statuses] of calls) {
      const documents = documentsOf(ran);
      const isEmptyStream = name === "events" && what === "bad configuration";
      expect([what, documents.length]).toEqual([what, isEmptyStream ? 0 : 1]);
      expect([what, documents.filter((one) => !accepts(schemaOf(name), one))]).toEqual([what, []]);
      expect(statuses).toContain(ran.status);
    }
  });
});

test("a schema refuses a document that lacks what it promises", () => {
  const [document] = documentsOf(samples.get("status")?.[0]?.ran ?? { status: 0, stdout: "{}", stderr: "" });
  const entries = Object.entries(document ?? {});
  expect(entries.length).toBeGreaterThan(8);
  for (const [key] of entries) {
    const without = Object.fromEntries(entries.filter(([name]) => name !== key));
    expect(accepts(schemaOf("status"), without)).toBe(false);
  }
});
