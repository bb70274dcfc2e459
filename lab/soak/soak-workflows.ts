/** How a part of each workflow is begun, and resumed after a kill. */
import { writeTree } from "../../src/workflows/pure/tree-nodes.ts";
import type { SoakRepository } from "./soak-repository.ts";

export const WORKFLOWS = ["loop", "goal", "tree", "campaign"] as const;
export type SoakWorkflow = (typeof WORKFLOWS)[number];

interface Part {
  readonly number: number;
  readonly ticks: number;
}

/** A turn of a goal is built in one tick and reviewed in another, and so is a story of a campaign. */
const TICKS_OF_TURN = 2;

/** All workflows take turns to the end, so that what one leaves behind is the same for the next one all the time. */
const countTurns = (ticks: number): number => Math.ceil(ticks / TICKS_OF_TURN);

interface Commands {
  /** Prepares a part; returns the arguments that begin it. */
  readonly begin: (repository: SoakRepository, part: Part, relais: (...args: string[]) => void) => readonly string[];
  readonly resume: (part: Part) => readonly string[];
}

const USUAL = { acceptance: ["The check passes"], passes: false, attempts: 0, max_attempts: 50, children: [] };

function commitAll({ git }: SoakRepository, message: string): void {
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", `--message=${message}`);
}

export const COMMANDS: Readonly<Record<SoakWorkflow, Commands>> = {
  loop: {
    begin: (_, { ticks }) => ["loop", "--new", "--json", "--max-ticks", String(ticks)],
    resume: ({ ticks }) => ["loop", "--json", "--max-ticks", String(ticks)],
  },
  goal: {
    begin: (_, { number, ticks }) => [
      "goal",
      `The constants, part ${number}`,
      "--json",
      "--max-turns",
      String(countTurns(ticks)),
    ],
    resume: () => ["goal", "resume", "--json"],
  },
  tree: {
    begin: (repository, { number, ticks }) => {
      const children = Array.from({ length: ticks }, (_, at) => ({
        ...USUAL,
        id: `leaf-${number}-${at}`,
        order: at,
        title: `Constant ${at}`,
        goal: `Constant ${at} of part ${number} is there`,
      }));
      const root = { ...USUAL, id: "root", order: 0, title: "Constants", goal: "All constants are there", children };
      repository.put("repo/relais/tree.json", writeTree({ version: 1, root }));
      commitAll(repository, `tree ${number}`);
      return ["tree", "run", "--new", "--json", "--max-iterations", String(ticks)];
    },
    resume: () => ["tree", "run", "--json"],
  },
  campaign: {
    begin: (repository, { number, ticks }, relais) => {
      repository.put("contract.json", JSON.stringify(contractOf(number, ticks)));
      relais("campaign", "brainstorm", "--from", "../contract.json", "--yes");
      commitAll(repository, `campaign ${number}`);
      return ["campaign", "run", slugOf(number), "--json"];
    },
    resume: ({ number }) => ["campaign", "run", slugOf(number), "--json"],
  },
};

function slugOf(number: number): string {
  return `part-${number}`;
}

function contractOf(number: number, ticks: number): object {
  return {
    slug: slugOf(number),
    objective: `The constants of part ${number}`,
    stories: Array.from({ length: countTurns(ticks) }, (_, at) => ({
      id: `US-${String(at + 1).padStart(3, "0")}`,
      title: `Constant ${at}`,
      criteria: [{ id: "AC1", text: `Constant ${at} is in \`src/campaign.ts\`` }],
    })),
    iteration_unit: "story",
    commands: [{ id: "check", argv: ["sh", "check.sh"] }],
    complete_when: "All constants are there.",
    blocked_when: "Somebody else has to decide.",
    worker_model: null,
    verifier_model: null,
    max_iterations: null,
  };
}
