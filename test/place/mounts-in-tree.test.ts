import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { MeasurementError } from "../../src/base/errors.ts";
import { RollbackError } from "../../src/base/rollback-error.ts";
import { rules } from "../support/evidence.ts";
import { place } from "../support/workplace.ts";

const mounted: string[] = [];

function mount(...args: readonly string[]): void {
  const { status, stderr } = spawnSync("mount", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  mounted.push(args.at(-1) ?? "");
}

function unmountAll(): void {
  for (const point of mounted.splice(0).toReversed()) spawnSync("umount", [point]);
}

function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), "relais-mount-"));
  const isPossible = spawnSync("mount", ["-t", "tmpfs", "none", probe]).status === 0;
  if (isPossible) spawnSync("umount", [probe]);
  rmSync(probe, { recursive: true });
  return isPossible;
}

afterEach(unmountAll);

describe.skipIf(!canMount())("what is mounted in a repository while a builder works", () => {
  test.each([
    [
      "a folder of somebody else, in a new folder",
      "src/new/deep",
      (root: string, outside: string) => {
        mkdirSync(join(root, "src/new/deep"), { recursive: true });
        writeFileSync(join(root, "src/new/beside"), "x\n");
        mount("--bind", outside, join(root, "src/new/deep"));
      },
    ],
    [
      "a folder of somebody else, below what was a file",
      "src/a.ts/deep",
      (root: string, outside: string) => {
        rmSync(join(root, "src/a.ts"));
        mkdirSync(join(root, "src/a.ts/deep"), { recursive: true });
        mount("--bind", outside, join(root, "src/a.ts/deep"));
      },
    ],
    [
      "a folder of somebody else, over git's data",
      ".git/info",
      (root: string, outside: string) => mount("--bind", outside, join(root, ".git/info")),
    ],
    [
      "a file system of its own, in a name with blanks",
      "src/a b",
      (root: string) => {
        mkdirSync(join(root, "src/a b"));
        mount("-t", "tmpfs", "none", join(root, "src/a b"));
      },
    ],
    ["a file system over the whole", "", (root: string) => mount("-t", "tmpfs", "none", root)],
  ])("%s: nothing there is touched, and what is hidden comes back afterwards", async (_, named, mountIn) => {
    const repo = place();
    const outside = join(dirname(repo.root), "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "precious"), "theirs\n");
    const workplace = await repo.open();
    const observationSha256 = await workplace.change.prepare();
    repo.write("README.md", "evil\n");
    mountIn(repo.root, outside);
    await expect(workplace.change.collect()).rejects.toThrow(MeasurementError);
    await expect(workplace.change.collect(rules(), "unchanged")).resolves.toMatchObject({});
    const failure: unknown = await workplace.settlement.discard().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RollbackError);
    expect(failure).toMatchObject({
      message: expect.stringContaining("relais recover"),
      differences: [expect.stringContaining(`\`umount ${join(repo.root, named)}\``)],
    });
    expect(readFileSync(join(outside, "precious"), "utf8")).toBe("theirs\n");
    expect(spawnSync("ls", [outside], { encoding: "utf8" }).stdout).toBe("precious\n");
    unmountAll();
    const later = await repo.open();
    await later.recovery.resume(observationSha256);
    await later.settlement.discard();
    expect(repo.read("README.md")).toBe("# r\n");
    expect(repo.git("status", "--porcelain")).toBe("?? notes.txt\n");
    expect(existsSync(join(repo.root, "src/new"))).toBe(false);
    expect(readFileSync(join(outside, "precious"), "utf8")).toBe("theirs\n");
  });

  test("what was mounted before is part of the worktree", async () => {
    const repo = place();
    mkdirSync(join(repo.root, "volume"));
    mount("-t", "tmpfs", "none", join(repo.root, "volume"));
    repo.write("volume/mine", "mine\n");
    const workplace = await repo.open();
    await workplace.change.prepare();
    repo.write("volume/mine", "changed\n");
    const { evidence } = await workplace.change.collect();
    expect(evidence.changes.map(({ path }) => path)).toEqual(["volume/mine"]);
    await workplace.settlement.discard();
    expect(repo.read("volume/mine")).toBe("mine\n");
  });

  test("what was mounted before and is gone is not written into the folder below it", async () => {
    const repo = place();
    mkdirSync(join(repo.root, "volume"));
    mount("-t", "tmpfs", "none", join(repo.root, "volume"));
    repo.write("volume/mine", "mine\n");
    const workplace = await repo.open();
    await workplace.change.prepare();
    unmountAll();
    await expect(workplace.settlement.discard()).rejects.toMatchObject({
      differences: [`${join(repo.root, "volume")}: a file system was unmounted here; mount it again`],
    });
    expect(existsSync(join(repo.root, "volume/mine"))).toBe(false);
  });
});
