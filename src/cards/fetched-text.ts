import type { FetchedJob } from "../queue/pure/fetched-job.ts";
import { renderCard } from "./card.ts";
import { type Canvas, type Fact, GOOD, makeStep, type NextStep, WARNING } from "../base/canvas.ts";
import { neutralise } from "../base/neutralise.ts";

const STATES = {
  new: "new here",
  same: "here already",
  moved: "moved forward",
  kept: "kept as it is here: it has other commits, or is checked out",
} as const;

export function renderFetched(fetched: FetchedJob, canvas: Canvas): string {
  const { job, branch, salvage, folder, files, base } = fetched;
  const name = branch === null ? null : branch.ref.replace(/^refs\/heads\//, "");
  const facts: readonly Fact[] = [
    [
      "branch",
      branch === null
        ? "none: nothing was committed"
        : `${name} at ${branch.commit.slice(0, 12)}, ${STATES[branch.state]}`,
    ],
    ...salvage.map(({ ref, state }): Fact => ["salvage", `${neutralise(ref)}, ${STATES[state]}`]),
    ["files", `${files.join(", ")} in ${neutralise(folder)}`],
  ];
  const next: NextStep[] = [];
  if (name !== null) next.push(makeStep(`git log ${base.commit.slice(0, 12)}..${name}`, "look at its commits"));
  const [saved] = salvage;
  if (saved !== undefined) next.push(makeStep(`git show ${saved.ref}`, "look at the reverted work"));
  const sign = branch?.state === "kept" ? WARNING : GOOD;
  return renderCard({ ...sign, word: "Fetched", title: job, facts, next }, canvas);
}
