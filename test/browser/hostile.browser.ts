/** What agents, tasks and drills wrote is text on every page, whatever it is. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rememberScorecard } from "../../src/journal/remembered-scorecard.ts";
import { CHROMIUM, launchBrowser, lookAtUi, openWatched } from "../support/browser.ts";
import { inWorld } from "../support/scenario.ts";
import { RESULT } from "../support/scenario-documents.ts";

const MARKUP = `</script><img src=x onerror="document.title='owned'"><b>bold</b>`;
const HOSTILE = `${MARKUP} <a href="javascript:document.title='owned'">javascript:alert(1)</a> \u202Eright\u2066 \u001B[31mred\u001B[0m line\u2028next\u2029 zero\u200Bwidth`;
const LONG = "x".repeat(1024 * 1024);
const QUESTION = {
  task_id: "Q",
  milestone_id: "M-1",
  task_kind: "question",
  intent: HOSTILE,
  question: { prompt: HOSTILE, choices: [HOSTILE, "no"] },
};
/** Without the hostile characters themselves, and with nothing that they could have made. */
const LOOK = `JSON.stringify({
  elements: document.querySelectorAll("main img, main b:not(figcaption b), main script, iframe, a[href^=javascript]").length,
  hidden: [...document.body.innerText].filter((one) => "\\u202e\\u2066\\u001b\\u2028\\u2029\\u200b\\u0000".includes(one)).length,
  chars: document.body.innerText.length,
  width: document.documentElement.scrollWidth,
  title: document.title,
  text: document.body.innerText.slice(0, 500000),
})`;

interface Seen {
  readonly elements: number;
  readonly hidden: number;
  readonly chars: number;
  readonly width: number;
  readonly title: string;
  readonly text: string;
}

/** Opens every fold first. */
async function lookAt(page: Page): Promise<Seen> {
  for (const fold of await page.locator("details:not([open]) > summary").all()) await fold.click();
  return JSON.parse(await page.evaluate(LOOK));
}

function expectText(place: string, seen: Seen, width: number): void {
  expect([place, seen.elements, seen.hidden, seen.width]).toEqual([place, 0, 0, width]);
  expect(seen.title).toMatch(/relais$/);
  expect(seen.chars).toBeLessThan(300_000);
}

describe.skipIf(CHROMIUM === undefined)("hostile text in a browser", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test("markup, bidi controls, terminal escapes, a line of a megabyte and javascript: are text on every page and in the report", async () => {
    const program = [
      `cat "\${0%/*}/hostile" > src/main.ts`,
      `cat "\${0%/*}/hostile"; printf 'nul\\000nul\\n'`,
      `cat "\${0%/*}/result" > "$RELAIS_RESULT_PATH"`,
    ].join("\n");
    const task = { intent: HOSTILE, verification: { fast: ["red"], slow: [] } };
    await inWorld({ program, task }, async (world) => {
      const put = (name: string, text: string) => writeFileSync(join(world.box, name), text);
      put("hostile", `export const answer = 42; // ${HOSTILE}\n// ${LONG}\n`);
      put("result", JSON.stringify({ ...RESULT, summary: HOSTILE, notes: [HOSTILE] }));
      put("question.json", JSON.stringify(QUESTION));
      await world.relais(["run", "--task", join(world.box, "task.json")]);
      const state = world.state();
      await world.relais(["submit", "task", join(world.box, "task.json")]);
      await world.relais(["run", "--task", join(world.box, "question.json")]);
      const bad = [{ id: HOSTILE, does: HOSTILE, place: HOSTILE, details: [HOSTILE] }];
      const card = { at: new Date().toISOString(), builders: 1, ticks: 1, not_reached: 0, rows: [], bad };
      await rememberScorecard(state, card);
      const file = join(world.box, "report.html");
      await lookAtUi({ browser, world }, async (page, { port }) => {
        await page.locator("a.tick", { hasText: "Reverted" }).first().waitFor();
        await page.locator(".scorecard").waitFor();
        const tick = (await page.locator("a.tick", { hasText: "Reverted" }).first().getAttribute("href")) ?? "";
        const own = ["run", "diff", "transcript", "series"].map((name) => tick.replace("/run/", `/${name}/`));
        for (const place of ["#/now", "#/ticks", "#/inbox", "#/queue", "#/money", ...own]) {
          await page.goto(`http://127.0.0.1:${port}/${place}`);
          await page.locator(".card, .changed-file, .jobs li").first().waitFor();
          const seen = await lookAt(page);
          expectText(place, seen, 1280);
          // Money has numbers only.
          expect([place, seen.text.includes("<img src=x onerror=")]).toEqual([place, place !== "#/money"]);
        }
      });
      await world.relais(["report", journalRun(state), "--html", file]);
      const { page, troubles } = await openWatched(browser, { own: pathToFileURL(file).href });
      await page.goto(pathToFileURL(file).href);
      await page.locator(".changed-file").first().waitFor();
      const seen = await lookAt(page);
      expectText("report", seen, 1280);
      expect(seen.text).toContain("<img src=x onerror=");
      expect(troubles).toEqual([]);
      await page.close();
    });
  });
});

/** The first tick. */
function journalRun(state: string): string {
  const [first = "{}"] = readFileSync(join(state, "journal.jsonl"), "utf8").split("\n");
  const { run_id: runId }: { readonly run_id: string } = JSON.parse(first);
  return runId;
}
