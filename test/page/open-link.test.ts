/** The link that the browser is started with: every user of the machine may see it, so it is good for one page only. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { executable } from "../support/relais.ts";
import { inWorld } from "../support/scenario.ts";

const hasScript = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "");

const exchange = (address: URL, key: string): Promise<Response> =>
  fetch(new URL("/api/open", address), {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: "{}",
  });

test.skipIf(!hasScript)("a key in place of the token, changed for it once; the token is not a key", async () => {
  await inWorld({}, async (world) => {
    const [bin, note] = [join(world.box, "screen"), join(world.box, "opened")];
    mkdirSync(bin);
    writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s' "$1" > '${note}.new' && mv '${note}.new' '${note}'\n`);
    chmodSync(join(bin, "xdg-open"), 0o755);
    const environment = { ...world.environment, DISPLAY: ":0" };
    const env = { ...environment, PATH: `${bin}:${world.environment["PATH"] ?? process.env["PATH"] ?? ""}` };
    // A terminal, because a page is opened for a person only.
    const command = `exec ${process.execPath} ${executable} ui`;
    const terminal = spawn("script", ["-qec", command, "/dev/null"], { cwd: world.root, env, stdio: "pipe" });
    try {
      let printed = "";
      terminal.stdout.on("data", (data) => (printed += String(data)));
      for (; !existsSync(note) || !printed.includes("#token="); await delay(20));
      const token = /#token=(?<token>[\w-]+)/.exec(printed)?.groups?.["token"] ?? "";
      const opened = new URL(readFileSync(note, "utf8"));
      const key = opened.hash.replace("#open=", "");
      expect([opened.hash.startsWith("#open="), token.length, key === token]).toEqual([true, 43, false]);
      expect((await exchange(opened, token)).status).toBe(401);
      const stream = (secret: string) =>
        fetch(new URL("/api/run?repository=x&id=y", opened), { headers: { Authorization: `Bearer ${secret}` } });
      expect((await stream(key)).status).toBe(401);
      const first = await exchange(opened, key);
      expect([first.status, await first.json()]).toEqual([200, { token }]);
      expect((await exchange(opened, key)).status).toBe(401);
      expect((await stream(token)).status).toBe(404);
    } finally {
      terminal.stdin.write("\u0003");
      await new Promise((resolve) => terminal.once("exit", resolve));
    }
  });
});
