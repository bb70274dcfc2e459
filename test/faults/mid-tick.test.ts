/** What a person, git and the system do to a tick that is at work: nothing is lost, and its end says what happened. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { resume, until, useSite } from "../crash/running.ts";
import { argumentsOf, changedBetween, type Site, type Strike } from "../crash/site.ts";
import { nextTickProblems } from "../crash/aftermath.ts";
import { listIsolations } from "../support/isolations.ts";
import { scratchFolder } from "../support/scratch-repository.ts";
import { compileLibrary } from "./fault-library.ts";
import { meetFault, surveyCalls } from "./faulty-tick.ts";

const PLACES = await listIsolations();
const OWN_PLACES = PLACES.filter((isolation) => isolation !== "in_place");
const PATIENCE_MS = 300_000;
const MOMENTS = ["build_ended", "settle_started"] as const;

interface End {
  readonly code: string;
  readonly message: string | null;
}

/** Lets a tick come to a line of its journal, does something then, and answers with what the tick says at its end. */
async function during(site: Site, moment: string, deed: () => void): Promise<End> {
  const mark = join(site.box, "mark");
  const strike: Strike = { mark, at: "/journal.jsonl", data: `"type":"${moment}"`, when: "pause" };
  const running = site.relais([...argumentsOf(site), "--json"], strike);
  await until(() => existsSync(mark));
  try {
    deed();
  } finally {
    resume(mark);
  }
  const { stdout } = await running;
  const { code, message }: End = JSON.parse(stdout);
  return { code, message };
}

const useCommitting = (isolation: (typeof PLACES)[number]) => useSite("committed", { isolation, sandbox: "off" });

/** The patches of everything in salvage. */
function salvageOf(site: Site): string {
  const folder = join(site.state() ?? "", "salvage");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => readFileSync(join(folder, name, "changes.patch"), "utf8")).join("");
}

const PACKING = ["gc --prune=now --quiet", "repack -a -d -q"] as const;

describe.each(PACKING)("git %s", (command) => {
  const words = command.split(" ");
  test.each(MOMENTS)(
    "in place, at %s: the tick is reverted with the packs, and its work is in salvage",
    async (moment) => {
      const site = await useCommitting("in_place");
      const before = site.look();
      const { code } = await during(site, moment, () => void site.git(...words));
      expect(["STOP_GIT_METADATA_MUTATION", "STOP_INTERRUPTED"]).toContain(code);
      expect(changedBetween(before, site.look())).toEqual([]);
      expect(salvageOf(site)).toContain("+ok");
      expect(await nextTickProblems(site, site.kind)).toEqual([]);
    },
    PATIENCE_MS,
  );

  test.each(OWN_PLACES.flatMap((isolation) => MOMENTS.map((moment) => [isolation, moment] as const)))(
    "%s, at %s: the tick is committed, and git has every object",
    async (isolation, moment) => {
      const site = await useCommitting(isolation);
      expect(await during(site, moment, () => void site.git(...words))).toMatchObject({ code: "SUCCESS" });
      expect(site.git("fsck", "--full", "--strict")).toBe("");
      expect(site.git("show", "HEAD:src/x.ts")).toBe("ok\n");
      expect(await nextTickProblems(site, site.kind)).toEqual([]);
    },
    PATIENCE_MS,
  );
});

function commitByHand({ root, git }: Site): void {
  writeFileSync(join(root, "src/mine.ts"), "mine\n");
  git("add", "src/mine.ts");
  git("commit", "--quiet", "--message", "by hand");
}

describe.each(MOMENTS)("a person who edits and commits at %s", (moment) => {
  test.each(OWN_PLACES)(
    "%s: the commit stays, and the work of the tick is in salvage",
    async (isolation) => {
      const site = await useCommitting(isolation);
      const { code } = await during(site, moment, () => commitByHand(site));
      expect(code).toBe("STOP_MAIN_TREE_CHANGED");
      expect(site.git("log", "--format=%s", "--max-count=1").trim()).toBe("by hand");
      expect(site.git("status", "--porcelain")).toBe("");
      expect(salvageOf(site)).toContain("+ok");
    },
    PATIENCE_MS,
  );

  test(
    "in place: everything is as before, and both works are in salvage",
    async () => {
      const site = await useCommitting("in_place");
      const before = site.look();
      const { code } = await during(site, moment, () => commitByHand(site));
      expect(["STOP_HEAD_MOVED", "STOP_INTERRUPTED"]).toContain(code);
      expect(changedBetween(before, site.look())).toEqual([]);
      expect(salvageOf(site)).toContain("+ok");
      expect(salvageOf(site)).toContain("+mine");
    },
    PATIENCE_MS,
  );
});

function edit({ root }: Site, path: string): void {
  writeFileSync(join(root, path), "mine\n");
}

const PHASES = ["build_started", "judged", "verified", "settle_started"] as const;

describe.each(OWN_PLACES)("a person who edits, %s", (isolation) => {
  test.each(PHASES)(
    "at %s, what the tick changes: the edit stays, and the work of the tick is in salvage",
    async (moment) => {
      const site = await useCommitting(isolation);
      const end = await during(site, moment, () => edit(site, "src/x.ts"));
      expect(end.code).toBe("STOP_MAIN_TREE_CHANGED");
      expect(end.message).toContain("src/x.ts");
      expect(site.git("status", "--porcelain")).toBe(" M src/x.ts\n");
      expect(readFileSync(join(site.root, "src/x.ts"), "utf8")).toBe("mine\n");
      expect(salvageOf(site)).toContain("+ok");
    },
    PATIENCE_MS,
  );

  test.each(["build_started", "settle_started"])(
    "at %s, something else: the edit stays and is no part of the commit",
    async (moment) => {
      const site = await useCommitting(isolation);
      expect(await during(site, moment, () => edit(site, "src/mine.ts"))).toMatchObject({ code: "SUCCESS" });
      expect(site.git("status", "--porcelain")).toBe("?? src/mine.ts\n");
      expect(readFileSync(join(site.root, "src/mine.ts"), "utf8")).toBe("mine\n");
    },
    PATIENCE_MS,
  );
});

describe("a person who edits, in place", () => {
  test.each(["build_started", "build_ended"])(
    "at %s: the edit is judged and kept with the work of the builder",
    async (moment) => {
      const site = await useCommitting("in_place");
      expect(await during(site, moment, () => edit(site, "src/mine.ts"))).toMatchObject({ code: "SUCCESS" });
      expect(site.git("show", "HEAD:src/mine.ts")).toBe("mine\n");
    },
    PATIENCE_MS,
  );

  test.each(["judged", "verified", "settle_started"])(
    "at %s: the tick is reverted with the edit, its end names the file, and salvage has both",
    async (moment) => {
      const site = await useCommitting("in_place");
      const before = site.look();
      const end = await during(site, moment, () => edit(site, "src/mine.ts"));
      expect(end).toEqual({ code: "STOP_INTERRUPTED", message: expect.stringContaining("src/mine.ts") });
      expect(changedBetween(before, site.look())).toEqual([]);
      expect(salvageOf(site)).toMatch(/\+mine[^]*\+ok|\+ok[^]*\+mine/u);
    },
    PATIENCE_MS,
  );
});

test(
  "a lock whose process number belongs to another process now does not keep recovery away",
  async () => {
    const site = await useCommitting("in_place");
    const before = site.look();
    const strike = { at: "/journal.jsonl", data: '"type":"settle_started"', when: "after" } as const;
    expect(await site.relais(argumentsOf(site), strike)).toMatchObject({ signal: "SIGKILL" });
    for (const path of [join(site.state() ?? "", "lock.json"), join(site.root, "relais/lock.json")]) {
      const text = readFileSync(path, "utf8");
      writeFileSync(path, text.replace(/"pid": ?\d+/, `"pid": ${process.pid}`));
      expect(readFileSync(path, "utf8")).not.toBe(text);
    }
    expect(await site.relais(["recover", "--yes"])).toMatchObject({ status: 0 });
    expect(changedBetween(before, site.look())).toEqual([]);
    expect(await nextTickProblems(site, site.kind)).toEqual([]);
  },
  PATIENCE_MS,
);

const mount = (...args: string[]) => execFileSync("mount", args, { stdio: "pipe" });

function canMount(): boolean {
  const folder = scratchFolder();
  try {
    mount("-t", "tmpfs", "none", folder);
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  }
}

const stateOf = ({ box }: Site): string => join(box, "state");

async function useMounted(folder: (site: Site) => string, ...args: string[]): Promise<Site> {
  const site = await useCommitting("in_place");
  mount(...args, folder(site), ...(args.includes("--bind") ? [folder(site)] : []));
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder(site)]));
  return site;
}

/** Only root can mount something. */
describe.skipIf(!canMount())("on a file system of its own", () => {
  test.each(MOMENTS)(
    "a repository that is mounted read-only at %s is as before after recovery",
    async (moment) => {
      const site = await useMounted(({ root }) => root, "--bind");
      const before = site.look();
      const { code, message } = await during(site, moment, () => mount("-o", "remount,ro,bind", site.root));
      expect(code).toBe("BLOCKED_ROLLBACK_FAILED");
      expect(message).toMatch(/read-only file system/i);
      mount("-o", "remount,rw,bind", site.root);
      expect(await site.relais(["recover", "--yes"])).toMatchObject({ status: 0 });
      expect(changedBetween(before, site.look())).toEqual([]);
      expect(salvageOf(site)).toContain("+ok");
      expect(await nextTickProblems(site, site.kind)).toEqual([]);
    },
    PATIENCE_MS,
  );

  test.each(MOMENTS)(
    "a state directory without a free inode since %s",
    async (moment) => {
      const site = await useMounted(stateOf, "-t", "tmpfs", "-o", "nr_inodes=20000", "none");
      const before = site.look();
      const { code, message } = await during(site, moment, () => {
        const [total, free] = execFileSync("stat", ["-f", "-c", "%c %d", stateOf(site)], { encoding: "utf8" }).split(
          " ",
        );
        mount("-o", `remount,nr_inodes=${Number(total) - Number(free)}`, stateOf(site));
      });
      expect(["STOP_INTERRUPTED", "BLOCKED_CRASH_RECOVERY_REQUIRED", "BLOCKED_ROLLBACK_FAILED"]).toContain(code);
      expect(message).toMatch(/no space left/i);
      mount("-o", "remount,nr_inodes=20000", stateOf(site));
      expect(await site.relais(["recover", "--yes"])).toMatchObject({ status: 0 });
      expect(changedBetween(before, site.look())).toEqual([]);
      expect(await nextTickProblems(site, site.kind)).toEqual([]);
    },
    PATIENCE_MS,
  );
});

const library = compileLibrary();
const HOUR = 3_600;

/** Skipped where there is no C compiler. */
describe.skipIf("missing" in library)("the clock of a tick", () => {
  test.each([-24 * HOUR, -HOUR, HOUR, 24 * HOUR])(
    "may jump by %i seconds",
    async (shiftSeconds) => {
      const path = "path" in library ? library.path : "";
      const site = await useCommitting("in_place");
      const calls = await surveyCalls(path, site, "tick");
      const fault = { at: Math.floor(calls.length / 2), error: "EIO", mode: "clock", shiftSeconds } as const;
      const { failures } = await meetFault(path, site, { fault, deed: "tick" });
      expect(failures).toEqual([]);
    },
    PATIENCE_MS,
  );
});
