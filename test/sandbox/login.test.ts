/** A renewed login is written back; everything else that a session writes at home is dropped. */
import { writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openBench, USERS } from "./bench.ts";

const GOOD = "echo 'export const answer = 42;' > src/main.ts";
const OLD = '{"login":{"token":"old","expires":1}}';
const files = { "home/.claude/.credentials.json": OLD, "home/.codex/auth.json": OLD };

describe.each(USERS)("as $name", ({ uid }) => {
  test("a renewed login is written back, by a new file or in place", async () => {
    const renewed = '{"login":{"token":"new","expires":2}}';
    const script = `${GOOD}
cat $HOME/.claude/.credentials.json
echo '${renewed}' > $HOME/.claude/x && mv $HOME/.claude/x $HOME/.claude/.credentials.json
echo '${renewed}' > $HOME/.codex/auth.json
echo '{}' > $HOME/.claude/settings.json`;
    const bench = openBench({ uid, script, files });
    const { printed } = await bench.run();
    expect(printed).toContain(OLD);
    expect(bench.read("home/.claude/.credentials.json").trim()).toBe(renewed);
    expect(bench.read("home/.codex/auth.json").trim()).toBe(renewed);
    expect(bench.has("home/.claude/settings.json")).toBe(false);
  });

  test.each([
    ["another form", 'echo \'{"login":{"token":"new"},"hooks":1}\' > $HOME/.codex/auth.json'],
    ["no JSON", "echo x > $HOME/.codex/auth.json"],
    ["a link", "ln -sf /etc/passwd $HOME/.codex/auth.json"],
    ["gone", "rm $HOME/.codex/auth.json"],
  ])("a login that is %s is not written back", async (_, command) => {
    const bench = openBench({ uid, script: `${GOOD}\n${command}`, files });
    await bench.run();
    expect(bench.read("home/.codex/auth.json")).toBe(OLD);
  });

  test("a login that the person renewed meanwhile stays", async () => {
    const script = `${GOOD}\necho '{"login":{"token":"new","expires":2}}' > $HOME/.codex/auth.json\necho 1 > src/ready; sleep 1`;
    const bench = openBench({ uid, script, files });
    const ran = bench.run();
    while (!bench.has("home/repo/src/ready")) await delay(10);
    writeFileSync(`${bench.box}/home/.codex/auth.json`, '{"login":{"token":"mine","expires":3}}');
    await ran;
    expect(bench.read("home/.codex/auth.json")).toContain("mine");
  });

  test("a check cannot read a login", async () => {
    const own = { id: "green", cmd: "sh", args: ["-c", "! grep -q old ../.codex/auth.json"] };
    const { report } = await openBench({
      uid,
      script: GOOD,
      files,
      config: { verification: { templates: [own] } },
    }).run();
    expect(report).toMatchObject({ code: "SUCCESS" });
  });
});
