import { expect, test } from "vitest";
import { compileAllowed, compileForbidden } from "../../src/base/globs.ts";

test("a set may be larger than one expression can be", () => {
  const globs = Array.from({ length: 1000 }, (_, index) => `dir-${index}/${"x".repeat(300)}/**/*.{ts,js}`);
  const path = `dir-999/${"x".repeat(300)}/deep/a.js`;
  expect(compileAllowed(globs)(path)).toBe(globs.at(-1));
  expect(compileForbidden(globs)(path.toUpperCase())).toBe(globs.at(-1));
  expect(compileForbidden(globs)("dir-999/y")).toBeNull();
});
