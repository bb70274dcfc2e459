/** A repair goes on with the session of the builder whose work it mends, with the real programs. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LoggedRequest } from "../model-api/loopback.ts";
import type { Turn } from "../model-api/script.ts";
import { RESULT } from "../support/scenario-documents.ts";
import { inWorld } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";
import { type Agent, serveModels } from "./agent-world.ts";
import { edit, read, structured } from "./claude-turns.ts";
import { patch } from "./codex-turns.ts";

const SENTENCE = "Set the answer in src/main.ts to 42.";
const AGENTS = ["claude_code", "codex"] as const;
const CASES = AGENTS.flatMap((agent) => [
  { agent, sandbox: "auto", kind: "bubblewrap" },
  { agent, sandbox: "off", kind: agent === "codex" ? "codex" : "none" },
]);

/** The first session makes it 40, which is red, and the second one 42. */
const CLAUDE: readonly Turn[] = [
  { calls: [read("src/main.ts")] },
  { calls: [edit("src/main.ts", "answer = 41", "answer = 40")] },
  { calls: [structured({ ...RESULT })] },
  { calls: [read("src/main.ts")] },
  { calls: [edit("src/main.ts", "answer = 40", "answer = 42")] },
  { calls: [structured({ ...RESULT })] },
];
const line = (answer: number): string => `export const answer = ${answer};`;
const CODEX: readonly Turn[] = [
  { calls: [patch("src/main.ts", line(41), line(40))] },
  { json: RESULT },
  { calls: [patch("src/main.ts", line(40), line(42))] },
  { json: RESULT },
];

interface Answered {
  readonly run_id: string;
}

interface Played {
  readonly world: World;
  readonly ask: (
    ...args: readonly string[]
  ) => Promise<{ readonly status: number | null; readonly document: Answered }>;
  /** What the model was asked, without what is asked of nobody. */
  readonly asked: () => readonly LoggedRequest[];
}

async function withAgent(
  { agent, sandbox, config = {} }: { readonly agent: Agent; readonly sandbox: string; readonly config?: object },
  work: (played: Played) => Promise<void>,
): Promise<void> {
  const models = await serveModels({ claude: CLAUDE, codex: CODEX });
  const templates = [{ id: "answers", cmd: "grep", args: ["-q", "answer = 42", "src/main.ts"] }];
  const whole = {
    builder: { default_mode: agent },
    sandbox,
    verification: { templates, baseline: "off" },
    ...config,
  };
  try {
    await inWorld({ config: whole, onDisk: true, checksRecords: true }, async (world) => {
      const variables = models.settle(world);
      await work({
        world,
        ask: async (...args) => {
          const { status, stdout, stderr } = await world.relais([...args, "--json"], variables);
          if (stdout === "") throw new Error(stderr);
          const document: Answered = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
          return { status, document };
        },
        asked: () => models.requests[agent].filter(({ answer }) => answer !== null),
      });
      models.check(world);
    });
  } finally {
    await models.close();
  }
}

/** Where another session would find what was said: anywhere in the agents' own folders, and what relais keeps. */
function listRecords({ world }: Played): readonly string[] {
  const own = ["claude", "codex"].flatMap((name) => listFiles(join(world.box, name)));
  const kept = listFiles(world.state()).filter((path) => path.includes("/session/") && path.endsWith(".jsonl"));
  return [...own.filter((path) => readFileSync(path).includes(SENTENCE)), ...kept];
}

function listFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Each of the two sessions, by what it spent. */
const SPENT = {
  claude_code: { input_tokens: 330, output_tokens: 60 },
  codex: { input_tokens: 200, output_tokens: 40 },
};
/** What a tool answered in the first session. */
const CHANGED = { claude_code: "has been updated", codex: "Success. Updated the following files" };
const CALLS = { claude_code: 3, codex: 2 };

describe("a repair", () => {
  test.each(CASES)("resumes the session of $agent, sandbox: $sandbox", async ({ agent, sandbox, kind }) => {
    await withAgent({ agent, sandbox }, async (played) => {
      const { status, document } = await played.ask("run", SENTENCE);
      expect({ status, document }).toMatchObject({
        status: 0,
        document: {
          code: "SUCCESS",
          repair: { number: 2 },
          sandbox: kind,
          usage: [{ role: "builder", ...SPENT[agent] }],
        },
      });
      const first = played.asked()[0]?.words ?? "";
      const resumed = played.asked()[CALLS[agent]]?.words ?? "";
      expect(first).not.toContain("Your change was not kept");
      expect(resumed).toContain("Your change was not kept");
      expect(resumed).toContain("The check `answers` failed");
      // The model is told what was said before, and the task once.
      expect(resumed.split("You are given one task").length).toBe(first.split("You are given one task").length);
      expect(resumed).toContain(CHANGED[agent]);
      expect(listRecords(played)).toEqual([]);
    });
  });

  test.each(AGENTS)("of %s is a fresh session where nothing is to be kept", async (agent) => {
    const config = { claude_code_cli: { no_session_persistence: true } };
    await withAgent({ agent, sandbox: "off", config }, async (played) => {
      expect(await played.ask("run", SENTENCE)).toMatchObject({ status: 0, document: { repair: { number: 2 } } });
      const second = played.asked()[CALLS[agent]]?.words ?? "";
      expect(second).toContain("An earlier session worked on this");
      expect(second).toContain("The check `answers` failed");
      expect(second).not.toContain(CHANGED[agent]);
      expect(listRecords(played)).toEqual([]);
    });
  });

  test.each(AGENTS)("of %s is a fresh session where what was kept is lost", async (agent) => {
    await withAgent({ agent, sandbox: "auto" }, async (played) => {
      const { status, document } = await played.ask("run", SENTENCE, "--repairs", "0");
      expect(status).toBe(10);
      const folder = join(played.world.state(), "runs", document.run_id, "session");
      expect(readFileSync(join(folder, "record.jsonl"), "utf8")).toContain("src/main.ts");
      writeFileSync(join(folder, "record.jsonl"), "{}\n");
      expect(await played.ask("fix")).toMatchObject({ status: 0, document: { code: "SUCCESS" } });
      expect(played.asked()[CALLS[agent]]?.words).toContain("An earlier session worked on this");
      expect(listRecords(played)).toEqual([]);
    });
  });

  test("gets nothing once other work began", async () => {
    await withAgent({ agent: "claude_code", sandbox: "auto" }, async (played) => {
      const { document } = await played.ask("run", SENTENCE, "--repairs", "0");
      expect(listRecords(played)).toHaveLength(1);
      await played.ask("run", "Set the answer in src/other.ts to 2.", "--repairs", "0");
      expect(listRecords(played).filter((path) => path.includes(document.run_id))).toEqual([]);
    });
  });
});
