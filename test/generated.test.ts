import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generated } from "../scripts/generate.ts";
import { SHIPPED_PROMPTS } from "../src/workspace/session-files.ts";
import { SHIPPED_SCHEMAS } from "../src/workspace/shipped-files.ts";

const files = generated();

test.each(Object.entries(files))("%s is fresh (npm run generate)", (path, text) => {
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("no schema ships that nothing generates", () => {
  const shipped = readdirSync("schemas", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => `schemas/${name}`);
  expect(shipped.toSorted()).toEqual(
    Object.keys(files)
      .filter((path) => path.startsWith("schemas/"))
      .toSorted(),
  );
});

const filesIn = (folder: string, ending: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")] as const);

test("the executable holds every prompt and every schema of a document as it lies in its folder", () => {
  expect(SHIPPED_PROMPTS).toEqual(Object.fromEntries(filesIn("prompts", ".txt")));
  const schemas = filesIn("schemas", ".json").map(([name, text]) => [name, JSON.parse(text)] as const);
  expect(SHIPPED_SCHEMAS).toEqual(Object.fromEntries(schemas));
});

/** People write most of these pages; only some tables are generated. */
const PARTLY_GENERATED = ["checks", "configuration", "judge", "troubleshooting"].map((page) => `docs/${page}.md`);

test("what is generated as a whole is marked as such for reviewers", () => {
  const paths = Object.keys(files).filter((path) => path !== "ARCHITECTURE.md" && !PARTLY_GENERATED.includes(path));
  const marks = execFileSync("git", ["check-attr", "linguist-generated", "--", ...paths], {
    encoding: "utf8",
  });
  expect(marks.trimEnd().split("\n")).toEqual(paths.map((path) => `${path}: linguist-generated: set`));
});
