/** More of `notify.command`: told what was decided, after it was decided, and unable to change anything about it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inLoopWorld, goodStep, STOP } from "../support/loop-world.ts";
import { inHome, KEEPER, notifying, told } from "../support/notified.ts";
import { inWorld } from "../support/scenario.ts";
import { GOOD_EDIT } from "../support/scenario-documents.ts";

test("a question is told as one, with its choices", async () => {
  const question = {
    task_kind: "question",
    question: { prompt: "Which\none?", choices: ["left", "right"] },
    scope: undefined,
    diff_limits: undefined,
    verification: undefined,
    builder: undefined,
  };
  await inWorld(notifying(KEEPER, { task: question }), async (world) => {
    expect((await world.run()).status).toBe(14);
    expect(told(world)).toMatchObject([
      {
        kind: "question",
        code: "STOP_QUESTION",
        summary: "relais: question: Which one?",
        question: { prompt: "Which\none?", choices: ["left", "right"] },
        exit_status: 14,
      },
    ]);
  });
});

test("each tick of a series is told, and its end", async () => {
  const { config } = notifying(KEEPER);
  await inLoopWorld({ plans: [goodStep(), STOP], config }, async (world) => {
    const { status, summary } = await world.loop();
    expect(status).toBe(0);
    expect(told(world).map(({ kind, code, end, series_id }) => [kind, code, end, series_id])).toEqual([
      ["tick_ended", "SUCCESS", null, summary.series_id],
      ["tick_ended", "SUCCESS", null, summary.series_id],
      ["series_ended", "SUCCESS", "complete", summary.series_id],
    ]);
  });
});

test.each([
  ["fails", "exit 3", "notify.command ended with status 3; nothing else is affected"],
  ["hangs", "trap '' INT TERM; sleep 60 & wait; sleep 60", "notify.command timed out after 10 seconds"],
])("a program that %s changes nothing and is said", async (_, script, warning) => {
  await inWorld(notifying(script, { steps: [GOOD_EDIT] }), async (world) => {
    const ran = await world.run();
    expect(ran.status).toBe(0);
    expect(JSON.parse(ran.stdout).code).toBe("SUCCESS");
    expect(ran.stderr).toContain(`relais: warning: ${warning}`);
    expect((await world.relais(["status", "--json"])).status).toBe(0);
  });
});

test("a program that is not there is said", async () => {
  const config = { notify: { command: ["no-such-program-anywhere"] } };
  await inWorld({ steps: [GOOD_EDIT], config }, async (world) => {
    const ran = await world.run();
    expect(ran.status).toBe(0);
    expect(ran.stderr).toMatch(/^relais: warning: notify\.command could not be started: .+\n$/);
  });
});

test("the command of the tick's own beginning is run, whatever the change made of the configuration", async () => {
  const forged = {
    do: "write",
    path: "relais.config.json",
    text: '{"notify":{"command":["touch","forged"]}}',
  };
  const task = { scope: { allowed_globs: ["**"] }, verification: { fast: [], slow: [] } };
  await inWorld(notifying(KEEPER, { steps: [forged], task }), async (world) => {
    await world.run();
    expect(told(world)).toHaveLength(1);
    expect(existsSync(join(world.root, "forged"))).toBe(false);
  });
});

test("the examples of the page work with stand-ins for the desktop and the chat", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/ui.md"), "utf8");
  const commands = [...page.matchAll(/```json\n(?<json>[^`]+)```/g)].map(({ groups }) =>
    JSON.parse(groups?.["json"] ?? ""),
  );
  const scripts = [...page.matchAll(/```sh\n(?<sh>#!\/bin\/sh\n[^`]+)```/g)].map(({ groups }) => groups?.["sh"] ?? "");
  expect([commands.length, scripts.length]).toEqual([2, 1]);
  for (const config of commands) {
    await inWorld({ steps: [GOOD_EDIT] }, async (world) => {
      const stand = (name: string, text: string) => writeFileSync(join(world.box, "bin", name), text, { mode: 0o755 });
      stand("notify-send", '#!/bin/sh\nprintf "%s\\n" "$@" > "$HOME/sent"\n');
      stand("curl", '#!/bin/sh\nprintf "%s\\n" "$@" > "$HOME/sent"\ncat >> "$HOME/sent"\n');
      stand("relais-to-chat", scripts[0] ?? "");
      writeFileSync(join(world.box, "home", ".relais-webhook"), "https://chat.example.org/hook\n");
      world.put({
        "relais.config.json": JSON.stringify({ ...JSON.parse(world.read("relais.config.json")), ...config }),
      });
      world.git("commit", "-qam", "notify");
      expect(await world.run()).toMatchObject({ status: 0, stderr: "" });
      expect(inHome(world, "sent")).toContain("SUCCESS: Set the answer to 42.");
    });
  }
});
