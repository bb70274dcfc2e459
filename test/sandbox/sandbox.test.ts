/** One session in the sandbox, and the refusals of machines where none works. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { explain, probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { openSandbox } from "../../src/sandbox/sandbox.ts";
import { supervise } from "../../src/process/supervise.ts";
import { hasBubblewrap, readSandboxedPath } from "../support/without-sandbox.ts";

function makeRequest(path: string) {
  const box = realpathSync(mkdtempSync(join(tmpdir(), "relais-sandbox-")));
  onTestFinished(() => rmSync(box, { recursive: true, force: true }));
  const cwd = join(box, "home/repo");
  for (const folder of [".git", "src"]) mkdirSync(join(cwd, folder), { recursive: true });
  for (const folder of ["home/.ssh", "home/.config/relais", "state/relais"])
    mkdirSync(join(box, folder), { recursive: true });
  writeFileSync(join(box, "home/.ssh/id"), "secret\n");
  writeFileSync(join(box, "home/.config/relais/credentials.json"), "secret\n");
  writeFileSync(join(box, "state/relais/journal"), "secret\n");
  return {
    box,
    request: {
      place: {
        cwd,
        repository: { root: cwd, gitDir: join(cwd, ".git"), commonDir: join(cwd, ".git") },
        owned: ["relais"],
        dropRoot: "relais/.tmp",
        drop: null,
      },
      enclosure: null,
      environment: { HOME: join(box, "home"), PATH: path },
      hidden: ["~/.ssh"],
      stateRoot: join(box, "state/relais"),
      logins: [],
      network: { kind: "off" },
    } as const,
  };
}

test.runIf(hasBubblewrap())("a session writes in its place and in private folders, and reads no secret", async () => {
  const { box, request } = makeRequest(readSandboxedPath());
  const probe = await probeSandbox(request);
  expect(probe).toMatchObject({ kind: "works" });
  if (probe.kind !== "works") return;
  const sandbox = await openSandbox({ ...request, programs: probe.programs });
  const script = `cat ../.ssh/id ../.config/relais/credentials.json ../../state/relais/journal; echo x > ../mine; echo x > .git/HEAD; echo x > ../../outside
    echo x > src/new; echo x > /tmp/x && ls -A /tmp; ls /sys/class/net; exit 5`;
  const end = await supervise({
    program: "/bin/sh",
    args: ["-c", script],
    cwd: request.place.cwd,
    enclosure: sandbox.enclosure,
    env: { PATH: "/usr/bin:/bin" },
    input: null,
    deadlineMs: 20_000,
    outputBytesMax: 100_000,
    log: null,
    stdoutBytesMax: 10_000,
    stderrBytesMax: 10_000,
  });
  await sandbox.close();
  expect(end).toMatchObject({ kind: "exited", status: 5, survivors: [], undead: [] });
  expect(end.stdout.toString("utf8")).not.toContain("secret");
  expect(readdirSync(join(box, "home")).toSorted()).toEqual([".config", ".ssh", "repo"]);
  expect(readdirSync(box).toSorted()).toEqual(["home", "state"]);
  expect(readdirSync(join(request.place.cwd, ".git"))).toEqual([]);
  expect(readFileSync(join(request.place.cwd, "src/new"), "utf8")).toBe("x\n");
});

test("a bubblewrap that refuses is no sandbox, and neither is none", async () => {
  const refusing = makeRequest(process.env["PATH"] ?? "");
  expect(await probeSandbox(refusing.request)).toMatchObject({ reason: "bwrap: refused for this suite" });
  const missing = makeRequest("/nowhere");
  expect(await probeSandbox(missing.request)).toMatchObject({ reason: "bubblewrap is not installed" });
});

test.each([
  ["bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", /apparmor/u],
  ["bwrap: setting up uid map: Permission denied", /apparmor/u],
  ["unshare: write failed /proc/self/uid_map: Permission denied", /apparmor/u],
  ["unshare: unshare failed: Operation not permitted", /seccomp/u],
  ["bwrap: No permissions to create new namespace, likely because the kernel does not allow it", /seccomp/u],
  ["unshare: unshare failed: No space left on device", /max_user_namespaces/u],
  ["mount: at: wrong fs type, bad option, bad superblock on overlay", /5\.11/u],
])("%s has a remedy", (said, remedy) => {
  expect(explain(`${said}\n`)).toMatchObject({ reason: said, remedy: expect.stringMatching(remedy) });
});
