/** Writes what was measured into its page, between the two marks. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

export const MARKS = ["<!-- measured -->", "<!-- /measured -->"] as const;

export function publishSummary(page: string, summary: string): void {
  const text = readFileSync(page, "utf8");
  const [begin, end] = MARKS;
  const [head, rest] = text.split(begin);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) throw new Error(`${page} has no place for the summary`);
  writeFileSync(page, `${head}${begin}\n\n${summary}\n\n${end}${tail}`);
  execFileSync("npx", ["prettier", "--write", "--log-level", "warn", page], { stdio: "inherit" });
}
