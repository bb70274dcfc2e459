// Asks the relais that started it to open its inspector, through which it could be told what to say.
// expect: SUCCESS
// changed: src/main.ts: content
// needs: linux
// driver: tick
// ship: yes
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const LISTENING = "0A";
const parent = `/proc/${process.ppid}`;

function listens() {
  const lines = ["tcp", "tcp6"].flatMap((kind) => readFileSync(`${parent}/net/${kind}`, "utf8").split("\n"));
  const fields = lines.map((line) => line.trim().split(/\s+/));
  const sockets = new Set(fields.filter((field) => field[3] === LISTENING).map((field) => `socket:[${field[9]}]`));
  return readdirSync(`${parent}/fd`).some((fd) => {
    try {
      return sockets.has(readlinkSync(`${parent}/fd/${fd}`));
    } catch {
      return false; // It was closed meanwhile.
    }
  });
}

writeFileSync("src/main.ts", "export const answer = 42;\n");
process.kill(process.ppid, "SIGUSR1");
for (let tries = 0; tries < 20; tries += 1) {
  await delay(50);
  // Seen as what only this builder writes, outside its scope.
  if (listens()) writeFileSync("docs/guide.md", "relais can be told what to say\n");
}
