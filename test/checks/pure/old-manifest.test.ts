import { expect, test } from "vitest";
import { isPinnedInParts, pinManifest } from "../../../src/checks/pure/old-manifest.ts";

const pin = (path: string, old: object | null, now: object): unknown => {
  const text = pinManifest(path, old === null ? null : JSON.stringify(old), JSON.stringify(now));
  return text === null ? null : JSON.parse(text);
};

test("package.json keeps new dependencies, and old scripts and settings", () => {
  const old = { scripts: { test: "vitest" }, jest: { bail: 1 } };
  const now = { scripts: { test: "true", build: "tsc" }, jest: {}, dependencies: { a: "1" } };
  expect(pin("a/package.json", old, now)).toEqual({
    scripts: { test: "vitest", build: "tsc" },
    jest: { bail: 1 },
    dependencies: { a: "1" },
  });
});

test("tsconfig.json may name more files, but is otherwise as before", () => {
  const old = { compilerOptions: { strict: true }, include: ["src"] };
  const now = { compilerOptions: { strict: false }, include: ["types"], exclude: ["src/a.ts"] };
  expect(pin("tsconfig.json", old, now)).toEqual({ compilerOptions: { strict: true }, include: ["src", "types"] });
  expect(pin("tsconfig.build.json", { extends: "./a" }, { extends: "./b", include: ["x"] })).toEqual({
    extends: "./a",
  });
});

test("a new tsconfig.json, and one with comments, is used as it was before", () => {
  expect(pin("tsconfig.json", null, { include: ["src"] })).toBe(null);
  expect(pinManifest("tsconfig.json", "// strict\n{}", "{}")).toBe(null);
});

test("only these files are pinned in parts", () => {
  const paths = ["package.json", "a/tsconfig.json", "tsconfig.test.json", "jest.config.json", "src/mypackage.json"];
  expect(paths.filter(isPinnedInParts)).toEqual(["package.json", "a/tsconfig.json", "tsconfig.test.json"]);
});
