/** The page as one text with its policy: nothing runs but its own script, and nothing is loaded. */
import { createHash } from "node:crypto";
import page from "./browser/page.html";
import type { ReportBundle } from "./pure/repository-documents.ts";

const POLICY_PLACE = "<!--policy-->";
const DATA_PLACE = "<!--data-->";
const TIGHT = ["default-src 'none'", "img-src data:", "base-uri 'none'", "form-action 'none'"];

function hash(element: string): string {
  const text = new RegExp(`<${element}>(?<text>[^]*)</${element}>`, "u").exec(page)?.groups?.["text"] ?? "";
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

const listSources = (): readonly string[] => [`script-src ${hash("script")}`, `style-src ${hash("style")}`];

/** For the server's header; the page may ask its own server only. */
export function makeServedPolicy(): string {
  return [...TIGHT, ...listSources(), "connect-src 'self'", "frame-ancestors 'none'"].join("; ");
}

export function makeServedPage(): string {
  return page.replace(POLICY_PLACE, "").replace(DATA_PLACE, "");
}

/** One file with everything inside; it asks nobody. */
export function makeReportFile(bundle: ReportBundle): string {
  const policy = [...TIGHT, ...listSources()].join("; ");
  // `<` could end the element that holds the data.
  const data = JSON.stringify(bundle).replaceAll("<", String.raw`\u003c`);
  return page
    .replace(POLICY_PLACE, () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
    .replace(DATA_PLACE, () => `<script type="application/json" id="data">${data}</script>`);
}
