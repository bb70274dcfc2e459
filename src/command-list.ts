/** Every command of relais, as data. */
import type { CommandSpec } from "./terminal/command.ts";
import { acceptSpec } from "./commands/accept-spec.ts";
import { answerSpec } from "./commands/answer-spec.ts";
import { completionsSpec } from "./commands/completions-spec.ts";
import { campaignSpec } from "./commands/campaign-spec.ts";
import { demoSpec } from "./commands/demo-spec.ts";
import { drillSpec } from "./commands/drill-spec.ts";
import { diffSpec } from "./commands/diff-spec.ts";
import { doctorSpec } from "./commands/doctor-spec.ts";
import { ejectSpec } from "./commands/eject-spec.ts";
import { eventsSpec } from "./commands/events-spec.ts";
import { explainSpec } from "./commands/explain-spec.ts";
import { fixSpec } from "./commands/fix-spec.ts";
import { goalSpec } from "./commands/goal-spec.ts";
import { historySpec } from "./commands/history-spec.ts";
import { initSpec } from "./commands/init-spec.ts";
import { judgeSpec } from "./commands/judge-spec.ts";
import { landSpec } from "./commands/land-spec.ts";
import { logSpec } from "./commands/log-spec.ts";
import { loopSpec } from "./commands/loop-spec.ts";
import { milestoneSpec } from "./commands/milestone-spec.ts";
import { mcpSpec } from "./commands/mcp-spec.ts";
import { pauseSpec } from "./commands/pause-spec.ts";
import { recoverSpec } from "./commands/recover-spec.ts";
import { rejectSpec } from "./commands/reject-spec.ts";
import { reportSpec } from "./commands/report-spec.ts";
import { resumeSpec } from "./commands/resume-spec.ts";
import { runSpec } from "./commands/run-spec.ts";
import { salvageSpec } from "./commands/salvage-spec.ts";
import { submitSpec } from "./commands/submit-spec.ts";
import { workerSpec } from "./commands/worker-spec.ts";
import { queueSpec } from "./commands/queue-spec.ts";
import { fetchSpec } from "./commands/fetch-spec.ts";
import { statusSpec } from "./commands/status-spec.ts";
import { stopSpec } from "./commands/stop-spec.ts";
import { treeSpec } from "./commands/tree-spec.ts";
import { uiSpec } from "./commands/ui-spec.ts";
import { undoSpec } from "./commands/undo-spec.ts";

export const COMMANDS: readonly CommandSpec[] = [
  initSpec,
  ejectSpec,
  statusSpec,
  runSpec,
  loopSpec,
  treeSpec,
  goalSpec,
  campaignSpec,
  submitSpec,
  workerSpec,
  queueSpec,
  fetchSpec,
  diffSpec,
  logSpec,
  uiSpec,
  reportSpec,
  acceptSpec,
  rejectSpec,
  fixSpec,
  undoSpec,
  answerSpec,
  milestoneSpec,
  pauseSpec,
  resumeSpec,
  stopSpec,
  recoverSpec,
  salvageSpec,
  landSpec,
  historySpec,
  eventsSpec,
  judgeSpec,
  doctorSpec,
  drillSpec,
  mcpSpec,
  demoSpec,
  explainSpec,
  completionsSpec,
];
