import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MeasurementError } from "../../src/base/errors.ts";
import { type GitRequest, runGit } from "../../src/git/git.ts";
import { createPrivateRepository } from "../../src/git/private-repository.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

const BYTES = 1024 * 1024;

async function failure(request: GitRequest): Promise<MeasurementError> {
  const error: unknown = await runGit(request).catch((reason: unknown) => reason);
  if (!(error instanceof MeasurementError)) throw new Error(`not a failed measurement: ${String(error)}`);
  return error;
}

/** A folder with a program called git, to be put before the real one. */
function pretendGit(script: string): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "git"), 0o755);
  return folder;
}

async function withPath<T>(path: string, use: () => Promise<T>): Promise<T> {
  const before = process.env["PATH"];
  process.env["PATH"] = path;
  try {
    return await use();
  } finally {
    process.env["PATH"] = before;
  }
}

const inPretended = (script: string, request: Partial<GitRequest> = {}) =>
  withPath(`${pretendGit(script)}:${process.env["PATH"]}`, () =>
    failure({ args: ["status"], cwd: "/", environment: process.env, outputBytesMax: BYTES, ...request }),
  );

test("the answer is the whole output, byte for byte", async () => {
  const { root } = scratchRepository({ "a.bin": Buffer.from([0, 255, 10, 13]) });
  const { stdout, status } = await runGit({
    args: ["cat-file", "blob", "HEAD:a.bin"],
    cwd: root,
    gitDir: join(root, ".git"),
    environment: process.env,
    outputBytesMax: BYTES,
  });
  expect([...stdout]).toEqual([0, 255, 10, 13]);
  expect(status).toBe(0);
});

test("no repository is searched for when none is named", async () => {
  const { root } = scratchRepository({ "a.txt": "1\n" });
  const { detail } = await failure({
    args: ["rev-parse", "HEAD"],
    cwd: root,
    environment: process.env,
    outputBytesMax: BYTES,
  });
  expect(detail).toContain("not a git repository");
});

test("an unexpected status is thrown with git's own words, an expected one is an answer", async () => {
  const { root } = scratchRepository({ "a.txt": "1\n" });
  const request = {
    args: ["rev-parse", "--verify", "nowhere"],
    cwd: root,
    gitDir: join(root, ".git"),
    environment: process.env,
    outputBytesMax: BYTES,
  };
  const error = await failure(request);
  expect(error.what).toBe("git rev-parse");
  expect(error.detail).toBe("ended with status 128: fatal: Needed a single revision");
  expect(await runGit({ ...request, okStatuses: [0, 128] })).toMatchObject({ status: 128 });
});

test("more output than allowed, a kill, a missing program and a missing folder are all thrown", async () => {
  expect((await inPretended("yes", { outputBytesMax: 1000 })).detail).toBe("printed more than 1000 bytes");
  expect((await inPretended("kill -9 $$")).detail).toBe("was ended by SIGKILL");
  expect((await inPretended("true", { cwd: "/nonexistent/folder" })).detail).toContain("ENOENT");
  const empty = scratchFolder();
  const missing = await withPath(empty, () =>
    failure({ args: ["status"], cwd: "/", environment: process.env, outputBytesMax: BYTES }),
  );
  expect(missing.detail).toMatch(/^no git is on the PATH/);
});

test("a git that hangs is ended together with what it started", async () => {
  const folder = scratchFolder();
  const mark = join(folder, "pid");
  const error = await inPretended(`sleep 300 & echo $! > ${mark}; wait`, { timeoutMs: 1500 });
  expect(error.detail).toBe("took longer than 1500 ms");
  const child = Number(readFileSync(mark, "utf8"));
  const isGone = () => !existsSync(`/proc/${child}`) || readFileSync(`/proc/${child}/stat`, "utf8").includes(") Z ");
  await expect.poll(isGone, { timeout: 10_000 }).toBe(true);
});

test("a stop request ends git", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  expect((await inPretended("sleep 300", { signal: stop.signal })).detail).toBe("was stopped");
});

test("a process left behind with the error stream open does not keep us waiting", async () => {
  const started = pretendGit("(exec sleep 30 >/dev/null) & echo $!");
  const answer = await withPath(`${started}:${process.env["PATH"]}`, () =>
    runGit({
      args: ["status"],
      cwd: "/",
      environment: process.env,
      outputBytesMax: BYTES,
      timeoutMs: 20_000,
    }),
  );
  // It still runs, so it was not its end that let us go on.
  expect(process.kill(Number(answer.stdout.toString()), "SIGKILL")).toBe(true);
});

async function* failing(): AsyncGenerator<Buffer> {
  yield Buffer.from("HEAD\n");
  await Promise.resolve();
  throw new Error("the source dried up");
}

test("input that git does not want is no failure, input that fails is one", async () => {
  const { root } = scratchRepository({ "a.txt": "1\n" });
  const base = { cwd: root, gitDir: join(root, ".git"), environment: process.env, outputBytesMax: BYTES };
  await runGit({ ...base, args: ["rev-parse", "HEAD"], input: Buffer.alloc(8 * BYTES) });
  const error = await failure({ ...base, args: ["cat-file", "--batch-check"], input: failing() });
  expect(error.detail).toBe("the source dried up");
});

test("neither the repository's programs nor the environment's settings take effect", async () => {
  const { box, root, git } = scratchRepository({ "a.txt": "1\n" });
  const mark = join(box, "mark");
  const program = join(box, "program");
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\nexit 1\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(root, ".git/hooks/post-index-change"), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  for (const key of ["core.fsmonitor", "diff.external", "core.pager", "core.sshCommand"]) git("config", key, program);
  process.env["GIT_CONFIG_PARAMETERS"] = `'core.fsmonitor'='${program}'`;
  try {
    const request = {
      cwd: root,
      gitDir: join(root, ".git"),
      workTree: root,
      environment: process.env,
      outputBytesMax: BYTES,
    };
    await runGit({ ...request, args: ["status", "--porcelain", "-z"] });
    // It writes the index, and with it runs the hook that waits for that.
    await runGit({ ...request, args: ["update-index", "--force-write-index"] });
  } finally {
    delete process.env["GIT_CONFIG_PARAMETERS"];
  }
  expect(existsSync(mark)).toBe(false);
});

test.each(["plain", 'with "quotes"', "with:colon", "with\nline feed", "with \\ backslash", "#hash"])(
  "a private repository reads from another store, also from one %j",
  async (name) => {
    const { root, commit } = scratchRepository();
    const id = commit({ [`${name}/a.txt`]: "1\n" });
    const folder = scratchFolder();
    const own = await createPrivateRepository(join(folder, "own"), {
      alternates: [join(root, ".git/objects")],
    });
    const odd = join(folder, name);
    const request = {
      cwd: folder,
      environment: process.env,
      outputBytesMax: BYTES,
      args: ["cat-file", "-t", id],
    };
    expect((await runGit({ ...request, gitDir: own.gitDir })).stdout.toString()).toBe("commit\n");
    // A second one, whose only way to the commit leads through the first, in a folder with an odd name.
    const between = await createPrivateRepository(odd, { alternates: [join(root, ".git/objects")] });
    const outer = await createPrivateRepository(join(folder, "outer"), {
      alternates: [between.objectDirectory],
    });
    expect((await runGit({ ...request, gitDir: outer.gitDir })).stdout.toString()).toBe("commit\n");
    const bare = await createPrivateRepository(join(folder, "bare"));
    const alternates = [between.objectDirectory];
    expect((await runGit({ ...request, gitDir: bare.gitDir, alternates })).stdout.toString()).toBe("commit\n");
  },
);

test.runIf(process.platform === "linux")("memory is bounded where that is asked for", async () => {
  const request = {
    args: ["hash-object", "--stdin", "--no-filters"],
    cwd: scratchFolder(),
    input: Buffer.alloc(96 * BYTES),
    environment: process.env,
    outputBytesMax: 1000,
  };
  await expect(runGit({ ...request, memoryBytesMax: 64 * BYTES })).rejects.toThrow(/memory/i);
  await expect(runGit({ ...request, input: Buffer.from("x"), memoryBytesMax: 64 * BYTES })).resolves.toMatchObject({
    status: 0,
  });
});
