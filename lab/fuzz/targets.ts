/** Every parser that the guided search knows. */
import type { FuzzTarget } from "./target.ts";
import { agentFiles } from "./targets/agent-files.ts";
import { agentLogins } from "./targets/agent-logins.ts";
import { answers } from "./targets/answers.ts";
import { campaignTexts } from "./targets/campaign-texts.ts";
import { claudeStream } from "./targets/claude-stream.ts";
import { codexStream } from "./targets/codex-stream.ts";
import { fleetFiles } from "./targets/fleet-files.ts";
import { gitAnswers } from "./targets/git-answers.ts";
import { gitData } from "./targets/git-data.ts";
import { gitDifferences } from "./targets/git-differences.ts";
import { gitObjects } from "./targets/git-objects.ts";
import { keptFiles } from "./targets/kept-files.ts";
import { machineTexts } from "./targets/machine-texts.ts";
import { mcpMessages } from "./targets/mcp-messages.ts";
import { pageRequests } from "./targets/page-requests.ts";
import { patches } from "./targets/patches.ts";
import { projectFiles } from "./targets/project-files.ts";
import { queueMessages } from "./targets/queue-messages.ts";
import { queueRecords } from "./targets/queue-records.ts";
import { queueTexts } from "./targets/queue-texts.ts";
import { records } from "./targets/records.ts";
import { remembered } from "./targets/remembered.ts";
import { sandboxHosts } from "./targets/sandbox-hosts.ts";
import { sharedJobs } from "./targets/shared-jobs.ts";
import { shownTexts } from "./targets/shown-texts.ts";
import { signalFiles } from "./targets/signal-files.ts";
import { sourceTexts } from "./targets/source-texts.ts";
import { stateFiles } from "./targets/state-files.ts";
import { testReports } from "./targets/test-reports.ts";
import { treeAnswers } from "./targets/tree-answers.ts";

export const TARGETS: readonly FuzzTarget[] = [
  agentFiles,
  agentLogins,
  answers,
  campaignTexts,
  claudeStream,
  codexStream,
  fleetFiles,
  gitAnswers,
  gitData,
  gitDifferences,
  gitObjects,
  keptFiles,
  machineTexts,
  mcpMessages,
  pageRequests,
  patches,
  projectFiles,
  queueMessages,
  queueRecords,
  queueTexts,
  records,
  remembered,
  sandboxHosts,
  sharedJobs,
  shownTexts,
  signalFiles,
  sourceTexts,
  stateFiles,
  testReports,
  treeAnswers,
];
