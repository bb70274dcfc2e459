/** Before the checks run, caches of tools are as they were before the build. */
import { existsSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { place } from "../support/workplace.ts";

const TAGGED = { ".mypy_cache/CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n" };

test("what a builder wrote into ignored caches is reverted, and nothing else", async () => {
  const { root, read, write, open } = place({ ".gitignore": "dist/\n.*_cache/\n*.tsbuildinfo\n.eslintcache\n" });
  for (const [path, text] of Object.entries(TAGGED)) write(path, text);
  write(".mypy_cache/3.12/a.json", "true\n");
  write("src/app.tsbuildinfo", "old\n");
  const workplace = await open();
  await workplace.change.prepare();
  write("src/a.ts", "built\n");
  write("dist/out.js", "rebuilt\n");
  write(".mypy_cache/3.12/a.json", "forged\n");
  write(".mypy_cache/3.12/new/b.json", "forged\n");
  write("src/app.tsbuildinfo", "forged\n");
  write(".eslintcache", "forged\n");
  const candidate = await workplace.change.collect();
  const cleared = await workplace.change.clean(candidate);
  expect(cleared.changed).toEqual([]);
  expect([read(".mypy_cache/3.12/a.json"), read("src/app.tsbuildinfo")]).toEqual(["true\n", "old\n"]);
  expect([".mypy_cache/3.12/new/b.json", ".eslintcache"].filter((path) => existsSync(join(root, path)))).toEqual([]);
  expect([read("src/a.ts"), read("dist/out.js")]).toEqual(["built\n", "rebuilt\n"]);
  expect(cleared.candidate.evidence.changes.map(({ path }) => path).toSorted()).toEqual(["dist/out.js", "src/a.ts"]);
  expect(await workplace.change.changedSince(cleared.candidate)).toEqual([]);
  expect(await workplace.settlement.merge(cleared.candidate)).toEqual([]);
  await workplace.settlement.discard();
  expect(read("dist/out.js")).toBe("built\n");
});

test("a folder that a builder made for a cache is removed with it, unless something else is in it", async () => {
  const { root, write, open } = place({ ".gitignore": "node_modules/\n" });
  write("node_modules/dep/index.js", "dep\n");
  const workplace = await open();
  await workplace.change.prepare();
  write("node_modules/.cache/deep/forged.json", "{}\n");
  write("node_modules/own/node_modules/.cache/forged.json", "{}\n");
  write("node_modules/own/index.js", "own\n");
  const { candidate } = await workplace.change.clean(await workplace.change.collect());
  expect(readdirSync(join(root, "node_modules")).toSorted()).toEqual(["dep", "own"]);
  expect(readdirSync(join(root, "node_modules/own"))).toEqual(["index.js"]);
  expect(await workplace.change.changedSince(candidate)).toEqual([]);
  await workplace.settlement.discard();
  expect(readdirSync(join(root, "node_modules"))).toEqual(["dep"]);
});

test("nothing is written through a link that took the place of a folder", async () => {
  const { root, state, write, open } = place({ ".gitignore": "*_cache/\n" });
  for (const [path, text] of Object.entries(TAGGED)) write(`src/deep/${path}`, text);
  const workplace = await open();
  await workplace.change.prepare();
  rmSync(join(root, "src/deep"), { recursive: true });
  symlinkSync(state, join(root, "src/deep"));
  await workplace.change.clean(await workplace.change.collect());
  expect(existsSync(join(state, ".mypy_cache"))).toBe(false);
});
