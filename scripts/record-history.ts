/**
 * Records what a version of relais writes, for test/histories: `record-history CHECKOUT VERSION RECORD_VERSION`, where
 * CHECKOUT is a folder with the sources of that version and its packages. Run it once for each version, when it is
 * released; what was recorded before is never recorded again.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { WORKSPACE_IGNORE } from "../src/core/setup/workspace-layout.ts";
import { copyStage, HISTORY_ROOT, openHistoryStage, type HistoryStage } from "./history/history-stage.ts";
import { HISTORY_STORIES, type HistoryStory, runsOf } from "./history/history-stories.ts";
import { recordConfigurations } from "./history/record-configurations.ts";
import { recordJudgements } from "./history/record-judgements.ts";

const [checkout, version, records] = process.argv.slice(2);
if (checkout === undefined || version === undefined || records === undefined)
  throw new Error("usage: record-history CHECKOUT VERSION RECORD_VERSION");
execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: checkout, stdio: "inherit" });
const executable = resolve(checkout, "dist/relais.cjs");
const folder = join("test/histories", version);
rmSync(folder, { recursive: true, force: true });

for (const story of HISTORY_STORIES) {
  const { config, files = {}, beside = {}, name } = story;
  const stage = openHistoryStage({
    executable,
    name,
    files: {
      ".gitignore": "*.log\n",
      "README.md": "# Sample\n",
      "src/main.ts": "export const answer = 41;\n",
      "relais.config.json": config,
      ...files,
      "relais/.gitignore": WORKSPACE_IGNORE,
    },
  });
  stage.put(beside);
  await story.play(stage);
  const target = join(folder, name);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, "answers.json"), `${JSON.stringify(answersOf(stage, story), null, 1)}\n`);
  copyStage(stage, target);
  console.log(`${name}: ${runsOf(stage).length} ticks`);
}

await recordConfigurations({
  checkout,
  executable,
  stories: HISTORY_STORIES,
  folder: join(folder, "configurations"),
});

await recordJudgements(checkout, Number(records), folder);
// A worktree that is still there is not one that was moved.
rmSync(HISTORY_ROOT, { recursive: true });

/** What this version says of the history, which every later one has to say too. */
function answersOf(stage: HistoryStage, { questions = [] }: HistoryStory) {
  const shown = runsOf(stage).map((run) => ["history", "show", run]);
  const asked = [
    ["status"],
    ["events"],
    ["history", "list"],
    ["history", "replay"],
    ["salvage"],
    ...shown,
    ...questions,
  ];
  return asked.map((args) => stage.relais(...args));
}
