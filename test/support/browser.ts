/** A real browser that looks at a page of relais, and everything that went wrong meanwhile. */
import { accessSync, constants, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import type { World } from "./scenario-world.ts";
import { type UiServer, withUi } from "./ui-server.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The system's browser; null where there is none. */
export const CHROMIUM = (process.env["PATH"] ?? "")
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isExecutable);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export async function launchBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error("there is no Chromium on this machine");
  // As root it has no sandbox of its own.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: CHROMIUM, args });
}

export interface WatchedPage {
  readonly page: Page;
  /** Errors on the console, thrown errors, and requests to anybody but this server. */
  readonly troubles: readonly string[];
}

interface PageChoice {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
  /** What every request must begin with. */
  readonly own: string;
}

export async function openWatched(browser: Browser, choice: PageChoice): Promise<WatchedPage> {
  const { width = 1280, scheme = "light", own } = choice;
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: scheme });
  const troubles: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) troubles.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(own) && !request.url().startsWith("data:"))
      troubles.push(`request: ${request.url()}`);
  });
  return { page, troubles };
}

interface UiLook {
  readonly browser: Browser;
  readonly world: Pick<World, "start">;
  readonly args?: readonly string[];
}

/** Opens the page of a world, and finds nothing wrong with it in the end. */
export async function lookAtUi(
  { browser, world, args = [] }: UiLook,
  look: (page: Page, ui: UiServer) => Promise<void>,
): Promise<void> {
  await withUi(world, args, async (ui) => {
    const { page, troubles } = await openWatched(browser, { own: `http://127.0.0.1:${ui.port}/` });
    await page.goto(ui.url);
    await page.getByText("live").waitFor();
    await look(page, ui);
    expect(troubles).toEqual([]);
    await page.close();
  });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

export async function findAxeTroubles(page: Page): Promise<readonly string[]> {
  // As a text, because the policy of the page allows no script but its own; the debugger may evaluate one.
  const { violations }: AxeResult = JSON.parse(
    await page.evaluate(`(async () => { ${AXE}; return JSON.stringify(await axe.run()); })()`),
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
