/** Every command in the order of the help, with what it does: all that `relais --help` needs of them. */
export const SUMMARIES = {
  init: "Set relais up in a repository",
  eject: "Write a shipped prompt or schema into the workspace, to change it",
  status: "Show the current state and the next command",
  run: "Run one tick: build one task, judge it, check it, keep or revert it",
  loop: "Run ticks and commit each kept change, until the work is done or a limit stops it",
  tree: "Work on a tree of tasks, one leaf at a time, each behind a guard command",
  goal: "Work on a goal, turn by turn, until enough reviewers confirm it with evidence",
  campaign: "Work through user stories, each built, checked and verified",
  submit: "Put a run, goal, campaign, tree or loop into the queue, for a worker",
  worker: "Take jobs from the queue and run them, each in a clone of its own",
  queue: "List, show, cancel, retry, move or pause jobs",
  fetch: "Get the branch, the journal and the salvage of a job",
  diff: "Show the change of a tick, kept, reverted or so far",
  log: "Show what the agents of a tick said and did",
  ui: "Show everything in a browser, live, and decide there",
  report: "Write a tick or a series as one HTML file",
  accept: "Commit the change of the last accepted tick, or accept one that waits (--ask)",
  reject: "Reject a change that waits for your decision (--ask)",
  fix: "Try again from work that was not kept: the agent is told what failed",
  undo: "Undo the last accepted tick",
  answer: "Answer the open question of the last tick",
  milestone: "Close the milestone with its spent budget, and open the next one",
  pause: "End the running series after its current tick",
  resume: "Withdraw a pause that has not happened yet",
  stop: "Stop the running relais now; its change is reverted and kept in salvage",
  recover: "After a crash: restore the repository and keep the work in salvage",
  salvage: "List, show or re-apply reverted work",
  land: "Put a branch or saved work on top of HEAD, judge and check it there, and keep it",
  history: "List, show, compare or re-judge past ticks, or delete old runs",
  events: "Print the journal, and follow it",
  judge: "Judge a change without an agent: working tree, staged files or a range",
  doctor: "Check that this machine and repository are ready for a tick",
  drill: "Try hostile builders on a copy of this repository, with your configuration",
  mcp: "Serve run, status, diff and undo to agents and editors (Model Context Protocol)",
  demo: "Try ticks and workflows on sample repositories, offline",
  explain: "Explain a code, or list all codes",
  completions: "Print shell completions",
} as const satisfies Readonly<Record<string, string>>;

export type CommandName = keyof typeof SUMMARIES;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(SUMMARIES, name);
}
