/** The cards of `pause`, `resume`, `stop`, `accept RUN` and `reject RUN`, about a relais in another terminal. */
import type {
  AskedDecision,
  RequestedPause,
  RunningRelais,
  StoppedRunner,
  WithdrawnPause,
} from "../records/decisions.ts";
import { renderCard } from "./card.ts";
import { renderSeriesCommand } from "./open-series-text.ts";
import { type Canvas, type Fact, GOOD, makeStep, type NextStep, PENDING } from "../base/canvas.ts";
import { neutralise } from "../base/style.ts";

const STATUS = makeStep("relais status", "see where it is");

export function renderPaused(view: RequestedPause, canvas: Canvas): string {
  const isSingle = view.command === "run";
  const title = isSingle ? "A single tick is running; it ends by itself." : "It pauses after this tick.";
  const next = isSingle ? [STATUS] : [...continueIt(view), makeStep("relais resume", "withdraw the pause")];
  return renderCard({ ...PENDING, title, facts: describeRunner(view), next }, canvas);
}

export function renderResumed(view: WithdrawnPause, canvas: Canvas): string {
  const title = "It goes on after this tick.";
  return renderCard({ ...GOOD, title, facts: describeRunner(view), next: [STATUS] }, canvas);
}

export function renderStopped(view: StoppedRunner, canvas: Canvas): string {
  const { salvage } = view;
  const facts: readonly Fact[] = [
    ...describeRunner(view),
    ["change", salvage === null ? null : "reverted, and kept in salvage"],
  ];
  const kept = salvage === null ? [] : [makeStep(`relais salvage show ${salvage}`, "look at the kept change")];
  return renderCard({ ...GOOD, title: "Stopped.", facts, next: [...continueIt(view), ...kept] }, canvas);
}

function describeRunner({ runId, pid, command }: RunningRelais): readonly Fact[] {
  const typed = command === null ? "" : ` of \`relais ${neutralise(command)}\``;
  return [["running", `${runId}${typed}, process ${pid}`]];
}

/** A single tick cannot be continued. */
function continueIt({ command, mode }: RunningRelais): readonly NextStep[] {
  if (command === null || command === "run") return [];
  return [makeStep(renderSeriesCommand({ command, mode }), "continue later")];
}

const DECIDED = {
  accept: { ...GOOD, title: "Accepted." },
  reject: { ...GOOD, title: "Rejected: it is reverted and kept in salvage." },
  edit: { ...PENDING, title: "Not accepted yet: the files changed, so the change is judged again." },
} as const;

export function renderAskedDecision({ runId, decision, message }: AskedDecision, canvas: Canvas): string {
  const facts: readonly Fact[] = [
    ["tick", runId],
    [decision === "edit" ? "changed" : "reason", message && neutralise(message)],
  ];
  const next = decision === "edit" ? [makeStep(`relais accept ${runId}`, "accept it once it waits again")] : [STATUS];
  return renderCard({ ...DECIDED[decision], facts, next }, canvas);
}
