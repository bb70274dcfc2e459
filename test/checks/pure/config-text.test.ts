import fc from "fast-check";
import { format } from "prettier";
import { expect, test } from "vitest";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { formatConfig } from "../../../src/checks/pure/config-text.ts";
import { makeInitialConfig } from "../../../src/checks/pure/project-detection.ts";
import { runs } from "../../support/runs.ts";

const FOUND = {
  languages: ["JavaScript"],
  found: [],
  templates: [
    { id: "lint", cmd: "npm", args: ["run", "lint"] },
    { id: "test", cmd: "npm", args: ["run", "test"] },
  ],
  allowedGlobs: ["lib/**", "test/**", "*.js", "README.md"],
};

test("each choice is one line, and the agent is named", () => {
  const text = makeInitialConfig(FOUND, { agent: "codex", schema: "./relais/schemas/config.schema.json" });
  expect(text).toBe(`{
  "$schema": "./relais/schemas/config.schema.json",
  "builder": { "default_mode": "codex" },
  "roles": { "orchestrator": { "driver": "codex" } },
  "scope": {
    "default_allowed_globs": ["lib/**", "test/**", "*.js", "README.md"]
  },
  "verification": {
    "templates": [
      { "id": "lint", "cmd": "npm", "args": ["run", "lint"] },
      { "id": "test", "cmd": "npm", "args": ["run", "test"] }
    ],
    "required": ["lint", "test"]
  }
}
`);
  expect(parseConfig(JSON.parse(text)).kind).toBe("valid");
  expect(makeInitialConfig({ ...FOUND, templates: [], allowedGlobs: ["**"] }, { agent: "claude_code" })).toBe(`{
  "builder": { "default_mode": "claude_code" },
  "scope": { "default_allowed_globs": ["**"] },
  "verification": { "templates": [] }
}
`);
});

const word = fc.stringMatching(/^[a-z*/. -]{1,30}$/);
const check = fc.record({ id: word, cmd: word, args: fc.array(word, { maxLength: 6 }) });
const document = fc.record({
  $schema: word,
  scope: fc.record({ default_allowed_globs: fc.array(word, { minLength: 1, maxLength: 12 }) }),
  verification: fc.record({ templates: fc.array(check, { maxLength: 4 }) }),
});

test("the text is as Prettier would have it, and says the same", async () => {
  await fc.assert(
    fc.asyncProperty(document, async (value) => {
      const text = formatConfig(value);
      expect(JSON.parse(text)).toEqual(value);
      expect(text).toBe(await format(text, { parser: "json" }));
    }),
    runs(100),
  );
});
