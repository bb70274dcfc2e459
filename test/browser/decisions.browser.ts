/** Every decision of the page in a real browser: confirmed in a dialog that names the tick, and refused with --read-only. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, launchBrowser, lookAtUi } from "../support/browser.ts";
import { ASK, journalOf, requestsIn, untilAsked } from "../support/held-world.ts";
import { goodStep, inLoopWorld } from "../support/loop-world.ts";
import { inWorld } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";

const EDIT = `echo 'export const answer = 42;' > src/main.ts\n${LEAVE_RESULT}`;
const RUN_ID = /\d{8}T\d{6}Z-[0-9a-f]{8}/;

/** Clicks a button, and confirms in the dialog; answers with the tick that the dialog names. */
async function decide(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name, exact: true }).first().click();
  const dialog = page.getByRole("dialog");
  const named = RUN_ID.exec((await dialog.textContent()) ?? "")?.[0] ?? "no tick";
  await dialog.getByRole("button", { name, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  return named;
}

describe.skipIf(CHROMIUM === undefined)("decisions in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test("a series is paused, the pause is withdrawn, and the series is stopped", async () => {
    await inLoopWorld({ plans: ["sleep 60", goodStep()] }, (world) =>
      lookAtUi({ browser, world }, async (page) => {
        const { ended } = world.start(["loop", "--json"]);
        const pause = page.getByRole("button", { name: "Pause", exact: true });
        await pause.waitFor();
        for (; journalOf(world).length === 0; await delay(100));
        const run = journalOf(world)[0]?.run_id;
        expect(await decide(page, "Pause")).toBe(run);
        await page.getByRole("button", { name: "Do not pause" }).waitFor();
        expect(requestsIn(world)).toContain("pause-request.json");
        expect(await decide(page, "Do not pause")).toBe(run);
        await pause.waitFor();
        expect(requestsIn(world)).toEqual([]);
        expect(await decide(page, "Stop")).toBe(run);
        expect((await ended).stdout).toContain('"end":"interrupted"');
        await pause.waitFor({ state: "detached" });
      }),
    );
  });

  test("a running tick is stopped, and its reverted work is brought back from the inbox", async () => {
    await inWorld({ program: `${EDIT}\nsleep 90` }, (world) =>
      lookAtUi({ browser, world }, async (page) => {
        const read = (): string => readFileSync(join(world.root, "src/main.ts"), "utf8");
        const { ended } = world.start(["run", "--task", join(world.box, "task.json")]);
        await page.locator("a.tick", { hasText: "Running" }).click();
        await page.locator(".row", { hasText: "answer = 42" }).first().waitFor();
        const run = await decide(page, "Stop");
        expect(run).toBe(journalOf(world)[0]?.run_id);
        await ended;
        expect(read()).not.toContain("42");
        await page.getByRole("link", { name: "Inbox" }).click();
        await page.getByRole("button", { name: "Bring back" }).waitFor();
        expect(await decide(page, "Bring back")).toBe(run);
        await page.locator(".notice.good").waitFor();
        expect(read()).toContain("42");
      }),
    );
  });

  test("with --read-only no page has a button that changes something", async () => {
    await inWorld({ program: EDIT, config: ASK }, async (world) => {
      const { ended, process: child } = world.start(["run", "--task", join(world.box, "task.json")]);
      const run = await untilAsked(world);
      await world.relais(["submit", "task", join(world.box, "task.json")]);
      await lookAtUi({ browser, world, args: ["--read-only"] }, async (page) => {
        await page.getByText("live, read-only").waitFor();
        await page.locator("a.tick", { hasText: "Waits for you" }).waitFor();
        const tick = (await page.locator("a.tick").first().getAttribute("href")) ?? "";
        for (const place of ["#/now", "#/inbox", "#/queue", tick]) {
          await page.goto(new URL(place, page.url()).href);
          await page.locator(".card, .item-head, .jobs li").first().waitFor();
          // A tick shows its files below, each with a button that folds it.
          const folds = place === tick ? ["▾src/main.ts"] : [];
          if (folds.length > 0) await page.locator(".file-head button").waitFor();
          expect([place, await page.getByRole("button").allTextContents()]).toEqual([place, [...folds, "Keys (?)"]]);
        }
      });
      expect(requestsIn(world)).toEqual([]);
      expect(journalOf(world).filter(({ event }) => event.type === "decided")).toEqual([]);
      expect(run).toMatch(RUN_ID);
      child.kill("SIGINT");
      await ended;
    });
  });
});
