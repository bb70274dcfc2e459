/** The commands, each loaded only when it is named: most of what they declare is of no use to the others. */
import type { CommandSpec, Vocabulary } from "./framework/command.ts";
import { GLOBAL_OPTIONS } from "./framework/global-options.ts";
import type { CommandName } from "./framework/summaries.ts";

/** What `relais` alone means. */
export const DEFAULT_COMMAND = "status";

const LOAD: { readonly [N in CommandName]: () => Promise<CommandSpec> } = {
  init: async () => (await import("./commands/init/init-spec.ts")).initSpec,
  eject: async () => (await import("./commands/eject/eject-spec.ts")).ejectSpec,
  status: async () => (await import("./commands/status/status-spec.ts")).statusSpec,
  run: async () => (await import("./commands/run/run-spec.ts")).runSpec,
  loop: async () => (await import("./commands/loop/loop-spec.ts")).loopSpec,
  tree: async () => (await import("./commands/tree/tree-spec.ts")).treeSpec,
  goal: async () => (await import("./commands/goal/goal-spec.ts")).goalSpec,
  campaign: async () => (await import("./commands/campaign/campaign-spec.ts")).campaignSpec,
  submit: async () => (await import("./commands/submit/submit-spec.ts")).submitSpec,
  worker: async () => (await import("./commands/worker/worker-spec.ts")).workerSpec,
  queue: async () => (await import("./commands/queue/queue-spec.ts")).queueSpec,
  fetch: async () => (await import("./commands/fetch/fetch-spec.ts")).fetchSpec,
  diff: async () => (await import("./commands/diff/diff-spec.ts")).diffSpec,
  log: async () => (await import("./commands/log/log-spec.ts")).logSpec,
  ui: async () => (await import("./commands/ui/ui-spec.ts")).uiSpec,
  report: async () => (await import("./commands/report/report-spec.ts")).reportSpec,
  accept: async () => (await import("./commands/accept/accept-spec.ts")).acceptSpec,
  reject: async () => (await import("./commands/reject/reject-spec.ts")).rejectSpec,
  undo: async () => (await import("./commands/undo/undo-spec.ts")).undoSpec,
  answer: async () => (await import("./commands/answer/answer-spec.ts")).answerSpec,
  pause: async () => (await import("./commands/pause/pause-spec.ts")).pauseSpec,
  resume: async () => (await import("./commands/resume/resume-spec.ts")).resumeSpec,
  stop: async () => (await import("./commands/stop/stop-spec.ts")).stopSpec,
  recover: async () => (await import("./commands/recover/recover-spec.ts")).recoverSpec,
  salvage: async () => (await import("./commands/salvage/salvage-spec.ts")).salvageSpec,
  land: async () => (await import("./commands/land/land-spec.ts")).landSpec,
  history: async () => (await import("./commands/history/history-spec.ts")).historySpec,
  events: async () => (await import("./commands/events/events-spec.ts")).eventsSpec,
  judge: async () => (await import("./commands/judge/judge-spec.ts")).judgeSpec,
  doctor: async () => (await import("./commands/doctor/doctor-spec.ts")).doctorSpec,
  drill: async () => (await import("./commands/drill/drill-spec.ts")).drillSpec,
  mcp: async () => (await import("./commands/mcp/mcp-spec.ts")).mcpSpec,
  demo: async () => (await import("./commands/demo/demo-spec.ts")).demoSpec,
  explain: async () => (await import("./commands/explain/explain-spec.ts")).explainSpec,
  completions: async () => (await import("./commands/completions/completions-spec.ts")).completionsSpec,
};

export function loadCommand(name: CommandName): Promise<CommandSpec> {
  return LOAD[name]();
}

/** All that can be typed. */
export async function loadVocabulary(): Promise<Vocabulary> {
  const { COMMANDS } = await import("./commands.ts");
  return { commands: COMMANDS, options: GLOBAL_OPTIONS };
}
