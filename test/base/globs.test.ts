import fc from "fast-check";
import { expect, test } from "vitest";
import { validateGlob } from "../../src/base/glob-validity.ts";
import { compileAllowed, compileForbidden, makeLikelyTest } from "../../src/base/globs.ts";
import { runs } from "../support/runs.ts";

test.each([
  ["src/**", "src/a.ts"],
  ["src/**", "src/.hidden/.file"],
  ["src/**", "src/line\nbreak"],
  ["**", ".env"],
  ["**/*.ts", "a.ts"],
  ["**/*.ts", "deep/er/a.ts"],
  ["a/**/b", "a/b"],
  ["*.{ts,tsx}", "x.tsx"],
  ["app/[id].ts", "app/[id].ts"],
  ["app/[id].ts", "app/d.ts"],
  ["app/[id]/[a-c]*.ts", "app/[id]/b1.ts"],
  ["app/[[...slug]]/**", "app/[[...slug]]/page.tsx"],
  ["app/(group)/**", "app/(group)/page.tsx"],
  ["[!a]b", "cb"],
  ["{a,b}.ts", "{a,b}.ts"],
  ["caf\u00e9/**", "cafe\u0301/menu"],
  ["?.ts", "😀.ts"],
  ['say "hi"*', 'say "hi" twice'],
])("allowing %s covers %j", (glob, path) => {
  expect(compileAllowed([glob])(path)).toBe(glob);
});

test.each([
  ["src/**", "src"],
  ["src/**", "SRC/a.ts"],
  ["src/**", "srcs/a.ts"],
  ["src/*", "src/a/b"],
  ["*.ts", "src/a.ts"],
  ["a[!b]c", "a/c"],
  ["a[+-0]c", "a/c"],
  ["!a", "b"],
  ["/src/**", "src/a"],
])("allowing %s does not cover %s", (glob, path) => {
  expect(compileAllowed([glob])(path)).toBeNull();
});

test.each([
  ["**/*secret*", "src/secrets/key.pem"],
  ["**/*secret*", "src/SECRET.txt"],
  ["**/*secret*", "\u017fecret"],
  ["**/.env*", ".env"],
  ["**/.env*", "deep/.ENV.local"],
  ["**/node_modules/**", "node_modules/.bin/x"],
  ["**/node_modules/**", "a/node_modules"],
  ["relais/**", "relais"],
  ["caf\u00c9/**", "CAFE\u0301/menu"],
  ["src/[A-C]*", "src/b1/x"],
  ["straße?", "STRASSE1"],
  ["?.pem", "ß.pem"],
  ["\u01f0*", "J\u030cx"],
  ["J\u030c*", "\u01f0x"],
])("forbidding %s covers %s", (glob, path) => {
  expect(compileForbidden([glob])(path)).toBe(glob);
  expect(makeLikelyTest(["other.txt", glob]).test(path)).toBe(true);
});

test("what is likely to be forbidden has a part of a glob, or letters beyond ASCII", () => {
  const likely = makeLikelyTest(["**/.env*", "relais/**"]);
  const paths = ["src/a.ts", "src/.ENV", "Relais/x", "src/\u017f.ts"];
  expect(paths.filter((path) => likely.test(path))).toEqual(paths.slice(1));
  expect(makeLikelyTest(["!unreadable"]).test("src/a.ts")).toBe(true);
});

test.each([
  ["secret", "secrets"],
  ["a/b", "a"],
  ["*.pem", "src/x.pem"],
])("forbidding %s does not cover %s", (glob, path) => {
  expect(compileForbidden([glob])(path)).toBeNull();
});

test("a glob that cannot be read allows nothing and forbids everything", () => {
  expect(compileAllowed(["!secret"])("src/a")).toBeNull();
  expect(compileForbidden(["src/**", "!secret"])("docs/a")).toBe("!secret");
});

test("the first glob that matches is named", () => {
  const globs = ["docs/**", "src/*", "**"];
  expect(compileAllowed(globs)("src/a")).toBe("src/*");
  expect(compileForbidden(globs)("src/a/b")).toBe("src/*");
  expect(compileForbidden([])("src/a")).toBeNull();
});

/** An independent matcher for `**`, `*`, `?` and literals: plain recursion, one rule a line. */
function naive(glob: string, path: string): boolean {
  const segments = (patterns: readonly string[], names: readonly string[]): boolean => {
    const [pattern, ...rest] = patterns;
    if (pattern === undefined) return names.length === 0;
    if (pattern === "**" && rest.length === 0) return names.length > 0;
    if (pattern === "**") return segments(rest, names) || (names.length > 0 && segments(patterns, names.slice(1)));
    return names[0] !== undefined && letters(pattern, names[0]) && segments(rest, names.slice(1));
  };
  const letters = (pattern: string, name: string): boolean => {
    if (pattern === "") return name === "";
    const rest = pattern.slice(1);
    if (pattern[0] === "*") return letters(rest, name) || (name !== "" && letters(pattern, name.slice(1)));
    return name !== "" && (pattern[0] === "?" || pattern[0] === name[0]) && letters(rest, name.slice(1));
  };
  return segments(glob.split("/"), path.split("/"));
}

const pattern = fc.oneof(
  { weight: 1, arbitrary: fc.constant("**") },
  {
    weight: 3,
    arbitrary: fc
      .string({ unit: fc.constantFrom("a", "b", ".", "*", "?"), minLength: 1, maxLength: 4 })
      .filter((text) => !/^\.+$|\*\*|\*.*\*.*\*/u.test(text)),
  },
);
const restricted = fc
  .array(pattern, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("/"))
  .filter((glob) => compilable(glob));
const name = fc
  .string({ unit: fc.constantFrom("a", "b", "."), minLength: 1, maxLength: 3 })
  .filter((text) => !/^\.{1,2}$/u.test(text));
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("/"));

/** Within the bound on wildcards; beyond it a glob is refused, which is another test's business. */
function compilable(glob: string): boolean {
  return (glob.match(/\*+/gu)?.length ?? 0) <= 3 && (glob.match(/\*\*/gu)?.length ?? 0) <= 2;
}

test("allowed globs mean what a naive matcher says", () => {
  fc.assert(
    fc.property(restricted, path, (glob, subject) => {
      expect(compileAllowed([glob])(subject) !== null).toBe(naive(glob, subject));
    }),
    runs(5000),
  );
});

test("forbidden globs mean the same for the path, every folder above it and the folder of a final globstar", () => {
  fc.assert(
    fc.property(restricted, path, fc.boolean(), (glob, subject, shout) => {
      const parts = subject.split("/");
      const prefixes = parts.map((_, last) => parts.slice(0, last + 1).join("/"));
      const folder = glob.replace(/(?:\/\*\*)+$/u, "");
      const expected = prefixes.some((prefix) => naive(glob, prefix) || naive(folder, prefix));
      expect(compileForbidden([glob])(shout ? subject.toUpperCase() : subject) !== null).toBe(expected);
    }),
    runs(5000),
  );
});

test("a set decides as its globs do one by one", () => {
  fc.assert(
    fc.property(fc.array(restricted, { maxLength: 5 }), path, (globs, subject) => {
      const single = globs.find((glob) => compileAllowed([glob])(subject) !== null) ?? null;
      expect(compileAllowed(globs)(subject)).toBe(single);
    }),
  );
});

test("many paths are decided as few are", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "B", "é", "ſ", "ß", "K", "/", "[", "]"), maxLength: 6 });
  const globs = fc.array(
    fc.tuple(letters, fc.constantFrom("*", "?", "[ak]", "{a,K}", "")).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(globs, fc.array(letters, { minLength: 1, maxLength: 5 }), (texts, subjects) => {
      const usable = texts.filter((text) => validateGlob(text) === null);
      for (const compile of [compileAllowed, compileForbidden]) {
        const [few, many] = [compile(usable), compile(usable)];
        for (let asked = 0; asked < 1000; asked += 1) many("");
        for (const subject of subjects) expect(few(subject)).toBe(many(subject));
      }
    }),
    runs(30),
  );
});

test("braces stand for their alternatives", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 2 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 4 }), text, (alternatives, subject) => {
      const glob = `x{${alternatives.join(",")}}y`;
      expect(compileAllowed([glob])(`x${subject}y`) !== null).toBe(alternatives.includes(subject));
    }),
  );
});

test("a simple glob is judged as in braces, where nothing is taken for simple", () => {
  const piece = fc.constantFrom("**", "*", "/", ".", "..", "a", "-", "_9", ".b", "*.c");
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
      const glob = pieces.join("");
      return validateGlob(glob) !== null || validateGlob(`{${glob},${glob}x}`) === null;
    }),
    runs(500),
  );
  expect(validateGlob("a/../b")).not.toBe(validateGlob("a/b"));
});
