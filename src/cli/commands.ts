/** Every command of relais, as data. */
import type { CommandSpec } from "./framework/command.ts";
import { acceptSpec } from "./commands/accept/accept-spec.ts";
import { answerSpec } from "./commands/answer/answer-spec.ts";
import { completionsSpec } from "./commands/completions/completions-spec.ts";
import { campaignSpec } from "./commands/campaign/campaign-spec.ts";
import { demoSpec } from "./commands/demo/demo-spec.ts";
import { drillSpec } from "./commands/drill/drill-spec.ts";
import { diffSpec } from "./commands/diff/diff-spec.ts";
import { doctorSpec } from "./commands/doctor/doctor-spec.ts";
import { ejectSpec } from "./commands/eject/eject-spec.ts";
import { eventsSpec } from "./commands/events/events-spec.ts";
import { explainSpec } from "./commands/explain/explain-spec.ts";
import { goalSpec } from "./commands/goal/goal-spec.ts";
import { historySpec } from "./commands/history/history-spec.ts";
import { initSpec } from "./commands/init/init-spec.ts";
import { judgeSpec } from "./commands/judge/judge-spec.ts";
import { landSpec } from "./commands/land/land-spec.ts";
import { logSpec } from "./commands/log/log-spec.ts";
import { loopSpec } from "./commands/loop/loop-spec.ts";
import { mcpSpec } from "./commands/mcp/mcp-spec.ts";
import { pauseSpec } from "./commands/pause/pause-spec.ts";
import { recoverSpec } from "./commands/recover/recover-spec.ts";
import { rejectSpec } from "./commands/reject/reject-spec.ts";
import { reportSpec } from "./commands/report/report-spec.ts";
import { resumeSpec } from "./commands/resume/resume-spec.ts";
import { runSpec } from "./commands/run/run-spec.ts";
import { salvageSpec } from "./commands/salvage/salvage-spec.ts";
import { submitSpec } from "./commands/submit/submit-spec.ts";
import { workerSpec } from "./commands/worker/worker-spec.ts";
import { queueSpec } from "./commands/queue/queue-spec.ts";
import { fetchSpec } from "./commands/fetch/fetch-spec.ts";
import { statusSpec } from "./commands/status/status-spec.ts";
import { stopSpec } from "./commands/stop/stop-spec.ts";
import { treeSpec } from "./commands/tree/tree-spec.ts";
import { uiSpec } from "./commands/ui/ui-spec.ts";
import { undoSpec } from "./commands/undo/undo-spec.ts";

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
  undoSpec,
  answerSpec,
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
