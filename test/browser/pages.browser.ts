/** The pages in a real browser: what a person sees, types and decides. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PageLink, servePages } from "../../src/page/serve-pages.ts";
import { CHROMIUM, findAxeTroubles, launchBrowser, lookAtUi, openWatched } from "../support/browser.ts";
import { ASK, eventsOf, untilAsked } from "../support/held-world.ts";
import { executable } from "../support/relais.ts";
import { inWorld } from "../support/scenario.ts";
import { LEAVE_RESULT } from "../support/scenario-documents.ts";
import type { World } from "../support/scenario-world.ts";
import { type UiServer, withUi } from "../support/ui-server.ts";

const EDIT = `echo 'export const answer = 42; // </script><img src=x onerror="document.title=1">' > src/main.ts\n${LEAVE_RESULT}`;
const QUESTION = {
  task_id: "Q",
  milestone_id: "M-1",
  task_kind: "question",
  intent: "Ask <b>which</b>.",
  question: { prompt: "Which one?", choices: ["the first", "the second"] },
} as const;

const RUN_ID = /\d{8}T\d{6}Z-[0-9a-f]{8}/;
const runTick = (world: World, name = "task.json") => world.relais(["run", "--task", join(world.box, name)]);
const ownOf = ({ port }: UiServer): string => `http://127.0.0.1:${port}/`;

/** The answer to a request, which comes when it is released. */
async function holdBack(page: Page, url: string): Promise<() => void> {
  const gate = new AbortController();
  await page.route(url, async (asked) => {
    if (!gate.signal.aborted) await once(gate.signal, "abort");
    await asked.continue();
  });
  return () => gate.abort();
}

if (CHROMIUM === undefined)
  process.stdout.write("The browser tests are left out: there is no Chromium on this machine.\n");

describe.skipIf(CHROMIUM === undefined)("in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  const see = (world: World, look: (page: Page, ui: UiServer) => Promise<void>, args: readonly string[] = []) =>
    lookAtUi({ browser, world, args }, look);

  test("it opens without its token in the address, and follows a tick live", async () => {
    await inWorld({ program: `sleep 4\n${EDIT}` }, (world) =>
      see(world, async (page, ui) => {
        expect(page.url()).not.toContain(ui.token);
        await page.getByText("No repository of yours has a journal yet").waitFor();
        const { ended } = world.start(["run", "--task", join(world.box, "task.json")]);
        await page.locator("a.tick", { hasText: "Running" }).waitFor();
        await page.locator("a.tick", { hasText: "Kept" }).waitFor();
        expect((await ended).status).toBe(0);
        await page.getByText("Needs you").waitFor();
        await page.reload();
        await page.locator("a.tick", { hasText: "Kept" }).waitFor();
      }),
    );
  });

  test("the link that the browser is started with opens one page", async () => {
    await inWorld({ program: EDIT }, async (world) => {
      await runTick(world);
      const over = new AbortController();
      const options = { port: 0, isReadOnly: true, idleSeconds: 0, version: "0.0.0", withPreflight: false };
      const player = [process.execPath, executable, "play"] as const;
      const place = { cwd: world.root, environment: world.environment, signal: over.signal, player };
      let served: Promise<unknown> = Promise.resolve();
      const { onceUrl, port } = await new Promise<PageLink>((onOpen) => {
        served = servePages({ ...place, ...options, onOpen });
      });
      const { page, troubles } = await openWatched(browser, { own: `http://127.0.0.1:${port}/` });
      await page.goto(onceUrl);
      await page.locator("a.tick").first().waitFor();
      expect(page.url()).toBe(`http://127.0.0.1:${port}/#/now`);
      await page.reload();
      await page.locator("a.tick").first().waitFor();
      expect(troubles).toEqual([]);
      const second = await browser.newPage();
      await second.goto(onceUrl);
      await second.getByText("This address has no valid token").waitFor();
      for (const one of [page, second]) await one.close();
      over.abort();
      await served;
    });
  });

  test("a question is answered, after a confirmation that names its tick", async () => {
    await inWorld({ program: EDIT }, async (world) => {
      writeFileSync(join(world.box, "question.json"), JSON.stringify(QUESTION));
      await runTick(world, "question.json");
      await see(world, async (page) => {
        await page.getByRole("link", { name: /Inbox/ }).click();
        await page.getByText("Which one?").waitFor();
        await page.getByRole("button", { name: "the second" }).click();
        const dialog = page.getByRole("dialog");
        expect(await dialog.textContent()).toMatch(new RegExp(`${RUN_ID.source}.*the second`, "s"));
        expect(eventsOf(world, "answered")).toEqual([]);
        await dialog.getByRole("button", { name: "Answer" }).click();
        await page.getByText("Nothing waits for you").waitFor();
        expect(eventsOf(world, "answered").map(({ text }) => text)).toEqual(["the second"]);
      });
    });
  });

  test("a change is accepted and undone; text of an agent is text", async () => {
    await inWorld({ program: EDIT }, async (world) => {
      await runTick(world);
      await see(world, async (page) => {
        await page.locator("a.tick").click();
        await page.locator(".row", { hasText: "</script><img src=x" }).waitFor();
        expect(await page.locator(".text img").count()).toBe(0);
        await page.getByRole("button", { name: "Accept" }).click();
        expect(await page.getByRole("dialog").textContent()).toMatch(RUN_ID);
        await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
        expect(eventsOf(world, "accepted")).toEqual([]);
        await page.getByRole("button", { name: "Accept" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
        await page.locator(".chip", { hasText: "committed" }).first().waitFor();
        expect(eventsOf(world, "accepted")).toHaveLength(1);
        await page.getByRole("button", { name: "Undo" }).click();
        expect(await page.getByRole("dialog").textContent()).toMatch(RUN_ID);
        await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
        await page.locator(".badge", { hasText: "Undone" }).first().waitFor();
        expect(await page.title()).toMatch(/Tick – relais$/);
      });
    });
  });

  test("a change that a running tick holds is rejected with a reason", async () => {
    await inWorld({ program: EDIT, config: ASK }, async (world) => {
      const { ended } = world.start(["run", "--task", join(world.box, "task.json")]);
      await untilAsked(world);
      await see(world, async (page) => {
        await page.getByRole("button", { name: "Reject" }).first().click();
        await page.getByLabel("Reason for the next attempt").fill("Not like this.");
        expect(await page.getByRole("dialog").textContent()).toMatch(RUN_ID);
        await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
        await page.locator("a.tick", { hasText: "Reverted" }).waitFor();
        expect(eventsOf(world, "decided").map(({ message }) => message)).toEqual(["Not like this."]);
      });
      await ended;
    });
  });

  test("the change of a running tick is followed; a finding stands at its line", async () => {
    const early = "echo 'export const early = 1;' >> src/main.ts; sleep 6";
    const late = `echo 'export const late = 1; // eslint-disable-line' >> src/main.ts; sleep 6\n${LEAVE_RESULT}`;
    await inWorld({ program: `${early}\n${late}` }, (world) =>
      see(world, async (page) => {
        const { ended } = world.start(["run", "--task", join(world.box, "task.json")]);
        await page.locator("a.tick").click();
        await page.locator(".row", { hasText: "early = 1" }).waitFor();
        expect(await page.locator(".row", { hasText: "late = 1" }).count()).toBe(0);
        await page.locator(".row", { hasText: "late = 1" }).waitFor();
        expect(await page.locator(".run-head .badge").first().textContent()).toContain("Running");
        await ended;
        await page.locator(".row.found", { hasText: "late = 1" }).waitFor();
        await page.locator(".row.found + .margin-note", { hasText: "STOP_SUSPECT" }).waitFor();
      }),
    );
  });

  test("a job is cancelled and tried again, after a confirmation that names it", async () => {
    await inWorld({ program: EDIT }, async (world) => {
      await runTick(world);
      await see(world, async (page) => {
        await page.keyboard.press("q");
        await page.getByText("The queue is empty").waitFor();
        await world.relais(["submit", "task", join(world.box, "task.json")]);
        const job = page.locator(".jobs li");
        await job.getByText("waiting").waitFor();
        const name = (await job.locator("code").first().textContent()) ?? "";
        await job.getByRole("button", { name: "Cancel job" }).click();
        expect(await page.getByRole("dialog").textContent()).toContain(name);
        await page.getByRole("dialog").getByRole("button", { name: "Cancel job" }).click();
        await job.getByText("cancelled before it started").waitFor();
        expect([await job.count(), await findAxeTroubles(page)]).toEqual([1, []]);
        await job.getByRole("button", { name: "Retry" }).click();
        await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
        await job.getByText("waiting").waitFor();
      });
    });
  });

  test("the keyboard is enough", async () => {
    await inWorld({ program: EDIT }, async (world) => {
      await runTick(world);
      await see(world, async (page) => {
        await page.keyboard.press("?");
        await page.getByRole("dialog").getByText("its transcript").waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await page.keyboard.press("l");
        await page.keyboard.press("j");
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "Set the answer to 42." }).waitFor();
        await page.keyboard.press("d");
        await page.waitForURL(/\/diff\//);
        await page.keyboard.press("t");
        await page.waitForURL(/\/transcript\//);
        await page.getByRole("searchbox").waitFor();
        await page.keyboard.press("/");
        await page.keyboard.type("nothing like it");
        await page.waitForURL(/q=nothing/);
        await page.keyboard.press("Escape");
        await page.keyboard.press("m");
        await page.waitForURL(/#\/money/);
        await page.locator("nav a[aria-current=page]", { hasText: "Money" }).waitFor();
        expect(page.url()).not.toContain("/transcript/");
      });
    });
  });

  test("a key right behind Escape belongs to the view, not to the dialog that closes", async () => {
    await inWorld({ program: EDIT }, async (world) => {
      await runTick(world);
      await see(world, async (page) => {
        await page.keyboard.press("?");
        await page.getByRole("dialog").getByText("its transcript").waitFor();
        // In one turn of the page: nothing of the closed dialog is told before the next keys.
        await page.evaluate(`for (const key of ["Escape", "l", "j", "Enter"])
          dispatchEvent(new KeyboardEvent("keydown", { key }));`);
        await page.getByRole("heading", { name: "Set the answer to 42." }).waitFor();
        expect(await page.locator("dialog").count()).toBe(0);
      });
    });
  });

  test("a key that comes before the rows acts once they are there", async () => {
    await inWorld({ program: EDIT }, async (world) => {
      await runTick(world);
      await withUi(world, [], async (ui) => {
        const { page, troubles } = await openWatched(browser, { own: ownOf(ui) });
        const sendRows = await holdBack(page, "**/api/stream");
        await page.goto(ui.url);
        await page.getByText("Reading the journals").waitFor();
        for (const key of ["l", "j", "Enter", "t"]) await page.keyboard.press(key);
        expect(page.url()).toMatch(/#\/ticks$/);
        expect(await page.locator("a.tick").count()).toBe(0);
        sendRows();
        await page.waitForURL(/\/transcript\//);
        await page.getByRole("heading", { name: "Set the answer to 42." }).waitFor();
        expect(troubles).toEqual([]);
        await page.close();
      });
    });
  });

  test("a key that comes before the rows is forgotten with its view, and with Escape", async () => {
    await inWorld({ program: EDIT }, async (world) => {
      await runTick(world);
      await withUi(world, [], async (ui) => {
        const { page, troubles } = await openWatched(browser, { own: ownOf(ui) });
        const sendRows = await holdBack(page, "**/api/stream");
        await page.goto(ui.url);
        await page.getByText("Reading the journals").waitFor();
        for (const key of ["j", "Escape", "l", "j", "Enter", "n"]) await page.keyboard.press(key);
        sendRows();
        await page.locator("a.tick").waitFor();
        expect(page.url()).toMatch(/#\/now$/);
        expect(await page.locator(":focus").count()).toBe(0);
        await page.keyboard.press("j");
        await page.locator("main a:focus").waitFor();
        expect(troubles).toEqual([]);
        await page.close();
      });
    });
  });

  test.each(["light", "dark"] as const)(
    "no page is too wide for a phone, and axe finds nothing: %s",
    async (scheme) => {
      await inWorld({ program: EDIT }, async (world) => {
        await runTick(world);
        await withUi(world, [], async (ui) => {
          const { page, troubles } = await openWatched(browser, { own: ownOf(ui), width: 360, scheme });
          await page.goto(ui.url);
          await page.locator("a.tick").first().waitFor();
          const tick = (await page.locator("a.tick").first().getAttribute("href")) ?? "";
          const places = ["run", "diff", "transcript", "series"].map((name) => tick.replace("/run/", `/${name}/`));
          for (const place of ["#/now", "#/ticks", "#/queue", "#/inbox", "#/money", ...places]) {
            await page.goto(`${ownOf(ui)}${place}`);
            await page.locator(".card, .changed-file, .empty").first().waitFor();
            expect([place, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([place, 360]);
            expect([place, await findAxeTroubles(page)]).toEqual([place, []]);
          }
          expect(troubles).toEqual([]);
          await page.close();
        });
      });
    },
  );

  test("the report is the same page from disk, and asks nobody", async () => {
    await inWorld({ program: EDIT }, async (world) => {
      await runTick(world);
      const file = join(world.box, "report.html");
      await world.relais(["report", "--html", file]);
      const { page, troubles } = await openWatched(browser, { own: pathToFileURL(file).href });
      await page.goto(pathToFileURL(file).href);
      await page.getByRole("heading", { name: "Set the answer to 42." }).waitFor();
      await page.locator(".row", { hasText: "</script><img src=x" }).waitFor();
      expect(await page.getByRole("button", { name: /Accept|Undo/ }).count()).toBe(0);
      await page.getByRole("link", { name: "Transcript" }).click();
      await page.getByText("builder").first().waitFor();
      expect(troubles).toEqual([]);
      await page.close();
    });
  });
});
