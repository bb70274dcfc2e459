/** A real browser that looks at a page of relais, and everything that went wrong meanwhile. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

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
