/** What relais remembers from one tick to the next lies where a builder can write it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inWorld } from "../support/scenario.ts";
import { taskOf } from "../support/scenario-documents.ts";

/** Gives `.env` and a file outside of the scope another content in the observation, with a hash that fits. */
const FORGE = `
const { createHash } = require("node:crypto");
const { execFileSync } = require("node:child_process");
const { readFileSync, readdirSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const above = join(process.cwd(), "../../state/relais");
const state = join(above, readdirSync(above)[0]);
const text = readFileSync(join(state, "observation"), "latin1");
const git = (input) =>
  execFileSync("git", ["--git-dir", join(state, "judge.git"), "hash-object", "-w", "--stdin"], { input }).toString().trim();
let body = text.slice(0, text.lastIndexOf("\\n", text.length - 2) + 1);
for (const [path, content] of [[".env", "SECRET=forged1\\n"], ["docs/guide.md", "Forged.\\n"]]) {
  const line = body.split("\\n").find((found) => found.split("\\t")[7] === path);
  const fields = line.split("\\t");
  fields[6] = git(content);
  fields[2] = String(content.length);
  body = body.replace(line, fields.join("\\t"));
}
writeFileSync(join(state, "observation"), body + createHash("sha256").update(Buffer.from(body, "latin1")).digest("hex") + "\\n", "latin1");
`;

/** After this time, a file is not read again just because it is new. */
const OLD_MS = 2_100;

const world = {
  onDisk: true,
  files: { "docs/guide.md": "Guide..\n", ".gitignore": ".env\n" },
  steps: [
    { do: "run", argv: [process.execPath, "-e", FORGE] },
    { do: "write", path: "src/main.ts", text: "export const answer = 42;\n" },
  ],
} as const;

test("an observation with forged ids is not believed by the next tick, and never written", () =>
  inWorld(world, async (place) => {
    writeFileSync(join(place.root, ".env"), "SECRET=hunter2\n");
    await sleep(OLD_MS);
    expect(JSON.parse((await place.run()).stdout)).toMatchObject({ code: "SUCCESS" });
    place.git("checkout", "-q", "--", ".");
    const steps = [
      { do: "write", path: ".env", text: "SECRET=forged1\n" },
      { do: "write", path: "docs/guide.md", text: "Forged.\n" },
    ] as const;
    writeFileSync(join(place.box, "task.json"), JSON.stringify(taskOf({ steps })));
    const second = JSON.parse((await place.run()).stdout);
    expect(second).toMatchObject({ verdict: "stop", settle: { action: "rollback" } });
    expect(readFileSync(join(place.root, ".env"), "utf8")).toBe("SECRET=hunter2\n");
    expect(readFileSync(join(place.root, "docs/guide.md"), "utf8")).toBe("Guide..\n");
  }));
