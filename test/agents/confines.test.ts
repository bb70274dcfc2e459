import { expect, test } from "vitest";
import { makeClaudeDriver } from "../../src/agents/claude-code.ts";
import { makeClaudeSettings } from "../../src/agents/claude-arguments.ts";
import { makeCodexDriver } from "../../src/agents/codex.ts";
import { makeCodexSettings } from "../../src/agents/codex-arguments.ts";
import { parseConfig } from "../../src/config/parse-config.ts";

function configOf(builder: object) {
  const parsed = parseConfig({ builder });
  if (parsed.kind === "invalid") throw new Error("the fixture is no configuration");
  return parsed.value;
}

const codex = (settings: object) => makeCodexDriver(makeCodexSettings(configOf({ codex: settings }), "builder"));
const claude = (settings: object) =>
  makeClaudeDriver(makeClaudeSettings(configOf({ claude_code: settings }), "builder"));

test.each([
  [{}, true],
  [{ sandbox: "read-only" }, true],
  [{ sandbox: "danger-full-access" }, false],
  [{ args: ["-c", 'sandbox_mode="danger-full-access"'] }, false],
  [{ args: ["--yolo"] }, false],
  [{ args: ["-c", "sandbox_workspace_write.exclude_slash_tmp=true"] }, true],
])("codex with %j keeps a builder inside: %s", (settings, isKept) => {
  expect(codex(settings).confines?.(null)).toBe(isKept);
});

test.each([
  [{}, null, false],
  [{}, ["Read", "Edit"], true],
  [{ allowed_tools: "Read,Edit,Write" }, null, true],
  [{ allowed_tools: "Read,Bash(npm test)" }, null, false],
  [{ allowed_tools: "Read,Edit", permission_mode: "bypassPermissions" }, null, false],
])("Claude Code with %j and the tools %j keeps a builder inside: %s", (settings, tools, isKept) => {
  expect(claude(settings).confines?.(tools)).toBe(isKept);
});
