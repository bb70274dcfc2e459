/** What long histories and large changes cost in a browser. The times are printed; machines differ, so nothing is asserted about them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lengthenHistory } from "../../lab/bench/long-history.ts";
import { CHROMIUM, launchBrowser, openWatched } from "../support/browser.ts";
import { journalOf } from "../support/held-world.ts";
import { inWorld } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";
import { withUi } from "../support/ui-server.ts";

const EDIT = `echo 'export const answer = 42;' > src/main.ts\n${LEAVE_RESULT}`;
const LINES = 5000;
const LARGE = `{ echo 'export const answer = 42;'; i=0; while [ $i -lt ${LINES} ]; do echo "export const value$i = \\"$i\\";"; i=$((i+1)); done; } > src/main.ts\n${LEAVE_RESULT}`;
const EVENTS = 100_000;
const MANY = { max_ticks: EVENTS, max_builder_calls: EVENTS, max_verify_runs: EVENTS };
/** As a text, because the browser's names mean nothing here. */
const SCROLL = `(async () => {
  const times = [];
  for (let at = 0; at < document.documentElement.scrollHeight; at += 600) {
    const before = performance.now();
    scrollTo(0, at);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    times.push(performance.now() - before);
  }
  return JSON.stringify(times.sort((one, other) => one - other));
})()`;
const say = (what: string, value: string): void => void process.stdout.write(`measured: ${what}: ${value}\n`);

describe.skipIf(CHROMIUM === undefined)("measured in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test("100,000 events, and one more while somebody looks", async () => {
    await inWorld({ program: EDIT, ownProcess: true, config: { budgets: { per_milestone: MANY } } }, async (world) => {
      await world.relais(["run", "--task", join(world.box, "task.json")]);
      await world.relais(["accept"]);
      const perTick = journalOf(world).length;
      const ticks = Math.ceil(EVENTS / perTick);
      await lengthenHistory(world, { ticks, withFiles: false });
      const typed = Date.now();
      await withUi(world, [], async (ui) => {
        const { page, troubles } = await openWatched(browser, { own: `http://127.0.0.1:${ui.port}/` });
        const began = Date.now();
        say("the page is opened after the command by", `${began - typed} ms`);
        await page.goto(`${ui.url}/ticks`);
        await page.locator("a.tick").first().waitFor();
        say("the newest ticks are shown after", `${Date.now() - began} ms`);
        await page.getByText(`of ${(ticks + 1).toLocaleString("en")}`).waitFor();
        say("every number is shown after", `${Date.now() - began} ms`);
        await page.getByText(`${(ticks + 1).toLocaleString("en")} of ${(ticks + 1).toLocaleString("en")}`).waitFor();
        say(
          `${(ticks * perTick).toLocaleString("en")} events, ${ticks} ticks: all rows are there after`,
          `${Date.now() - began} ms`,
        );
        await page.reload();
        const again = Date.now();
        await page.getByText(`${(ticks + 1).toLocaleString("en")} of`).waitFor();
        say("the same while the server knows them already", `${Date.now() - again} ms`);
        expect(await page.locator("a.tick").count()).toBeLessThan(100);
        const session = await page.context().newCDPSession(page);
        await session.send("HeapProfiler.collectGarbage");
        const { usedSize } = await session.send("Runtime.getHeapUsage");
        say("heap of the page", `${Math.round(usedSize / 1024 / 1024)} MB`);
        expect(usedSize).toBeLessThan(64 * 1024 * 1024);
        const task: object = JSON.parse(readFileSync(join(world.box, "task.json"), "utf8"));
        const live = { ...task, task_id: "T-live", intent: "Seen live." };
        writeFileSync(join(world.box, "live.json"), JSON.stringify(live));
        const { ended } = world.start(["run", "--task", join(world.box, "live.json")]);
        await page.locator("a.tick", { hasText: "Seen live." }).waitFor();
        const seen = Date.now();
        const planned = journalOf(world).findLast(({ event }) => event.type === "planned");
        say("a live event is seen after", `${seen - Date.parse(planned?.at ?? "")} ms`);
        await ended;
        expect(troubles).toEqual([]);
        await page.close();
      });
    });
  });

  test("a change of 5,000 lines: only the rows near the window exist", async () => {
    const task = { diff_limits: { max_files_touched: 5, max_lines_changed: 20_000 } };
    await inWorld({ program: LARGE, task }, async (world) => {
      await world.relais(["run", "--task", join(world.box, "task.json")]);
      await withUi(world, [], async (ui) => {
        const { page, troubles } = await openWatched(browser, { own: `http://127.0.0.1:${ui.port}/` });
        await page.goto(ui.url);
        const tick = (await page.locator("a.tick").first().getAttribute("href")) ?? "";
        const began = Date.now();
        await page.goto(`http://127.0.0.1:${ui.port}/${tick.replace("/run/", "/diff/")}`);
        await page.locator(".row").first().waitFor();
        say(`a diff of ${LINES} lines: first rows after`, `${Date.now() - began} ms`);
        expect(await page.locator(".row").count()).toBeLessThan(600);
        const frames: readonly number[] = JSON.parse(await page.evaluate(SCROLL));
        say(
          "frames while scrolling, median and slowest",
          `${Math.round(frames[frames.length >> 1] ?? 0)} ms, ${Math.round(frames.at(-1) ?? 0)} ms`,
        );
        await page.locator(".text", { hasText: `value${LINES - 1} ` }).waitFor();
        expect(troubles).toEqual([]);
        await page.close();
      });
    });
  });
});
