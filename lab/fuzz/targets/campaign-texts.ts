import assert from "node:assert/strict";
import { generateValue } from "../generate-value.ts";
import type { FuzzTarget } from "../target.ts";
import { parseWith } from "../../../src/base/schema-error.ts";
import { CampaignContract } from "../../../src/records/campaign.ts";
import { findContractProblems } from "../../../src/workflows/pure/lint-contract.ts";
import { readPrd, readsBack, readTestSpec, testSpecText, writePrd } from "../../../src/workflows/pure/prd.ts";
import { joinCommand, splitCommand } from "../../../src/workflows/pure/split-command.ts";
import { CONTRACT } from "../../../test/support/campaign-contract.ts";

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
  generate: (random) => {
    const contract = { ...CONTRACT, ...Object(generateValue(CampaignContract, random)) };
    const isWhole = parseWith(CampaignContract, contract).kind === "valid";
    return Buffer.from(random.pick([writePrd, testSpecText])?.(isWhole ? contract : CONTRACT) ?? "");
  },
  check: (data) => {
    const text = data.toString("utf8");
    const { contract: read, problems } = readPrd(text, "slug");
    const { commands, problems: others } = readTestSpec(text);
    // One file has the stories and the other one the commands; the missing half is a usual one.
    const list = commands.length > 0 ? [...commands] : CONTRACT.commands;
    if (problems.length === 0) checkContract({ ...read, commands: list });
    if (others.length === 0) checkContract({ ...CONTRACT, commands: list });
    const split = splitCommand(text);
    if (split.kind !== "argv") return;
    const again = splitCommand(joinCommand(split.argv));
    if (again.kind === "argv") assert.deepEqual(again.argv, split.argv);
  },
};

/** What a person can approve is written as it was read. */
function checkContract(contract: CampaignContract): void {
  if (findContractProblems(contract).length > 0) return;
  assert(readsBack(contract), "a contract that is written otherwise than it was read");
}
