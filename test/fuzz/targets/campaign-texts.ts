import assert from "node:assert/strict";
import type { FuzzTarget } from "../../../scripts/fuzz/target.ts";
import { findContractProblems } from "../../../src/core/campaign/lint-contract.ts";
import { testSpecText, writePrd } from "../../../src/core/campaign/prd-text.ts";
import { readPrd, readsBack, readTestSpec } from "../../../src/core/campaign/read-prd.ts";
import { joinCommand, splitCommand } from "../../../src/core/campaign/split-command.ts";
import { CONTRACT } from "../../support/campaign-contract.ts";

/** The Markdown of a campaign, which people edit, and its commands. */
export const campaignTexts: FuzzTarget = {
  name: "campaign-texts",
  seeds: () => [writePrd(CONTRACT), testSpecText(CONTRACT), "npm test -- 'a b'"].map((text) => Buffer.from(text)),
  words: [
    "## Stories\n",
    "### US-001: A\n",
    "- [ ] AC1: x\n",
    "- worker model: x\n",
    "## Commands\n",
    "- test: `npm test`\n",
  ],
  check: (data) => {
    const text = data.toString("utf8");
    const { contract: read, problems } = readPrd(text, "slug");
    const { commands } = readTestSpec(text);
    const whole = { ...read, commands: [...commands] };
    if (problems.length === 0 && findContractProblems(whole).length === 0)
      assert(readsBack(whole), "a contract that is written otherwise than it was read");
    const split = splitCommand(text);
    if (split.kind !== "argv") return;
    const again = splitCommand(joinCommand(split.argv));
    if (again.kind === "argv") assert.deepEqual(again.argv, split.argv);
  },
};
