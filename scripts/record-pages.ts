/**
 * Takes the pictures of the page: `npm run picture:pages`.
 *
 * The executable plays its demonstration in a fresh folder and serves the page about it to a real browser. Look at the
 * result: ids and times differ each time, so take them again only after the page has changed.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { chromium, type Page } from "playwright-core";
import * as v from "valibot";

const ROOT = resolve(import.meta.dirname, "../..");
const OUT = join(ROOT, "docs/pictures");
const RELAIS = join(ROOT, "dist/relais.cjs");
const BROWSER = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const SETTLED_MS = 700;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly scheme: "light" | "dark";
  /** Goes to what is shown. */
  readonly open: (page: Page) => Promise<void>;
}

const openTick = (word: string) => async (page: Page) => {
  await page.goto(new URL("#/ticks", page.url()).href);
  await page.locator("a.tick", { hasText: word }).first().click();
  await page.locator(".row").first().waitFor();
};
const openSeries = (word: string) => async (page: Page) => {
  await page.locator("a.series-row", { hasText: word }).first().click();
  await page.locator(".tree, .turns").first().waitFor();
};

const openQueue = async (page: Page) => {
  await page.goto(new URL("#/queue", page.url()).href);
  await page.locator(".jobs li").first().waitFor();
};

const PICTURES: readonly Picture[] = [
  { name: "ui-now", width: 1200, height: 760, scheme: "light", open: async () => {} },
  { name: "ui-tick", width: 1200, height: 760, scheme: "light", open: openTick("outside the allowed paths") },
  { name: "ui-queue", width: 1200, height: 560, scheme: "light", open: openQueue },
  { name: "ui-goal", width: 1200, height: 760, scheme: "dark", open: openSeries("relais goal") },
  { name: "ui-phone", width: 360, height: 760, scheme: "dark", open: openTick("Give ten percent off") },
];

async function main(): Promise<void> {
  // The folder is in the pictures.
  const box = mkdtempSync("/tmp/relais-");
  const place = join(box, "demo");
  execFileSync(process.execPath, [RELAIS, "demo", "--into", place], { stdio: "ignore" });
  const env = { ...process.env, XDG_STATE_HOME: join(place, "state") };
  fillQueue(join(place, "shop"), env);
  const server = spawn(process.execPath, [RELAIS, "ui", "--no-open", "--json"], { env });
  try {
    const line = await new Promise<string>((done) => createInterface({ input: server.stdout }).once("line", done));
    const { url }: { readonly url: string } = JSON.parse(line);
    for (const picture of PICTURES) await take(picture, url);
  } finally {
    server.kill("SIGINT");
    rmSync(box, { recursive: true, force: true });
  }
}

/** One job that a worker did, and two that wait. */
function fillQueue(shop: string, env: NodeJS.ProcessEnv): void {
  const relais = (...args: string[]) =>
    void execFileSync(process.execPath, [RELAIS, ...args], { cwd: shop, env, stdio: "ignore" });
  const task = v.parse(v.looseObject({}), JSON.parse(readFileSync(join(shop, "relais/TASK.json"), "utf8")));
  const steps = [{ do: "append", path: "src/till.mjs", text: "\nexport const currency = 'EUR';\n" }];
  const builder = { mode: "scripted", max_turns: 1, instructions: JSON.stringify({ steps }) };
  const file = join(shop, "..", "task.json");
  writeFileSync(file, JSON.stringify({ ...task, intent: "Say which currency the prices have.", builder }));
  relais("submit", "task", file);
  relais("worker", "--drain", "--unsandboxed");
  relais("submit", "goal", "Every price is shown with its currency");
  relais("submit", "run", "Print a receipt", "--at", new Date(Date.now() + DAY_MS).toISOString());
}

async function take({ name, width, height, scheme, open }: Picture, url: string): Promise<void> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: BROWSER, args });
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  await page.goto(url);
  await page.locator("a.tick").first().waitFor();
  await open(page);
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: join(OUT, `${name}.png`) });
  await browser.close();
}

await main();
