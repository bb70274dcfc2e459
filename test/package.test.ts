import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "./support/scratch-repository.ts";

const ROOT = join(import.meta.dirname, "..");

test("the licence of every bundled package is passed on", () => {
  const folder = scratchFolder();
  execFileSync(process.execPath, [join(ROOT, "scripts/build.mjs"), folder], { cwd: folder });
  const notices = readFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
  for (const licence of ["valibot/LICENSE.md", "picomatch/LICENSE"]) {
    const text = readFileSync(join(ROOT, "node_modules", licence), "utf8").trim();
    expect(notices).toContain(`${dirname(licence)} `);
    expect(notices).toContain(text);
  }
  const bundled = readFileSync(join(folder, "relais.cjs"), "utf8").matchAll(
    /^\s*\/\/ node_modules\/([^/]+)\//gm,
  );
  for (const [, name] of bundled) expect(notices).toMatch(new RegExp(`^${name} `, "m"));
});

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

test("every page of the package links only to what the package has", () => {
  // Without scripts, because the build is not needed to know what would be packed.
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const listed: readonly Packed[] = JSON.parse(
    execFileSync("npm", args, { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"] }).toString(),
  );
  const paths = listed.flatMap(({ files }) => files.map(({ path }) => path));
  expect(paths).toContain("docs/examples/pre-commit");
  const links = paths
    .filter((path) => path.endsWith(".md"))
    .flatMap((page) =>
      [...readFileSync(join(ROOT, page), "utf8").matchAll(/\]\((?<to>[^)#]+)[^)]*\)/g)]
        .map(({ groups }) => groups?.["to"] ?? "")
        .filter((to) => !/^[a-z]+:/.test(to))
        .map((to) => normalize(join(dirname(page), to))),
    );
  expect(links).toContain("docs/judge.md");
  const dead = links.filter((to) => !paths.some((path) => path === to || path.startsWith(`${to}/`)));
  expect(dead).toEqual([]);
});
