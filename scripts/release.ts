/**
 * Makes a release: version, changelog, generated files, a tarball that was installed elsewhere and tried, a commit, a tag.
 *
 * `npm run release -- X.Y.Z [--dry-run]`. Nothing leaves this machine: pushing and publishing are printed as what to type
 * next. A dry run does everything but the commit and the tag. Then, and after a failure, the tree is as it was.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import * as v from "valibot";
import { goodWalk, install, pack, walkThrough } from "../test/support/installed.ts";
import { BundledPackages, Lock, makeBill, makeProvenance } from "./release-papers.ts";
import { isBefore, isVersion, releasedChangelog, releasedLock, releasedPackage } from "./release-files.ts";

const USAGE = "usage: npm run release -- X.Y.Z [--dry-run]";
const SHELF = ".cache/release";
/** Everything that a release writes; the folders hold what is generated. */
const WRITTEN = ["package.json", "package-lock.json", "CHANGELOG.md", "README.md", "docs", "man", "schemas"];
/** Pages that name the tarball. */
const PAGES = ["README.md", "docs/judge.md"];

class Refusal extends Error {}

function main(): void {
  const { values, positionals } = parseArgs({
    options: { "dry-run": { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [version = ""] = positionals;
  refuseUnready(version, positionals.length);
  let isDone = false;
  try {
    writeVersion(version);
    const tarball = makeTarball(version);
    if (!values["dry-run"]) commitAndTag(version);
    isDone = !values["dry-run"];
    writeProvenance(tarball, version);
    if (values["dry-run"]) return console.log(`A dry run: ${tarball} works. Nothing was committed.`);
    console.log(
      [
        `relais ${version} is committed and tagged; ${tarball} was installed and works. Next:`,
        `  git push origin HEAD v${version}`,
        `  npm publish ${tarball}`,
        `Beside it: ${nameBeside(tarball, BILL)} (its packages) and ${nameBeside(tarball, PROVENANCE)} (its origin).`,
      ].join("\n"),
    );
  } finally {
    if (!isDone) putBack();
  }
}

function refuseUnready(version: string, count: number): void {
  if (count !== 1 || !isVersion(version)) throw new Refusal(USAGE);
  const { version: current }: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));
  if (isBefore(version, current)) throw new Refusal(`${version} comes before ${current} of package.json`);
  if (git("tag", "--list", `v${version}`) !== "") throw new Refusal(`the tag v${version} exists already`);
  if (git("status", "--porcelain") !== "")
    throw new Refusal("the tree is not clean: commit or stash your changes first");
}

function writeVersion(version: string): void {
  const { version: current }: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));
  const date = new Date().toISOString().slice(0, "2000-01-01".length);
  rewrite("package.json", (text) => releasedPackage(text, version));
  rewrite("package-lock.json", (text) => releasedLock(text, version));
  rewrite("CHANGELOG.md", (text) => releasedChangelog(text, version, date));
  for (const page of PAGES) rewrite(page, (text) => text.replaceAll(`relais-${current}.tgz`, `relais-${version}.tgz`));
  execFileSync(process.execPath, ["scripts/run.mjs", "scripts/generate.ts"], { stdio: "inherit" });
}

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

/** Packs what lies here, installs it in an empty folder and goes through its commands in a fresh repository. */
function makeTarball(version: string): string {
  const folder = mkdtempSync(join(tmpdir(), "relais-release-"));
  try {
    const built = join(folder, "built");
    execFileSync(process.execPath, ["scripts/build.mjs", built], { stdio: "inherit" });
    const packed = pack(resolve("."), built, folder);
    const place = join(folder, "installed");
    install(packed, place);
    const found = tried(join(place, "node_modules/.bin/relais"), folder);
    if (!isDeepStrictEqual(found, goodWalk(version)))
      throw new Error(`the installed package does not work: ${JSON.stringify(found)}`);
    mkdirSync(SHELF, { recursive: true });
    const tarball = join(SHELF, basename(packed.tarball));
    copyFileSync(packed.tarball, tarball);
    const packages = v.parse(BundledPackages, readJson(join(built, "bundled-packages.json")));
    const bill = makeBill(describeTarball(tarball, version), packages, v.parse(Lock, readJson("package-lock.json")));
    writeJson(nameBeside(tarball, BILL), bill);
    return tarball;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of the release commit are those that lie here; in a dry run, the commit is the one before. */
function writeProvenance(tarball: string, version: string): void {
  const files = Object.fromEntries(["package.json", "package-lock.json"].map((file) => [file, hash(file)]));
  const origin = { commit: git("rev-parse", "HEAD"), files, node: process.version };
  writeJson(nameBeside(tarball, PROVENANCE), makeProvenance(describeTarball(tarball, version), origin));
}

const BILL = "cdx.json";
const PROVENANCE = "provenance.json";

const nameBeside = (tarball: string, kind: string): string => tarball.replace(/tgz$/, kind);
const hash = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");
const describeTarball = (tarball: string, version: string) => ({ name: "relais", version, sha256: hash(tarball) });
const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const writeJson = (file: string, document: object): void =>
  writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);

/** What a walk through the commands has found, or why there was none. */
function tried(program: string, folder: string): unknown {
  try {
    return walkThrough({ command: [program] }, folder);
  } catch (error) {
    return String(error);
  }
}

function commitAndTag(version: string): void {
  git("add", "--", ...WRITTEN);
  git("commit", "--quiet", `--message=chore: release ${version}`);
  git("tag", "--annotate", `--message=relais ${version}`, `v${version}`);
}

/** The tree was clean, so whatever differs by now was written here. */
function putBack(): void {
  git("reset", "--quiet", "--", ...WRITTEN);
  git("checkout", "--quiet", "--", ...WRITTEN);
  git("clean", "--quiet", "--force", "-d", "--", ...WRITTEN);
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}

try {
  main();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`release: ${error.message}`);
  process.exitCode = 2;
}
