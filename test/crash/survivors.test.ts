/** A killed relais cannot end what it started, so recovery has to. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { living, makeBuilderStubborn, startTick, stubborn, untilStubborn, useSite } from "./running.ts";
import { changedBetween, type Site } from "./site.ts";

const CHECK_ARGS = ["-c", ". ./../../check.sh"];
const stubbornCheck = { verification: { templates: [{ id: "check", cmd: "sh", args: CHECK_ARGS }] } };

test.each([
  ["builder", {}, makeBuilderStubborn],
  ["check", stubbornCheck, (site: Site) => writeFileSync(join(site.box, "check.sh"), stubborn(site))],
  [
    "hook",
    { git: { commit: "always", hooks: "run" } },
    (site: Site) => {
      const hook = join(site.root, ".git/hooks/pre-commit");
      writeFileSync(hook, `#!/bin/sh\n${stubborn(site)}\n`);
      chmodSync(hook, 0o755);
    },
  ],
] as const)(
  "a %s that outlives a killed relais does nothing more after recovery",
  async (name, config, prepare) => {
    const site = await useSite("committed", config);
    prepare(site);
    const before = site.look();
    const { child, end } = startTick(site);
    const pids = await untilStubborn(site);
    child.kill("SIGKILL");
    expect(await end).toBe("SIGKILL");
    expect(living(pids)).toHaveLength(2);

    const recovery = await site.relais(["recover", "--json", ...(name === "hook" ? ["--yes"] : [])]);
    expect(recovery).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(recovery.stdout)).toMatchObject({
      kind: "recovered",
      report: { code: "STOP_INTERRUPTED", cause: "crash" },
    });
    expect(living(pids)).toEqual([]);
    expect(changedBetween(before, site.look())).toEqual([]);
    await delay(500);
    expect(changedBetween(before, site.look())).toEqual([]);
  },
  120_000,
);
