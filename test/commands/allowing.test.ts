/** The commands of a card after a stop of scope: each is whole, ready to paste, and leads to the kept change. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { sentenceWorld, type SentenceWorld } from "../support/sentence-world.ts";

const CLAUDE = { agents: { claude: "in" } } as const;
/** What a shell would break. */
const SENTENCE = `make a note, don't "quote" $HOME & co`;

/** The commands below "Next:", as a shell reads them. */
function readNext(stdout: string): readonly (readonly string[])[] {
  const next = stdout.slice(stdout.indexOf("\nNext:")).replaceAll("\\\n", " ");
  const commands = [...next.matchAll(/^(?: {2}|Next: )(?<command>relais .+?)(?: {2}.*)?$/gmu)];
  return commands.map(({ groups }) => {
    const read = spawnSync("sh", ["-c", `printf '%s\\0' ${groups?.["command"] ?? ""}`], { encoding: "utf8" });
    return read.stdout.split("\0").slice(1, -1);
  });
}

async function refuse(world: SentenceWorld, ...options: string[]): Promise<readonly (readonly string[])[]> {
  const { status, stdout } = await world.relais("run", SENTENCE, ...options);
  expect(status).toBe(10);
  return readNext(stdout);
}

describe("after a stop of scope", () => {
  const does = "echo note > notes.txt; echo '// 1' >> src/greet.js; echo '// 2' >> src/greet.js";

  test.concurrent("the saved work is judged again with the option, and no agent is called", async () => {
    const world = sentenceWorld({ ...CLAUDE, does });
    const [land = [], again = []] = await refuse(world, "--no-new-files", "--max-lines", "2", "--check", "test");
    expect(land).toEqual(["land", expect.any(String), "--allow", "notes.txt", "--new-files", "--max-lines", "3"]);
    expect(again.slice(0, 4)).toEqual(["run", SENTENCE, "--max-lines", "2"]);
    expect(await world.ask(...land)).toMatchObject({ document: { landings: [{ outcome: "landed" }] } });
    expect(world.read("notes.txt")).toBe("note\n");
    expect(world.git("status", "--porcelain")).toBe("M src/greet.js\n?? notes.txt");
  });

  test.concurrent("the whole command lets the agent do it again", async () => {
    const world = sentenceWorld({ ...CLAUDE, does });
    const [, again = []] = await refuse(world);
    expect(await world.ask(...again)).toMatchObject({ status: 0, document: { code: "SUCCESS" } });
    expect(world.starts().map(({ command_line: line }) => line)).toEqual([
      ["run", SENTENCE],
      [...again, "--json"],
    ]);
  });

  test.concurrent("nothing is offered where an option is not enough", async () => {
    const world = sentenceWorld({ ...CLAUDE, does: `${does}; echo x >> .env` });
    expect((await refuse(world)).map(([command]) => command)).not.toContain("land");
  });

  test.concurrent(
    "the saved work is judged with all that a person says, and salvage apply judges nothing",
    async () => {
      const world = sentenceWorld({ ...CLAUDE, does: "echo note > notes.txt" });
      await refuse(world);
      const land = (...options: string[]) => world.ask("land", runId(world), ...options);
      const stopped = { document: { landings: [{ outcome: "stopped" }] } };
      expect(await land()).toMatchObject(stopped);
      expect(await land("--allow", "notes.txt", "--no-new-files")).toMatchObject(stopped);
      expect(await land("--only", "notes.txt", "--max-lines", "1")).toMatchObject({ status: 0 });
      expect(await world.relais("salvage", "apply", "--allow", "notes.txt")).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("relais salvage apply --help"),
      });
      expect((await world.relais("salvage", "apply", "--help")).stdout).toContain("relais land RUN");
    },
  );
});

function runId(world: SentenceWorld): string {
  const found = /"run_id":"(?<id>[^"]+)"/u.exec(world.read("relais/ledger.jsonl"));
  return found?.groups?.["id"] ?? "";
}
