import { CHOICE_OPTIONS } from "../terminal/choice-options.ts";
import type { OptionSpecs } from "../terminal/option-spec.ts";

export const brainstormOptions = {
  draft: { type: "flag", help: "Let the agent draft suggestions in one read-only session" },
  from: { type: "text", value: "FILE", help: "Read the answers from a JSON file; ask nothing" },
  yes: { type: "flag", help: "Approve FILE; without it nothing is written" },
} as const satisfies OptionSpecs;

export const runOptions = {
  mode: {
    type: "choice",
    value: "MODE",
    choices: ["agent", "tmux"],
    help: "agent, or tmux to watch panes [campaign.mode, agent]",
  },
  "max-iter": { type: "text", value: "N", help: "At most N iterations [campaign.max_iterations, 100]" },
  "worker-model": { type: "text", value: "M", help: "Model of the workers" },
  "verifier-model": { type: "text", value: "M", help: "Model of the verifiers" },
  "verify-mode": {
    type: "choice",
    value: "MODE",
    choices: ["per-story", "batch"],
    help: "per-story, or batch at the end [per-story]",
  },
  debug: { type: "flag", help: "Write logs/debug.log" },
  ...CHOICE_OPTIONS,
} as const satisfies OptionSpecs;

export const logsOptions = {
  follow: { type: "flag", help: "Watch progress until the run ends, like `relais status --watch`" },
  pane: {
    type: "choice",
    value: "PANE",
    choices: ["leader", "worker", "verifier"],
    help: "With --follow: leader [default], worker or verifier",
  },
} as const satisfies OptionSpecs;

export const cleanOptions = {
  "kill-session": { type: "flag", help: "Also end its tmux sessions" },
} as const satisfies OptionSpecs;
