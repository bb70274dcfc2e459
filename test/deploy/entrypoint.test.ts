/** The entrypoint of the container, with the packed program in an empty root: no base image can be had here. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, inject, test } from "vitest";
import { joinAs } from "../support/fleet-member.ts";
import { openFleetRepository } from "../support/fleet-repository.ts";
import { hasServer } from "../support/fleet-server.ts";
import { install, pack } from "../support/installed.ts";

/** The suite has another one on its PATH, which refuses. */
const BWRAP = "/usr/bin/bwrap";
const canEnclose = spawnSync(BWRAP, ["--ro-bind", "/", "/", "true"]).status === 0;

/** What the image would have of Debian and Node: programs and libraries, and nothing that anybody wrote there. */
const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib64",
  "/etc/ssl",
  "/etc/ld.so.cache",
  "/etc/alternatives",
  "/etc/hosts",
];
const EMPTY = "--proc /proc --dev /dev --tmpfs /tmp --tmpfs /home --dir /home/node --unshare-pid --die-with-parent";
const ROOT = [
  ...EMPTY.split(" "),
  ...[...SYSTEM, process.execPath].filter((path) => existsSync(path)).flatMap((path) => ["--ro-bind", path, path]),
];

test.skipIf(!hasServer || !canEnclose)(
  "joins by the mounted invitation, takes one job, and leaves its status",
  async () => {
    const { repository, bare, url, server } = await openFleetRepository();
    const { box, task } = repository;
    const dan = await joinAs("dan", repository, await server.invite("dan", "submitter", url));
    const invitation = await server.invite("ben", "worker", url);
    const invited = join(box, "relais-invitation");
    writeFileSync(invited, JSON.stringify(invitation), { mode: 0o644 }); // As secrets are mounted.
    const image = join(box, "image");
    install(pack(resolve("."), inject("built"), join(box, "packed")), image);
    copyFileSync(resolve("deploy/entrypoint.sh"), join(image, "relais-entrypoint"));

    const binds = [
      "--ro-bind",
      image,
      "/opt",
      "--bind",
      bare,
      bare,
      "--ro-bind",
      invited,
      "/run/secrets/relais-invitation",
    ];
    const path = `/opt/node_modules/.bin:${dirname(process.execPath)}:/usr/bin:/bin`;
    const variables = ["--clearenv", "--setenv", "PATH", path, "--setenv", "HOME", "/home/node"];
    const enter = (...args: string[]) =>
      spawnSync(BWRAP, [...ROOT, ...binds, "--chdir", "/home/node", ...variables, "/opt/relais-entrypoint", ...args], {
        encoding: "utf8",
        timeout: 60_000,
      });
    const empty = enter("--unsandboxed");
    expect([empty.status, empty.stderr]).toEqual([0, expect.not.stringContaining("rror")]);
    writeFileSync(join(box, "task.json"), JSON.stringify(task([{ do: "write", path: "src/x.ts", text: "new\n" }])));
    expect(await dan.type("submit", "task", join(box, "task.json"), "--repo", url)).toMatchObject({ status: 0 });
    // The owner of this worker did not allow tasks, so it refuses the job: the status of a job that failed.
    const refused = enter("--unsandboxed");
    expect([refused.status, refused.stdout + refused.stderr]).toEqual([
      10,
      expect.stringMatching(/does not allow `task`/),
    ]);
    await server.stop();
  },
);
