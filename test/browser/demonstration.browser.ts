/** Every workflow of the demonstration on its page and in its report: trees, goals, campaigns and single ticks that really ran. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, findAxeTroubles, launchBrowser, openWatched } from "../support/browser.ts";
import { inWorld } from "../support/scenario.ts";
import { withUi } from "../support/ui-server.ts";

/** By the folder of its act: the series, what its page is about, and what it must show. */
const SERIES = [
  ["thermometer", "relais tree", [".tree", "Turn Celsius into Fahrenheit"]],
  ["addresses", "relais goal", [".turns", "completion"]],
  ["rectangle", "relais campaign", [".stories", "is 12"]],
] as const;
const TICK = ["shop", ".card", "Verdict"] as const;
const WIDTH = "document.documentElement.scrollWidth";

async function expectGoodPage(page: Page, place: string): Promise<void> {
  expect([place, await page.evaluate(WIDTH)]).toEqual([place, 360]);
  expect([place, await findAxeTroubles(page)]).toEqual([place, []]);
}

describe.skipIf(CHROMIUM === undefined)("the demonstration in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test("the page of each workflow and its report from disk: what they show, phone width, axe, no other request", async () => {
    await inWorld({ ownProcess: true }, async (world) => {
      const place = join(world.box, "demo");
      const start = (args: readonly string[]) => world.start(args, { XDG_STATE_HOME: join(place, "state") });
      expect((await start(["demo", "--into", place]).ended).status).toBe(0);
      await withUi({ start }, [], async (ui) => {
        const own = `http://127.0.0.1:${ui.port}/`;
        for (const scheme of ["light", "dark"] as const) {
          const { page, troubles } = await openWatched(browser, { own, width: 360, scheme });
          await page.goto(ui.url);
          for (const [name, command, [part, words]] of SERIES) {
            await page.locator("a.series-row", { hasText: command }).first().click();
            await page.locator(part, { hasText: words }).first().waitFor();
            await expectGoodPage(page, `${name}, ${scheme}`);
            await page.goto(`${own}#/now`);
          }
          for (const other of ["#/now", "#/inbox", "#/money"]) {
            await page.goto(`${own}${other}`);
            await page.locator(".card").first().waitFor();
            await expectGoodPage(page, `${other}, ${scheme}`);
          }
          await page.goto(`${own}#/ticks`);
          await page.locator("a.tick", { hasText: "outside the allowed paths" }).click();
          await page.locator(".margin-note", { hasText: "STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED" }).first().waitFor();
          // The riskiest file first, and the time of each step as a bar.
          expect(await page.locator(".files li").first().textContent()).toContain("README.md");
          expect(await page.locator(".timeline li, .bar").count()).toBeGreaterThan(3);
          await expectGoodPage(page, `the tick, ${scheme}`);
          expect(troubles).toEqual([]);
          await page.close();
        }
      });
      for (const [name, part, words] of [...SERIES.map(([one, , shown]) => [one, ...shown] as const), TICK]) {
        const file = join(world.box, `${name}.html`);
        const { status, stderr } = await start(["report", "--html", file, "--cwd", join(place, name)]).ended;
        expect([name, status, stderr]).toEqual([name, 0, expect.any(String)]);
        const { page, troubles } = await openWatched(browser, { own: pathToFileURL(file).href, width: 360 });
        await page.goto(pathToFileURL(file).href);
        await page.locator(part, { hasText: words }).first().waitFor();
        await expectGoodPage(page, `the report of ${name}`);
        if (part !== TICK[1]) {
          await page.locator("a.tick").first().click();
          await page.getByRole("heading", { name: "Verdict" }).waitFor();
        }
        expect(await page.getByRole("button", { name: /Accept|Undo|Bring back/ }).count()).toBe(0);
        expect(troubles).toEqual([]);
        await page.close();
      }
    });
  });
});
