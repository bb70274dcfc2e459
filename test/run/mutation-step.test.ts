/** Mutations as a step of a tick: what the checks do not notice is said, and nothing is decided by it. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { journalTypes, type TickRepository, tickRepository } from "../support/tick-repository.ts";

const PRICE = "export const price = (count) => {\n  return count * 2;\n};\n";
const DISCOUNT = "export const price = (count) => {\n  if (count > 10) return count + 9;\n  return count * 2;\n};\n";
const WEAK = 'import { price } from "./src/price.mjs";\nif (price(3) !== 6) process.exit(1);\n';
const STRONG = `${WEAK}if (price(10) !== 20 || price(11) !== 20 || price(12) !== 21) process.exit(1);\n`;
const APPROVE = { do: "result", content: { decision: "approve", explanation: "Fine.", reasons: [] } };

function world(check: string, config: object): TickRepository {
  const templates = [{ id: "test", cmd: "node", args: ["check.mjs"] }];
  const verification = { templates, baseline: "off" };
  const scope = { default_allowed_globs: ["**"], default_allow_new_files: true };
  return tickRepository({
    files: { "check.mjs": check, "src/price.mjs": PRICE },
    config: { scope, verification, ...config },
  });
}

/** Passes only if the whole change is there, and nothing that git ignores. */
const SHAPE = `import { existsSync, readlinkSync, statSync } from "node:fs";
const isWhole = existsSync("src/new/deep.txt") && readlinkSync("src/link") === "x.ts" && (statSync("src/x.ts").mode & 0o777) === 0o755;
if (!isWhole || existsSync("src/y.ts") || existsSync("dist/left.js")) process.exit(2);
`;
const MORE = [
  { do: "write", path: "src/new/deep.txt", text: "deep" },
  { do: "symlink", path: "src/link", target: "x.ts" },
  { do: "chmod", path: "src/x.ts", mode: "0755" },
  { do: "delete", path: "src/y.ts" },
  { do: "write", path: "dist/left.js", text: "left" },
];

async function runTick(repo: TickRepository, steps: readonly object[] = []) {
  const script = {
    steps: [
      { do: "write", path: "src/price.mjs", text: DISCOUNT },
      ...steps,
      { do: "result", content: { summary: "done", files_intended: [], commands_ran: [], notes: [] } },
    ],
    reviewers: { risk: [APPROVE] },
  };
  const builder = { mode: "scripted", max_turns: 4, instructions: JSON.stringify(script) };
  const file = join(repo.box, "task.json");
  const verification = { fast: ["test"], slow: [] };
  writeFileSync(file, JSON.stringify({ ...repo.task([]), verification, builder }));
  return repo.relais("run", "--task", file);
}

const readReport = ({ root }: TickRepository) => JSON.parse(readFileSync(join(root, "relais/REPORT.json"), "utf8"));

/** The prompt of the reviewer in the last tick. */
function readPrompt(repo: TickRepository): string {
  return readFileSync(join(repo.state(), "runs", readReport(repo).run_id, "reviewer-risk.prompt.txt"), "utf8");
}

test.concurrent.each(["overlay", "clone", "in_place"])(
  "a mutation that no check notices is named on the card, in the report and to the reviewers (%s)",
  async (isolation) => {
    const settings = { reviewers: ["risk"], mutation: "note", mutation_count: 4 };
    const repo = world(`${SHAPE}${WEAK}`, { isolation, review: settings });
    const { status, stdout } = await runTick(repo, MORE);
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/mutations +! \d of 4 mut/) });
    expect(stdout).toMatch(/src\/price\.mjs:2:\d+ `/);
    expect(stdout).toMatch(/\n +\S+ \S+ more for mutations\n/);
    const { verification, code, review } = readReport(repo);
    expect({ code, review }).toMatchObject({ code: "SUCCESS", review: { approved: true } });
    const { mutation } = verification;
    expect(mutation).toMatchObject({ skipped: null, tried: 4, possible: 10, checks: ["test"], out_of_time: false });
    expect(mutation.survivors.length).toBeGreaterThan(0);
    expect(mutation.survivors[0]).toMatchObject({ path: "src/price.mjs", line: 2 });
    expect(readPrompt(repo)).toMatch(
      /\n## Small mutations [\s\S]*\d of 4 mutations survived test[\s\S]*\nsrc\/price\.mjs:2:/,
    );
    expect(readFileSync(join(repo.root, "relais/REPORT.md"), "utf8")).toMatch(/## Mutations\n\n- `\d of 4 mutations/);
    expect(readFileSync(join(repo.root, "src/price.mjs"), "utf8")).toBe(DISCOUNT);
    const types = journalTypes(repo);
    expect(types.slice(types.indexOf("verified"))).toEqual(
      expect.arrayContaining(["verified", "mutated", "review_started", "reviewed"]),
    );
    expect(types.indexOf("mutated")).toBe(types.indexOf("verified") + 1);
    expect(readdirSync(repo.state()).filter((name) => name === "places" || name.startsWith("relais-"))).toEqual([]);
    const replayed = await repo.relais("history", "replay", readReport(repo).run_id);
    expect(replayed.status).toBe(0);
  },
);

test.concurrent("a better test notices each, without reviewers too", async () => {
  const repo = world(STRONG, { review: { mutation: "note", mutation_count: 20 } });
  const { stdout } = await runTick(repo);
  expect(stdout).toMatch(/mutations +✓ test noticed each of 10 mutations\./);
  expect(readReport(repo).verification.mutation).toMatchObject({ tried: 10, survivors: [] });
});

test.concurrent("by default none is tried, and nothing is said of it", async () => {
  const repo = world(WEAK, { review: { reviewers: ["risk"] } });
  const { stdout } = await runTick(repo);
  expect(stdout).not.toMatch(/mutation/i);
  expect(readReport(repo).verification).not.toHaveProperty("mutation");
  expect(readPrompt(repo)).not.toMatch(/mutation/i);
  expect(journalTypes(repo)).not.toContain("mutated");
});

test.concurrent(
  "a tick keeps half of its time for what comes after",
  async () => {
    const endless = `${WEAK}if (!(await import("node:fs")).readFileSync("src/price.mjs", "utf8").includes("> 10) return count + 9;")) setInterval(() => {}, 1000);\n`;
    const repo = world(endless, { runner: { max_tick_seconds: 40 }, review: { mutation: "note", mutation_count: 20 } });
    await runTick(repo);
    const { code, verification } = readReport(repo);
    expect({ code, mutation: verification.mutation }).toMatchObject({
      code: "SUCCESS",
      mutation: { skipped: null, out_of_time: true, survivors: [] },
    });
  },
  90_000,
);

test.concurrent("where nothing can be said, the reason is", async () => {
  const repo = world(WEAK, { review: { mutation: "note", mutation_seconds: 0.01 } });
  const { stdout } = await runTick(repo);
  expect(stdout).toContain("No mutation was tried: no check of the tick passes in a quarter of");
});
