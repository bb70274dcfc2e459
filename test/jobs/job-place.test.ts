/** The place of a job: a repository of its own, and a process that cannot outlive its worker. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { locateJobPlace, prepareJobPlace, clearJobPlace } from "../../src/jobs/job-workspace.ts";
import { runChild } from "../../src/jobs/run-child.ts";
import { gitEnvironment } from "../support/repositories.ts";
import { executable } from "../support/relais.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

const quiet = new AbortController().signal;

function makePlace(job = "job-1") {
  const source = scratchRepository({ "src/a.txt": "one\n" });
  const environment = { ...gitEnvironment(source.box), TMPDIR: process.env["TMPDIR"] };
  const place = locateJobPlace(join(scratchFolder(), job), job, environment);
  const commit = source.git("rev-parse", "HEAD");
  const sources = {
    repository: { kind: "path", path: source.root },
    base: { commit, branch: "main" },
    config: null,
    files: {},
  } as const;
  return { source, place, sources, commit };
}

test("a clone has the base on a branch of its own, and the source stays as it is", async () => {
  const { source, place, sources, commit } = makePlace();
  source.put({ "src/a.txt": "not committed\n", new: "new\n" });
  source.git("add", "new");
  const before = source.git("for-each-ref") + source.git("status", "--porcelain");
  const config = '{ "version": "1.0" }\n';
  expect(await prepareJobPlace(place, { ...sources, config }, { token: "1", signal: quiet })).toBe("new");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.repo }).toString().trim();
  expect(readFileSync(join(place.repo, "src/a.txt"), "utf8")).toBe("one\n");
  expect([git("rev-parse", "HEAD"), git("symbolic-ref", "HEAD")]).toEqual([commit, "refs/heads/relais/job-1"]);
  expect([git("status", "--porcelain"), git("remote")]).toEqual(["", ""]);
  expect(readFileSync(join(place.repo, "relais.config.json"), "utf8")).toBe(config);
  expect(source.git("for-each-ref") + source.git("status", "--porcelain")).toBe(before);
  expect(await prepareJobPlace(place, sources, { token: "2", signal: quiet })).toBe("resumed");
});

test("a URL is cloned whole, without a remote to push to", async () => {
  const { source, place, sources, commit } = makePlace();
  const repository = { kind: "url", url: `file://${source.root}` } as const;
  expect(await prepareJobPlace(place, { ...sources, repository }, { token: "1", signal: quiet })).toBe("new");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.repo }).toString().trim();
  expect([git("rev-parse", "HEAD"), git("remote"), git("status", "--porcelain")]).toEqual([commit, "", ""]);
  expect(existsSync(join(place.repo, ".git/objects/info/alternates"))).toBe(false);
});

test("a commit that is gone is named", async () => {
  const { place, sources } = makePlace();
  const base = { commit: "0".repeat(39).concat("1"), branch: null };
  await expect(prepareJobPlace(place, { ...sources, base }, { token: "1", signal: quiet })).rejects.toThrow(
    /the commit 0+1: is not in the repository any more/,
  );
});

test("a child begins when it is recorded, and answers with its document", async () => {
  const { place, sources } = makePlace();
  await prepareJobPlace(place, sources, { token: "1", signal: quiet });
  const run = { relais: [process.execPath, executable], args: ["status", "--json"], place, name: "1" } as const;
  const seen: number[] = [];
  const end = await runChild({
    ...run,
    stop: quiet,
    onStarted: ({ pid, birth }) => {
      seen.push(pid);
      expect(birth).not.toBe("");
      expect(readFileSync(join(place.folder, "1.out"), "utf8")).toBe("");
      return Promise.resolve(true);
    },
  });
  expect(end).toMatchObject({ status: 0, signal: null, document: { repository: place.repo } });
  expect(await runChild({ ...run, stop: quiet, onStarted: () => Promise.resolve(false) })).toBeNull();
  expect(seen).toHaveLength(1);
});

test("a process that carries the marker of the place is ended, and one of a longer name is not", async () => {
  const { place } = makePlace();
  const longer = locateJobPlace(`${place.folder}0`, `${place.job}0`, {});
  const other = spawn("/bin/sleep", ["60"], { env: { ...longer.environment }, detached: true, stdio: "ignore" });
  const otherGone = new Promise((done) => other.once("exit", (_, signal) => done(signal)));
  const script = join(scratchFolder(), "sleep.sh");
  writeFileSync(script, "sleep 60\n");
  const child = spawn("/bin/sh", [script], { env: { ...place.environment }, detached: true, stdio: "ignore" });
  const gone = new Promise((done) => child.once("exit", (_, signal) => done(signal)));
  await clearJobPlace(place, null);
  expect(await gone).toBe("SIGKILL");
  other.kill("SIGTERM");
  expect(await otherGone).toBe("SIGTERM");
});
