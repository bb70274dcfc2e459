/**
 * A tutorial as data: blocks of commands, some of which promise what they print.
 *
 * A promise is the block of text right below the commands. In it `…` stands for anything within a line, and for any number
 * of lines where it stands alone; everything else is meant to the letter.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { typeCommands } from "./page-commands.ts";

export interface TutorialStep {
  readonly commands: string;
  readonly promised: string | null;
}

const BLOCK = /```sh\n(?<commands>.*?)```(?:\n\n```text\n(?<promised>.*?)```)?/gs;

/** The steps of a page, in their order. */
export function tutorialSteps(text: string): readonly TutorialStep[] {
  return [...text.matchAll(BLOCK)].map(({ groups }) => ({
    commands: groups?.["commands"] ?? "",
    promised: groups?.["promised"] ?? null,
  }));
}

/** Whether the output is what the promise says. */
export function keeps(promised: string, printed: string): boolean {
  const lines = promised
    .trimEnd()
    .split("\n")
    .map((line) => {
      if (line === "…") return "(?:.*\\n)*?";
      return `${line.split("…").map(literally).join(".*")} *\\n`;
    });
  return new RegExp(`^${lines.join("")}$`).test(`${printed.trimEnd()}\n`);
}

const literally = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

const MARK = "--- the end of a block ---";

interface Kept extends TutorialStep {
  readonly printed: string;
}

/** Types a page of the docs in an empty folder, one block after the other. */
export function typeTutorial(page: string): readonly Kept[] {
  const steps = tutorialSteps(readFileSync(join(import.meta.dirname, "../../docs", page), "utf8"));
  const { said } = typeCommands(
    steps.map(({ commands }) => `${commands}\necho '${MARK}'`),
    "place",
  );
  const printed = said.split(`${MARK}\n`);
  return steps.map((step, index) => ({ ...step, printed: printed[index] ?? "" }));
}
