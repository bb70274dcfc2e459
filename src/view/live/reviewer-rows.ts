/** Who reviews: what each of them does while it looks, and how it voted. */
import type { Review } from "../../contract/agents/review.ts";
import { findReviewing } from "../../core/tick/tick-facts.ts";
import { neutralise } from "../text/neutralise.ts";
import { oneLine } from "../cards/report-words.ts";
import { doingLine } from "./agent-rows.ts";
import { type Line, roomBeside, row, span } from "./frame-line.ts";
import type { PartPlace } from "./frame-place.ts";
import type { LiveAgent, LiveModel } from "./live-model.ts";

const VOTES = {
  approve: span("✓ approves", "good"),
  refuse: span("✗ refuses", "bad"),
  none: span("– has no vote", "bad"),
} as const;

export function reviewerRows(model: LiveModel, { columns, now }: PartPlace): readonly Line[] {
  const facts = model.tick === null ? null : findReviewing(model.tick.state);
  if (facts === null) return [];
  return facts.reviewing.sessions.map(({ reviewer }) => {
    const review = facts.answers.find(({ name }) => name === reviewer);
    const line =
      review === undefined
        ? lookingLine(agentOf(model, reviewer), { columns: roomBeside(columns), now })
        : voteLine(review);
    return row(neutralise(reviewer), line, columns);
  });
}

function agentOf({ agents, tick }: LiveModel, reviewer: string): LiveAgent {
  const known = agents.find(({ speaker }) => speaker.endsWith(` ${reviewer}`));
  const at = tick?.phaseMs ?? 0;
  const silent = { startedMs: at, doing: null, doingMs: at, said: null, tools: 0, usage: null };
  return known ?? { speaker: reviewer, ...silent };
}

function lookingLine(agent: LiveAgent, place: PartPlace): Line {
  if (agent.doing !== null) return doingLine(agent, place);
  return [span("○ ", "faint"), ...doingLine(agent, { ...place, columns: place.columns - 2 })];
}

function voteLine({ vote, explanation, cause }: Review): Line {
  const because = explanation === "" ? (cause ?? "") : explanation;
  return [VOTES[vote], span(because === "" ? "" : `: ${oneLine(because)}`, "faint")];
}
