import type { Review } from "../records/review.ts";
import { findReviewing } from "../tick/pure/tick-facts.ts";
import { neutralise } from "../base/neutralise.ts";
import type { Report } from "../records/report.ts";
import { joinLines, pickVoteMark } from "./report-words.ts";
import { NEUTRAL } from "../base/canvas.ts";
import { renderDoingLine } from "./agent-rows.ts";
import { type FrameLine, measureRoomBeside, makeRow, makeSpan, type PartPlace } from "./frame-line.ts";
import type { LiveAgent, LiveModel } from "./live-model.ts";

const VOTES = {
  approve: makeSpan("✓ approves", "good"),
  refuse: makeSpan("✗ refuses", "bad"),
  none: makeSpan("– has no vote", "bad"),
} as const;
/** A reviewer of a goal or a verifier of a campaign refuses nothing. */
const NOT_YET = makeSpan("○ not yet", "strong");

export function renderReviewerRows(model: LiveModel, { columns, now }: PartPlace): readonly FrameLine[] {
  const facts = model.tick === null ? null : findReviewing(model.tick.state);
  if (facts === null) return [];
  const { workflow } = facts.started;
  return facts.reviewing.sessions.map(({ reviewer }) => {
    const review = facts.answers.find(({ name }) => name === reviewer);
    const line =
      review === undefined
        ? renderActivity(findReviewer(model, reviewer), { columns: measureRoomBeside(columns), now })
        : renderVote(review, workflow);
    return makeRow(neutralise(reviewer), line, columns);
  });
}

function findReviewer({ agents, tick }: LiveModel, reviewer: string): LiveAgent {
  const known = agents.find(({ speaker }) => speaker.endsWith(` ${reviewer}`));
  const at = tick?.phaseMs ?? 0;
  const silent = { startedMs: at, doing: null, doingMs: at, said: null, tools: 0, usage: null };
  return known ?? { speaker: reviewer, ...silent };
}

function renderActivity(agent: LiveAgent, place: PartPlace): FrameLine {
  if (agent.doing !== null) return renderDoingLine(agent, place);
  return [makeSpan("○ ", "faint"), ...renderDoingLine(agent, { ...place, columns: place.columns - 2 })];
}

function renderVote({ vote, explanation, cause }: Review, workflow: Report["workflow"]): FrameLine {
  const because = explanation === "" ? (cause ?? "") : explanation;
  const isOpen = pickVoteMark({ vote }, workflow) === NEUTRAL;
  return [isOpen ? NOT_YET : VOTES[vote], makeSpan(because === "" ? "" : `: ${joinLines(because)}`, "faint")];
}
