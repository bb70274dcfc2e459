/** The bill of materials and the origin of a tarball, for what is really built here. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import * as v from "valibot";
import { BundledPackages, Lock, makeBill, makeProvenance } from "../../scripts/release-papers.ts";

const ROOT = join(import.meta.dirname, "../..");
const built = inject("built");
const TARBALL = { name: "relais", version: "1.2.3", sha256: "ab".repeat(32) };
const packages = v.parse(BundledPackages, JSON.parse(readFileSync(join(built, "bundled-packages.json"), "utf8")));
const lock = v.parse(Lock, JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
const Bill = v.looseObject({
  components: v.array(
    v.looseObject({
      name: v.string(),
      version: v.string(),
      purl: v.string(),
      licenses: v.tuple([v.object({ expression: v.string() })]),
      hashes: v.array(v.object({ alg: v.literal("SHA-512"), content: v.string() })),
    }),
  ),
});
const { components } = v.parse(Bill, makeBill(TARBALL, packages, lock));

const PACKAGE = /node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)\//;

/** What the source maps of the bundle name, and what the page imports, which is a text in it. */
function listBundled(): readonly string[] {
  const maps = readdirSync(built, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".cjs.map"));
  const Sources = v.looseObject({ sources: v.array(v.string()) });
  const sources = maps.flatMap((name) => v.parse(Sources, JSON.parse(readFileSync(join(built, name), "utf8"))).sources);
  const named = sources.flatMap((file) => PACKAGE.exec(file)?.groups?.["name"] ?? []);
  return [...new Set([...named, ...listPagePackages()])].toSorted();
}

function listPagePackages(): readonly string[] {
  const folder = join(ROOT, "src/page/browser");
  const files = readdirSync(folder).map((name) => join(folder, name));
  const texts = files.map((file) => readFileSync(file, "utf8"));
  const imported = texts.flatMap((text) => [...text.matchAll(/from "(?<name>(?:@[^/"]+\/)?[^./"@][^/"]*)/g)]);
  const direct = new Set(imported.map(({ groups }) => groups?.["name"] ?? ""));
  const Manifest = v.looseObject({ dependencies: v.optional(v.record(v.string(), v.string()), {}) });
  for (const name of direct) {
    const text = readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8");
    for (const dependency of Object.keys(v.parse(Manifest, JSON.parse(text)).dependencies)) direct.add(dependency);
  }
  return [...direct];
}

test("the bill lists exactly the packages in the bundle", () => {
  const names = components.map(({ name }) => name);
  expect(names.toSorted()).toEqual(listBundled());
  expect(names).toContain("valibot");
  expect(names).not.toContain("vitest");
});

test("each with the version, the licence and the hash that are installed", () => {
  for (const { name, version, purl, licenses, hashes } of components) {
    const installed: unknown = JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8"));
    expect(installed).toMatchObject({ name, version, license: licenses[0].expression });
    expect(purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`);
    expect(hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
  }
});

test("the origin names the tarball, the commit and the lockfile by their hashes", () => {
  const origin = { commit: "c".repeat(40), files: { "package-lock.json": "d".repeat(64) }, node: "v20.19.0" };
  expect(makeProvenance(TARBALL, origin)).toMatchObject({
    _type: "https://in-toto.io/Statement/v1",
    predicateType: "https://slsa.dev/provenance/v1",
    subject: [{ name: "relais-1.2.3.tgz", digest: { sha256: TARBALL.sha256 } }],
    predicate: {
      buildDefinition: {
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: origin.commit } },
          { name: "package-lock.json", digest: { sha256: "d".repeat(64) } },
        ],
      },
    },
  });
});
