// Forges what recovery reads: observation, content, journal, copies and locks, with every hash, and kills relais.
// expect: STOP_INTERRUPTED
// recovered: asked
// changed: .env: content
// needs: linux
// driver: tick
// ship: yes
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const states = join(process.env.HOSTILE, "state/relais");
const state = join(
  states,
  readdirSync(states).find((name) => existsSync(join(states, name, "observation"))),
);

const evil = "SECRET=evil\n";
const gitDir = join(state, "judge.git");
const id = execFileSync("git", ["--git-dir", gitDir, "hash-object", "-w", "--stdin"], { input: evil })
  .toString()
  .trim();
const body = readFileSync(join(state, "observation"), "latin1")
  .split("\n")
  .slice(0, -2)
  .map((line) => {
    const fields = line.split("\t");
    if (fields[7] !== ".env") return line;
    fields[2] = String(evil.length);
    fields[6] = id;
    return fields.join("\t");
  })
  .join("\n");
const observation = sha256(Buffer.from(`${body}\n`, "latin1"));
writeFileSync(join(state, "observation"), `${body}\n${observation}\n`, "latin1");

let prev = null;
const lines = readFileSync(join(state, "journal.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((text) => {
    const { sha256: _, ...line } = JSON.parse(text);
    const forged = JSON.stringify({ ...line, prev }).replace(
      /"observation_sha256":"[0-9a-f]+"/,
      `"observation_sha256":"${observation}"`,
    );
    const sealed = `${forged.slice(0, -1)},"sha256":"${sha256(forged)}"}`;
    prev = sha256(sealed);
    return { runId: line.run_id, text: `${sealed}\n`, hash: prev };
  });
writeFileSync(join(state, "journal.jsonl"), lines.map(({ text }) => text).join(""));
for (const runId of readdirSync(join(state, "runs"))) {
  const own = lines.filter((line) => line.runId === runId).map(({ text }) => text);
  for (const name of readdirSync(join(state, "runs", runId)).filter((file) => file.endsWith(".jsonl")))
    if (own.length > 0) writeFileSync(join(state, "runs", runId, name), own.join(""));
}
for (const path of [join(state, "lock.json"), "relais/lock.json"].filter((file) => existsSync(file))) {
  const lock = JSON.parse(readFileSync(path, "utf8"));
  if (lock.journal !== undefined) lock.journal.sha256 = lines[lock.journal.seq - 1].hash;
  writeFileSync(path, JSON.stringify(lock));
}
writeFileSync("src/main.ts", "export const answer = 43;\n");
process.kill(process.ppid, "SIGKILL");
