import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generated } from "../scripts/generate.ts";

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
