/** Everything that the documents name exists. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { CODES } from "../../src/base/codes.ts";
import { type DocWorld, docFaults } from "../support/doc-faults.ts";

const ROOT = join(import.meta.dirname, "../..");
const DOCUMENTS = execFileSync(
  "git",
  ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md", "action.yml"],
  { cwd: ROOT, encoding: "utf8" },
)
  .split("\0")
  .filter((path) => /^(?:docs\/.*|lab\/README|[A-Z]+)\.md$|^action\.yml$/.test(path) && existsSync(join(ROOT, path)));

function read(path: string): string | null {
  const place = join(ROOT, path);
  if (!existsSync(place)) return null;
  return statSync(place).isDirectory() ? "" : readFileSync(place, "utf8");
}

/** Every name of a property, with those of the objects around it, whatever alternatives a schema has. */
function keysOf(schema: unknown, place = ""): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => keysOf(part, place));
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([word, part]) => {
    if (word === "items") return keysOf(part, `${place}[]`);
    if (word !== "properties") return keysOf(part, place);
    return Object.entries(Object(part)).flatMap(([name, inner]) => {
      const full = place === "" ? name : `${place}.${name}`;
      return [full, ...keysOf(inner, full)];
    });
  });
}

const json = (path: string): unknown => JSON.parse(read(path) ?? "");
const { scripts } = v.parse(v.looseObject({ scripts: v.record(v.string(), v.string()) }), json("package.json"));
const WORLD: DocWorld = {
  read,
  keys: new Set(["config", "task"].flatMap((name) => keysOf(json(`schemas/${name}.schema.json`)))),
  codes: new Set(Object.keys(CODES)),
  scripts: new Set(Object.keys(scripts)),
};

test("the documents of the repository are found", () => {
  expect(DOCUMENTS).toEqual(
    expect.arrayContaining([
      "README.md",
      "ARCHITECTURE.md",
      "CONTRIBUTING.md",
      "docs/tick.md",
      "lab/README.md",
      "docs/first-tick.md",
    ]),
  );
});

test("the README installs the packages that a package is built with before it packs one", () => {
  const [install = ""] = (read("README.md") ?? "").split("## Install").slice(1);
  expect(/```sh\n([^]*?)```/u.exec(install)?.[1]).toMatch(/^npm ci && npm pack\b[^]*\nnpm install -g \.\/relais-/u);
  expect(scripts["prepack"]).toBe("npm run build");
});

test.each(DOCUMENTS)("everything that %s names exists", (path) => {
  expect(docFaults({ path, text: read(path) ?? "" }, WORLD)).toEqual([]);
});
