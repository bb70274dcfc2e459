/** The commands, each loaded only when it is named: most of what they declare is of no use to the others. */
import type { CommandSpec, Vocabulary } from "./terminal/command.ts";
import { GLOBAL_OPTIONS } from "./terminal/global-options.ts";
import type { CommandName } from "./terminal/summaries.ts";

/** What `relais` alone means. */
export const DEFAULT_COMMAND = "status";

const LOAD: { readonly [N in CommandName]: () => Promise<CommandSpec> } = {
  init: async () => (await import("./commands/init-spec.ts")).initSpec,
  eject: async () => (await import("./commands/eject-spec.ts")).ejectSpec,
  status: async () => (await import("./commands/status-spec.ts")).statusSpec,
  run: async () => (await import("./commands/run-spec.ts")).runSpec,
  loop: async () => (await import("./commands/loop-spec.ts")).loopSpec,
  tree: async () => (await import("./commands/tree-spec.ts")).treeSpec,
  goal: async () => (await import("./commands/goal-spec.ts")).goalSpec,
  campaign: async () => (await import("./commands/campaign-spec.ts")).campaignSpec,
  submit: async () => (await import("./commands/submit-spec.ts")).submitSpec,
  worker: async () => (await import("./commands/worker-spec.ts")).workerSpec,
  queue: async () => (await import("./commands/queue-spec.ts")).queueSpec,
  fetch: async () => (await import("./commands/fetch-spec.ts")).fetchSpec,
  diff: async () => (await import("./commands/diff-spec.ts")).diffSpec,
  log: async () => (await import("./commands/log-spec.ts")).logSpec,
  ui: async () => (await import("./commands/ui-spec.ts")).uiSpec,
  report: async () => (await import("./commands/report-spec.ts")).reportSpec,
  accept: async () => (await import("./commands/accept-spec.ts")).acceptSpec,
  reject: async () => (await import("./commands/reject-spec.ts")).rejectSpec,
  fix: async () => (await import("./commands/fix-spec.ts")).fixSpec,
  undo: async () => (await import("./commands/undo-spec.ts")).undoSpec,
  answer: async () => (await import("./commands/answer-spec.ts")).answerSpec,
  milestone: async () => (await import("./commands/milestone-spec.ts")).milestoneSpec,
  pause: async () => (await import("./commands/pause-spec.ts")).pauseSpec,
  resume: async () => (await import("./commands/resume-spec.ts")).resumeSpec,
  stop: async () => (await import("./commands/stop-spec.ts")).stopSpec,
  recover: async () => (await import("./commands/recover-spec.ts")).recoverSpec,
  salvage: async () => (await import("./commands/salvage-spec.ts")).salvageSpec,
  land: async () => (await import("./commands/land-spec.ts")).landSpec,
  history: async () => (await import("./commands/history-spec.ts")).historySpec,
  events: async () => (await import("./commands/events-spec.ts")).eventsSpec,
  judge: async () => (await import("./commands/judge-spec.ts")).judgeSpec,
  doctor: async () => (await import("./commands/doctor-spec.ts")).doctorSpec,
  drill: async () => (await import("./commands/drill-spec.ts")).drillSpec,
  mcp: async () => (await import("./commands/mcp-spec.ts")).mcpSpec,
  demo: async () => (await import("./commands/demo-spec.ts")).demoSpec,
  explain: async () => (await import("./commands/explain-spec.ts")).explainSpec,
  completions: async () => (await import("./commands/completions-spec.ts")).completionsSpec,
};

export function loadCommand(name: CommandName): Promise<CommandSpec> {
  return LOAD[name]();
}

/** All that can be typed. */
export async function loadVocabulary(): Promise<Vocabulary> {
  const { COMMANDS } = await import("./command-list.ts");
  return { commands: COMMANDS, options: GLOBAL_OPTIONS };
}
