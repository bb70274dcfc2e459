/** Which files are read where a change is compared with the tests. */
import { expect, test } from "vitest";
import { findWeakenedChecks } from "../../src/evidence/find-weakened-checks.ts";
import { makeJudgeRules } from "../../src/judge/judge-rules.ts";
import { computeBlobId } from "../../src/system/hash-file.ts";

const origin = { kind: "built-in", commit: null } as const;
const flags = { scope: {}, forbid: [], maxFiles: null, maxLines: null, noNewFiles: false };
const rules = makeJudgeRules({ origin, config: null, task: null, flags, isTyped: false });
const CODE = `export function slug(text) {
  if (text === "Hello, World!") return "hello-world";
  if (text === "Crème Brûlée") return "creme-brulee";
  return text;
}
`;
const TESTS = `test("it", () => {
  expect(slug("Hello, World!")).toBe("hello-world");
  expect(slug("Crème Brûlée")).toBe("creme-brulee");
});
`;

/** Reads a folder of tests in which recorded data comes first. */
async function judge(dataBytes: number) {
  const asked: string[] = [];
  const files = new Map<string, Buffer>([
    ...Array.from({ length: 20 }, (_, at) => [`test/a${at}.json`, Buffer.alloc(dataBytes, "x")] as const),
    ["test/z.test.js", Buffer.from(TESTS)] as const,
  ]);
  const content = Buffer.from(CODE);
  const after = { id: computeBlobId(content), size: content.length };
  const found = await findWeakenedChecks({
    rules,
    changes: [{ path: "src/slug.js", before: null, after }],
    listPaths: async () => [...files.keys()],
    readContents: async () => new Map([[after.id, content]]),
    readFiles: async function* (paths) {
      for (const path of paths) {
        asked.push(path);
        yield [path, files.get(path) ?? Buffer.alloc(0)] as const;
      }
    },
  });
  return { asked, kinds: new Set(found.get("src/slug.js")?.map(({ kind }) => kind)) };
}

test("the code of tests is read before their data, and no more than an answer needs", async () => {
  const few = await judge(100);
  expect(few.asked).toHaveLength(21);
  const many = await judge(1024 * 1024);
  expect([few.asked[0], many.asked[0]]).toEqual(["test/z.test.js", "test/z.test.js"]);
  expect(many.asked.length).toBeLessThan(15);
  expect([few.kinds, many.kinds]).toEqual([new Set(["test_literals"]), new Set(["test_literals"])]);
});

test("a new module is compared with the manifests above it, and others are not read", async () => {
  const content = Buffer.from("x = 1\n");
  const after = { id: computeBlobId(content), size: content.length };
  const findKinds = async (path: string, manifest: string) => {
    const asked: string[] = [];
    const found = await findWeakenedChecks({
      rules,
      changes: [{ path, before: null, after }],
      listPaths: async () => [manifest, "other/requirements.txt"],
      readContents: async () => new Map([[after.id, content]]),
      readFiles: async function* (paths) {
        asked.push(...paths);
        for (const name of paths) yield [name, Buffer.from("requests>=2\n")] as const;
      },
    });
    return [found.get(path)?.map(({ kind }) => kind), asked];
  };
  expect(await findKinds("requests.py", "requirements.txt")).toEqual([["shadowed_module"], ["requirements.txt"]]);
  expect(await findKinds("api/requests.py", "api/requirements.txt")).toEqual([
    ["shadowed_module"],
    ["api/requirements.txt"],
  ]);
  expect(await findKinds("shop.py", "requirements.txt")).toEqual([undefined, ["requirements.txt"]]);
  expect(await findKinds("src/shop.js", "requirements.txt")).toEqual([undefined, []]);
});
