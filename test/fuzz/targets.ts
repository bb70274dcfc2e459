/** Every parser that the guided search knows. */
import type { FuzzTarget } from "../../scripts/fuzz/target.ts";
import { answers } from "./targets/answers.ts";
import { campaignTexts } from "./targets/campaign-texts.ts";
import { claudeStream } from "./targets/claude-stream.ts";
import { codexStream } from "./targets/codex-stream.ts";
import { gitData } from "./targets/git-data.ts";
import { patches } from "./targets/patches.ts";
import { projectFiles } from "./targets/project-files.ts";
import { queueTexts } from "./targets/queue-texts.ts";
import { records } from "./targets/records.ts";
import { shownTexts } from "./targets/shown-texts.ts";
import { sourceTexts } from "./targets/source-texts.ts";
import { stateFiles } from "./targets/state-files.ts";
import { testReports } from "./targets/test-reports.ts";

export const TARGETS: readonly FuzzTarget[] = [
  answers,
  campaignTexts,
  claudeStream,
  codexStream,
  gitData,
  patches,
  projectFiles,
  queueTexts,
  records,
  shownTexts,
  sourceTexts,
  stateFiles,
  testReports,
];
