import fc from "fast-check";
import { expect, test } from "vitest";
import { isGitLike, findUnsafeName } from "../../src/base/path-names.ts";
import { runs } from "../support/runs.ts";

const reasonFor = (path: string) => findUnsafeName({ path, path_base64: null });

test.each([
  "src/a b.ts",
  "src/día/naïve.ts",
  "app/[id]/(group)/@modal/page.tsx",
  "$(rm -rf ~)/`x`",
  "-rf",
  "it's",
  "😀/👩‍💻/❤️.md",
  "keycap-1️⃣.txt",
  ".github/.gitignore",
  ".gitmodules",
  "git",
  "x.git",
  "config.ts",
  "auxiliary/com10/console.log",
  "日本語/файл",
  "a/".repeat(500) + "b",
  "é".repeat(127),
])("%j is an honest name", (path) => {
  expect(reasonFor(path)).toBeNull();
});

test.each([
  ["a\nb", "U+000A"],
  ["a\u007fb", "U+007F"],
  ["a\u0085b", "U+0085"],
  ["a\u2028b", "U+2028"],
  ["a\ud800b", "U+D800"],
  ["a\u202eb", "U+202E"],
  ["a\u200bb", "U+200B"],
  ["a\u200db", "U+200D"],
  ["a\ufe0fb", "U+FE0F"],
  ["a\u00adb", "U+00AD"],
  ["a\u{e0041}b", "U+E0041"],
  ["a\\b", "backslash"],
  ["a/".repeat(512) + "b", "longer than 1024 bytes"],
  ["é".repeat(128), "longer than 255 bytes"],
  ["", "empty component"],
  ["a//b", "empty component"],
  ["a/../b", "component `..`"],
  ["./a", "component `.`"],
  ["sub/.git/config", "`.git`"],
  [".GIT", "`.git`"],
  [".g\u200cit", "`.git`"],
  [".git. .", "`.git`"],
  [".git::$INDEX_ALLOCATION", "`.git`"],
  ["GIT~1/hooks", "`.git`"],
  ["a:b", "not every system"],
  ["what?", "not every system"],
  ['"x"', "not every system"],
  [" a", "white space"],
  ["a /b", "white space"],
  ["a\u00a0", "white space"],
  ["a./b", "ends with a dot"],
  ["CON", "Windows device"],
  ["src/aux.ts", "Windows device"],
  ["nul .txt", "Windows device"],
  ["lpt9.tar.gz", "Windows device"],
  ["com¹", "Windows device"],
])("%j is refused: %s", (path, reason) => {
  expect(reasonFor(path)).toContain(reason);
});

test("bytes that are not UTF-8 are refused whatever their text looks like", () => {
  expect(findUnsafeName({ path: "src/a", path_base64: "/w==" })).toBe("is not valid UTF-8");
});

test.each([".git", ".Git", ".git ", ".git:x", "git~1", "GIT~22", ".\u200dg\ufeffit"])(
  "%j may be taken for .git",
  (name) => {
    expect(isGitLike(name)).toBe(true);
  },
);

test.each([".gitignore", "git", ".gi", "git~", "git~x", "a.git"])("%j is not .git", (name) => {
  expect(isGitLike(name)).toBe(false);
});

/** One question a character, in the order of the code points; nothing shared with the policy. */
function naiveCharacterIsUnsafe(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  const within = (first: number, last: number) => code >= first && code <= last;
  return (
    within(0, 0x1f) ||
    within(0x7f, 0x9f) ||
    within(0x200b, 0x200f) ||
    within(0x2028, 0x202e) ||
    within(0x2060, 0x206f) ||
    code === 0xfeff ||
    '\\:*?"<>|'.includes(character)
  );
}

test("a name of ordinary characters is refused exactly when a character is", () => {
  const character = fc.oneof(
    fc.constantFrom(...Array.from("abz09-_é日$'()[]{}\\:*?\"<>|")),
    fc.integer({ min: 0, max: 0xac }).map((code) => String.fromCodePoint(code)),
    fc.integer({ min: 0x2010, max: 0x2070 }).map((code) => String.fromCodePoint(code)),
    fc.constant("\ufeff"),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 6 }), (characters) => {
      // The letters around it keep the rules about ends and reserved names out of play.
      const inside = characters.filter((one) => one !== "/" && one !== ".");
      expect(reasonFor(`x${inside.join("")}x`) !== null).toBe(inside.some(naiveCharacterIsUnsafe));
    }),
    runs(2000),
  );
});

test("a folder of a safe path is safe, and an unsafe component spoils every path", () => {
  const part = fc.oneof(fc.constantFrom("a", "b c", ".git", "nul", "x\n"), fc.string({ maxLength: 5 }));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const components = parts.join("/").split("/");
      const naive = components.some((component) => reasonFor(component) !== null);
      expect(reasonFor(components.join("/")) !== null).toBe(naive);
    }),
  );
});
