import fc from "fast-check";
import { expect, test } from "vitest";
import { readGlob } from "../../src/base/globs.ts";
import { validateGlob } from "../../src/base/glob-validity.ts";
import { runs } from "../support/runs.ts";

const exact = { fold: (text: string) => text, endsAtFolder: false };

test.each([
  "**",
  "src/**",
  "**/.env*",
  "**/*secret*",
  "**/node_modules/**",
  "src/**/*.{ts,tsx}",
  "packages/*/src/**/__tests__/**",
  "app/[id]/[[...slug]]/page.tsx",
  "app/(group)/page.tsx",
  "openapi/{id}.yaml",
  "a..b/[!x]?",
  "docs/día/😀*",
  "-x/$(y)",
])("%s can be used", (glob) => {
  expect(validateGlob(glob)).toBeNull();
});

test.each([
  ["", "is empty"],
  ["a".repeat(401), "longer than 400"],
  ["!src/**", "begins with `!`"],
  ["/etc/**", "begins with `/`"],
  ["src/", "ends with `/`"],
  ["a//b", "empty segment"],
  ["../x", "`..` segment"],
  ["a/{..,b}/c", "`..` segment"],
  ["./a", "`.` segment"],
  ["a\0b", "control character"],
  ["a\nb", "control character"],
  [String.raw`a\*b`, "backslash"],
  ["+(+(a))", "extended glob"],
  ["@(a|b)/**", "extended glob"],
  ["{a,b", "do not pair"],
  ["a},{b", "do not pair"],
  ["{1..9}", "range in braces"],
  ["[z-a]", "out of order"],
  ["[\u00ff-\u212b]", "out of order"],
  ["[[:alpha:]]", "named character class"],
  ["{a,b}".repeat(7), "more than 64 patterns"],
  ["[ab]".repeat(9), "more than 8 character classes"],
  ["*a*b*c*", "too many wildcards"],
  ["**/a/**/b/**/c", "too many wildcards"],
  ["**/*a*/**/*b*/c", "too many wildcards"],
])("%j is refused because it %s", (glob, reason) => {
  expect(validateGlob(glob)).toContain(reason);
  expect(readGlob(glob, exact)).toBeNull();
});

test("whatever is accepted compiles", () => {
  const unit = fc.constantFrom(...Array.from('ab*?[]{},/.!-^|()+"$é\u00ff\u212b\u0301\ue000'));
  fc.assert(
    fc.property(fc.string({ unit, minLength: 1, maxLength: 40 }), (glob) => {
      const reading = readGlob(glob, exact);
      expect(reading === null).toBe(validateGlob(glob) !== null);
      for (const source of reading?.sources ?? []) expect(() => new RegExp(source, "su")).not.toThrow();
    }),
    runs(3000),
  );
});

/** How many wildcards can end in more than one place: globstars before the end, and all but one star of a segment. */
function freeWildcards(glob: string): number {
  const segments = glob.replace(/\*\*(?:\/\*\*)+(?=\/|$)/gu, "**").split("/");
  return segments.reduce((sum, segment, position) => {
    if (segment === "**") return sum + (position === segments.length - 1 ? 0 : 1);
    return sum + Math.max(0, (segment.match(/\*+/gu)?.length ?? 0) - 1);
  }, 0);
}

test("nothing that is accepted can be made to backtrack without end", () => {
  // Patterns and paths of one letter are the worst case: every wildcard can end anywhere.
  const unit = fc.constantFrom("a", "*", "**", "/", "?", "/**/", "{a,aa}", "[a]", "[][]", "b");
  const paths = ["a".repeat(255), `${"a/".repeat(500)}c`, `${`${"a".repeat(100)}/`.repeat(10)}c`, "[]".repeat(120)];
  fc.assert(
    fc.property(fc.array(unit, { minLength: 1, maxLength: 30 }), (parts) => {
      const glob = parts.join("");
      const sources = readGlob(glob, exact)?.sources ?? [];
      // The bound comes first: without it the matching below would not end.
      expect(sources.length === 0 || freeWildcards(glob) <= 3).toBe(true);
      const answers = sources.flatMap((source) => paths.map((path) => new RegExp(`^(?:${source})$`, "su").test(path)));
      expect(answers).toHaveLength(sources.length * paths.length);
    }),
    runs(500),
  );
});
