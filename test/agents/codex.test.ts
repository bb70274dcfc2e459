import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentRepository, driverOf, runSession } from "../support/agent-session.ts";

test("a session that is limited to some tools has the others switched off", async () => {
  const repository = agentRepository();
  const program = join(repository.box, "codex");
  writeFileSync(program, '#!/bin/sh\nprintf "%s\\n" "$@" > "$0.args"; cat > /dev/null; exit 1\n');
  chmodSync(program, 0o755);
  const config = { builder: { default_mode: "codex", codex: { command: program } } };
  const driver = await driverOf(repository, config);
  expect(await runSession(driver, repository, { tools: ["shell"] })).toMatchObject({ kind: "failed" });
  const args = readFileSync(`${program}.args`, "utf8");
  expect(args).toContain('web_search="disabled"');
  expect(args).not.toContain("shell_tool");
});
