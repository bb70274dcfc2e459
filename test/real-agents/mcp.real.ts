/** The real Claude Code works through `relais mcp`: it calls the tool, and the tick of that call is a real one. */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { executable } from "../support/relais.ts";
import { inWorld } from "../support/scenario.ts";
import type { World } from "../support/scenario-world.ts";
import { serveModels } from "./agent-world.ts";
import { GOOD, working } from "./claude-turns.ts";

const ASKED = "Let relais set the answer.";
const TOOLS = ["mcp__relais__run", "mcp__relais__diff"];

/** Claude Code without a terminal, with relais as its only server; answers with what it printed. */
async function askClaude({ box, root, environment }: World, env: World["environment"]): Promise<string> {
  const config = join(box, "mcp.json");
  const args = [executable, "mcp", "--check", "answer", "--allow", "src/**", "--agent", "claude"];
  writeFileSync(config, JSON.stringify({ mcpServers: { relais: { command: process.execPath, args } } }));
  const options = ["--mcp-config", config, "--strict-mcp-config", "--allowedTools", TOOLS.join(","), "--verbose"];
  const child = spawn("claude", ["-p", ASKED, "--output-format", "stream-json", ...options], {
    cwd: root,
    // It logs what its servers say there.
    env: { ...environment, ...env, XDG_CACHE_HOME: join(box, "cache") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([await ended, stderr]).toEqual([0, ""]);
  return stdout;
}

test("Claude Code calls run and diff, and Claude Code builds", async () => {
  const models = await serveModels({
    claude: [
      ...working(...GOOD),
      { when: [ASKED, '"run_id"', "diff --git"], text: "The answer is 42." },
      { when: [ASKED, '"code":"SUCCESS"'], calls: [{ tool: "mcp__relais__diff", input: {} }] },
      { when: [ASKED], calls: [{ tool: "mcp__relais__run", input: { task: "Set the answer to 42." } }] },
    ],
  });
  try {
    await inWorld({ onDisk: true, config: { builder: { default_mode: "claude_code" } } }, async (world) => {
      const said = await askClaude(world, models.settle(world));
      expect(said).toContain("The answer is 42.");
      expect(world.read("src/main.ts")).toBe("export const answer = 42;\n");
      expect(JSON.parse((await world.relais(["status", "--json"])).stdout)).toMatchObject({
        last_tick: { code: "SUCCESS" },
      });
      models.check(world);
    });
    const [first] = models.requests.claude_code.filter(({ words }) => words.includes(ASKED));
    const body = JSON.stringify(first?.body);
    for (const name of ["run", "status", "diff", "undo"]) expect(body).toContain(`mcp__relais__${name}`);
    expect(body).not.toContain("mcp__relais__accept");
    expect(body).toContain("in small, judged steps");
  } finally {
    await models.close();
  }
});

test("Claude Code reads why its own patch was refused, and what to do", async () => {
  const patch = "--- /dev/null\n+++ b/elsewhere/x.txt\n@@ -0,0 +1 @@\n+x\n";
  const models = await serveModels({
    claude: [
      { when: [ASKED, "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED: ", " Next: ", '"run_id"'], text: "It was refused." },
      { when: [ASKED], calls: [{ tool: "mcp__relais__run", input: { patch } }] },
    ],
  });
  try {
    await inWorld({ onDisk: true, config: { builder: { default_mode: "claude_code" } } }, async (world) => {
      expect(await askClaude(world, models.settle(world))).toContain("It was refused.");
      expect(world.git("status", "--porcelain")).toBe("");
      models.check(world);
    });
  } finally {
    await models.close();
  }
});
