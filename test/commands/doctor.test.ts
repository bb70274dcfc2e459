import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { relais } from "../support/relais.ts";
import { scratchFolder, scratchRepository } from "../support/scratch-repository.ts";

/** A folder with programs of our own that can stand before or in place of the PATH. */
function programs(box: string, scripts: Readonly<Record<string, string>>): string {
  const bin = join(box, "bin");
  mkdirSync(bin);
  for (const [name, body] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

const CLAUDE = `case "$1" in
auth) echo '{"loggedIn": true, "authMethod": "api_key"}' ;;
-p) echo "Error: Input must be provided" >&2; exit 1 ;;
*) echo 2.1.197 ;;
esac`;
const CONFIG = JSON.stringify({
  builder: { default_mode: "scripted" },
  verification: { templates: [{ id: "test", cmd: "make", args: ["test"] }] },
});

test("after init --commit only what the machine lacks is missing", async () => {
  const { root, box } = scratchRepository({ "src/a.txt": "1\n", "relais.config.json": CONFIG });
  expect((await relais(["init", "--commit"], { cwd: root })).status).toBe(0);
  const PATH = `${programs(box, { claude: CLAUDE, make: "", tmux: "" })}:${process.env["PATH"]}`;
  const env = { PATH, XDG_STATE_HOME: join(box, "state"), COLUMNS: "300" };
  const { status, stdout, stderr } = await relais(["doctor"], { cwd: join(root, "src"), env });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^ok {4}git {11}git version /);
  expect(stdout).toMatch(/^warn {2}sandbox .*refused for this suite.*\n +Fix: Try the same/m);
  expect(stdout).toMatch(/^ok {4}goal .*none; only planning needs one: `relais eject GOAL.md`/m);
  expect(stdout).toMatch(/\n\nReady, 1 warning\.\n$/);
  const quiet = await relais(["doctor", "-q"], { cwd: root, env });
  expect(quiet.stdout).toMatch(/^warn {2}sandbox/m);
});

test("a failure is status 11, and the document of --json has every line with its fix", async () => {
  const { root, box } = scratchRepository({ "a.txt": "1\n" });
  const { status, stdout } = await relais(["doctor", "--json"], {
    cwd: root,
    env: { XDG_STATE_HOME: join(box, "state"), PATH: "/usr/bin:/bin" },
  });
  expect(status).toBe(11);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    relais: expect.stringMatching(/^\d+\.\d+\.\d+/),
    checks: expect.arrayContaining([
      expect.objectContaining({ subject: "git", status: "ok", problems: [], fix: null }),
      expect.objectContaining({ subject: "config", status: "ok", message: expect.stringContaining("relais init") }),
      expect.objectContaining({ subject: "builder", status: "fail", fix: expect.stringContaining("Install it") }),
    ]),
  });
});

test("a git that is missing or too old is the first thing to mend", async () => {
  const folder = scratchFolder();
  const old = programs(folder, { git: "echo git version 2.20.1" });
  const doctor = (PATH: string) => relais(["doctor"], { cwd: folder, env: { PATH, COLUMNS: "300" } });
  expect(await doctor(old)).toMatchObject({
    status: 11,
    stdout: expect.stringContaining("git version 2.20.1 is too old."),
  });
  const without = await doctor(join(folder, "nothing"));
  expect(without.status).toBe(11);
  expect(without.stdout).toMatch(
    /^fail {2}git {3}git cannot be run: no git is on the PATH.*\n +Fix: Install git 2\.36 or later/,
  );
});
