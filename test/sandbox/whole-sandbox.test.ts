/** What a builder can and cannot do in the sandbox, with real processes. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scratchFolder } from "../support/scratch-repository.ts";
import { findRunning, openBench, USERS } from "./bench.ts";

const GOOD = "echo 'export const answer = 42;' > src/main.ts";
/** Says whether something could be done, on a line of its own. */
const tries = (name: string, command: string): string =>
  `if (${command}) >/dev/null 2>&1; then echo "${name}: yes"; else echo "${name}: no"; fi`;

/** A service of this machine that nothing in the sandbox may reach. */
const service = createServer((_, response) => void response.end("reached"));
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const address = service.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => void service.close());

describe.each(USERS)("as $name", ({ uid }) => {
  test.each(["in_place", "overlay"])(
    "a held-out check sees its files (%s), and a builder does not",
    async (isolation) => {
      const files = { "src/held.sh": "../held/check.sh", "src/key": "~/key" };
      const held = { id: "hidden", cmd: "sh", args: ["src/held.sh"], files };
      const bench = openBench({
        uid,
        script: [GOOD, tries("read", "grep -r forty $BOX/held $HOME/key src")].join("\n"),
        files: { "home/held/check.sh": "grep 42 src/main.ts && grep forty src/key", "home/key": "forty-two" },
        config: { isolation, verification: { held_out: [held] } },
      });
      const { report, printed } = await bench.run();
      expect(report).toMatchObject({ code: "SUCCESS", sandbox: "bubblewrap" });
      expect(report).toMatchObject({ verification: { runs: [{}, { template_id: "hidden", exit_code: 0 }] } });
      expect(printed).toContain("read: no");
      expect(bench.has("home/repo/src/key")).toBe(false);
    },
  );

  test("the key of journal.sign signs the commit, and neither the builder nor a check reads it", async () => {
    const folder = scratchFolder();
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", join(folder, "key")]);
    const tried = tries(
      "read",
      "grep PRIVATE $HOME/keys/mine || ssh-keygen -Y sign -q -n relais -f $HOME/keys/mine < $0",
    );
    const bench = openBench({
      uid,
      script: [GOOD, tried].join("\n"),
      files: { "home/keys/mine": readFileSync(join(folder, "key"), "utf8") },
      config: {
        journal: { sign: "~/keys/mine" },
        git: { commit: "always", protected_branches: [] },
        verification: { templates: [{ id: "green", cmd: "sh", args: ["-c", "! grep PRIVATE $HOME/keys/mine"] }] },
      },
    });
    const { report, printed } = await bench.run();
    expect(report).toMatchObject({ code: "SUCCESS", sandbox: "bubblewrap", settle: { action: "commit" } });
    expect(printed).toContain("read: no");
    expect(bench.read(`home/repo/relais/history/${String(report["run_id"])}/proof.txt`)).toContain("code SUCCESS");
  });

  test.each(["in_place", "overlay"])("a builder can work (%s), and reaches nothing else", async (isolation) => {
    const attempts = {
      "write in the repository": "echo new > src/new.ts",
      "write a temporary file": "echo x > /tmp/a && echo x > $TMPDIR/b && mktemp",
      "write at home": "echo x > $HOME/.cache-of-mine && mkdir -p $HOME/.npm/_x",
      "read a file of this machine": "cat /etc/passwd",
      "read git's data": "git log -1 && git status",
      "use a user namespace": "unshare -rm true",
      "write to a neighbour": "echo x >> $BOX/neighbour/file.txt",
      "read a key": "cat $HOME/.ssh/id_ed25519",
      "read a token": "grep secret $HOME/.npmrc",
      "list the state": "ls $XDG_STATE_HOME/relais/*",
      commit: "git commit -qam mine",
      push: "git push -q origin HEAD:refs/heads/mine",
      "change a hook": "echo x > .git/hooks/pre-commit",
      "change the workspace": "echo x > relais/STATE.json || echo x >> relais/mine",
      "change the configuration": "echo {} > relais.config.json",
      "reach a service of this machine": `curl -s -m 2 http://127.0.0.1:${port}`,
      "reach another host": "curl -s -m 2 https://example.org",
      "see another process": "test $(ls -d /proc/[0-9]* | wc -l) -gt 30",
      mount: "mount -t tmpfs none /mnt",
      "write to the kernel": "test -w /proc/sys/kernel/core_pattern || find /sys -writable -print -quit | grep .",
      "make a device": "mknod /tmp/disk b 8 0",
    };
    const script = [GOOD, ...Object.entries(attempts).map(([name, command]) => tries(name, command))].join("\n");
    const bench = openBench({ uid, script, config: { isolation } });
    const { report, printed } = await bench.run();
    const done = Object.keys(attempts).filter((name) => printed.includes(`${name}: yes`));
    expect(done).toEqual(Object.keys(attempts).slice(0, 6));
    expect(Object.keys(attempts).filter((name) => !printed.includes(`${name}: `))).toEqual([]);
    expect(report).toMatchObject({ code: "SUCCESS", sandbox: "bubblewrap", isolation });
    expect(String(report["notes"])).toContain("The sandbox refused the network to: example.org.");
    expect(bench.read("neighbour/file.txt")).toBe("untouched\n");
    expect(bench.has("home/.cache-of-mine")).toBe(false);
    expect(bench.read("home/repo/src/new.ts")).toBe("new\n");
  });

  test("a process with a cleared environment, a session of its own and no parent ends with its session", async () => {
    const word = `4${uid}.25`;
    const script = `${GOOD}\n(setsid env -i sh -c '(sleep ${word} &)' &)\nsleep 0.2`;
    const { report } = await openBench({ uid, script }).run();
    expect(report).toMatchObject({ code: "SUCCESS" });
    expect(findRunning(word)).toEqual([]);
  });

  test("kill -9 of relais leaves no process of the builder", async () => {
    const word = `5${uid}.25`;
    const nested = `for i in 1 2 3 4; do (setsid env -i sleep ${word} &) ; done; echo ready > src/ready; sleep ${word}`;
    const bench = openBench({ uid, script: nested });
    const child = bench.start();
    while (!bench.has("home/repo/src/ready")) await delay(20);
    await delay(50);
    expect(findRunning(word).length).toBeGreaterThanOrEqual(5);
    child.kill("SIGKILL");
    for (let step = 0; step < 100 && findRunning(word).length > 0; step += 1) await delay(20);
    expect(findRunning(word)).toEqual([]);
  });

  test("a stop reaches the program first, which can still answer", async () => {
    const script = `trap 'echo interrupted; exit 3' INT\n${GOOD}\ni=0; while [ $i -lt 400 ]; do sleep 0.05; i=$((i+1)); done`;
    const bench = openBench({ uid, script, config: { roles: { builder: { timeout_seconds: 2 } } } });
    const { report, printed } = await bench.run();
    expect(report).toMatchObject({ code: "STOP_BUILDER_TIMEOUT" });
    expect(printed).toContain("interrupted");
  });

  test("a status and a signal of the program come through", async () => {
    const exited = await openBench({ uid, script: `${GOOD}\nexit 7` }).run();
    expect(exited.report["cause"]).toBe("exit_7");
    const killed = await openBench({ uid, script: `${GOOD}\nkill -KILL $$` }).run();
    expect(killed.report["cause"]).toBe("signal_SIGKILL");
  });
});

test("relais plays a script in the sandbox where it is installed below /tmp, which the sandbox hides", async () => {
  const steps = [
    { do: "write", path: "src/main.ts", text: "export const answer = 42;\n" },
    { do: "result", content: { summary: "did it", files_intended: [], commands_ran: [], notes: [] } },
  ];
  const bench = openBench({
    uid: process.getuid?.() ?? 0,
    script: "exit 1",
    mode: "scripted",
    around: "/tmp",
    files: { "home/repo/steps.json": JSON.stringify({ steps }) },
    config: { builder: { default_mode: "scripted", scripted: { script: "steps.json" } } },
  });
  expect((await bench.run()).report).toMatchObject({ code: "SUCCESS" });
}, 60_000);
