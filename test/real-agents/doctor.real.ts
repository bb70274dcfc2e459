/** What doctor finds out about the real programs, without asking a model. */
import { expect, test } from "vitest";
import * as v from "valibot";
import { inWorld } from "../support/scenario.ts";
import type { Variables } from "../support/scenario-world.ts";
import { type Agent, serveModels } from "./agent-world.ts";

const Document = v.looseObject({
  checks: v.array(v.looseObject({ subject: v.string(), status: v.string(), message: v.string() })),
});

interface Examined {
  readonly agent: Agent;
  readonly env?: Variables;
  readonly config?: object;
}

/** What doctor says about who builds, after a look at everything that it must not do. */
async function examined({ agent, env = {}, config = {} }: Examined): Promise<string> {
  const models = await serveModels({});
  const said = { text: "" };
  try {
    await inWorld({ config: { builder: { default_mode: agent }, ...config } }, async (world) => {
      const { stdout, stderr } = await world.relais(["doctor", "--json"], {
        ...models.settle(world),
        ...env,
      });
      models.check(world);
      expect(stdout + stderr).not.toContain("worthless");
      const builder = v.parse(Document, JSON.parse(stdout)).checks.find(({ subject }) => subject === "builder");
      said.text = `${builder?.status}: ${builder?.message}`;
    });
    const asked = Object.values(models.requests).flat();
    expect(asked.filter(({ answer }) => answer !== null)).toEqual([]);
  } finally {
    await models.close();
  }
  return said.text;
}

test.each<[string, Examined, RegExp]>([
  ["Claude Code", { agent: "claude_code" }, /^ok: claude_code: .*version \d+\.\d+\.\d+, logged in by/],
  [
    "Claude Code that nobody is logged in to",
    { agent: "claude_code", env: { ANTHROPIC_API_KEY: undefined } },
    /^fail: .*is not/,
  ],
  ["codex", { agent: "codex" }, /^ok: codex: .*version \d+\.\d+\.\d+, with the provider scripted/],
  ["codex without the key of its provider", { agent: "codex", env: { OPENAI_API_KEY: undefined } }, /^fail: .*codex/],
  [
    "codex that nobody is logged in to",
    { agent: "codex", config: codexWith("-c", 'model_provider="openai"') },
    /^fail: .*is not/,
  ],
  [
    "codex with an option that it does not know",
    { agent: "codex", config: codexWith("--no-such-flag") },
    /^fail: .*does not support the options/,
  ],
])("doctor looks at %s", async (_, question, words) => {
  expect(await examined(question)).toMatch(words);
});

function codexWith(...args: readonly string[]): object {
  return { builder: { default_mode: "codex", codex: { args } } };
}
