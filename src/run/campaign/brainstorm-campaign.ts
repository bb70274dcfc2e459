/** Thinks a campaign through, with a person or from a file, and writes nothing until it is approved. */
import { isAbsolute, resolve } from "node:path";
import { CampaignContract } from "../../contract/campaign.ts";
import { parseWith } from "../../contract/schema-error.ts";
import { contractProblems } from "../../core/campaign/lint-contract.ts";
import { prdText, testSpecText } from "../../core/campaign/prd-text.ts";
import { openPerson, type Person } from "../../io/ask-person.ts";
import { readBounded } from "../../io/bounded-file.ts";
import type { Unready } from "../ground.ts";
import { refused, type Refused } from "../refused.ts";
import { findTreePlace } from "../tree/tree-place.ts";
import { askContract } from "./ask-contract.ts";
import { initCampaign, type MadeCampaign } from "./init-campaign.ts";

export interface BrainstormRequest {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly description: string | null;
  /** A JSON file with all answers; null asks a person. */
  readonly from: string | null;
  readonly isApproved: boolean;
  /** How a text that others may have written is shown. */
  readonly show: (text: string) => string;
}

interface Misused {
  readonly kind: "misused";
  readonly message: string;
  readonly problems: readonly string[];
}

/** What was thought through and shown, and is not approved. */
interface Unapproved {
  readonly kind: "unapproved";
  readonly contract: CampaignContract;
  readonly text: string;
}

export type BrainstormAnswer = MadeCampaign | Unapproved | Misused | Refused | Unready;

export async function brainstormCampaign(request: BrainstormRequest): Promise<BrainstormAnswer> {
  const place = await findTreePlace(request.cwd);
  if (place.kind === "blocked") return place;
  const person = openPerson(request.signal);
  try {
    if (request.from !== null) return await fromFile(request, request.from, person);
    if (person === null)
      return misused("it asks a person, and there is no terminal here: bring the answers with --from FILE");
    const contract = await askContract(person, place.config, request.description);
    return contract === null
      ? misused("it was left before the end; nothing was written")
      : await settle(request, contract, person);
  } finally {
    person?.leave();
  }
}

const misused = (message: string, problems: readonly string[] = []): Misused => ({
  kind: "misused",
  message,
  problems,
});

const FILE_BYTES_MAX = 256 * 1024;

async function fromFile(
  request: BrainstormRequest,
  file: string,
  person: Person | null,
): Promise<BrainstormAnswer> {
  const read = await readBounded(isAbsolute(file) ? file : resolve(request.cwd, file), FILE_BYTES_MAX);
  if (read.kind !== "read")
    return misused(`--from: ${file}: ${read.kind === "missing" ? "there is no such file" : read.reason}`);
  const parsed = parseWith(CampaignContract, json(read.data.toString("utf8")));
  if (parsed.kind === "invalid")
    return misused(
      `--from: ${file} is no contract`,
      parsed.problems.map(({ message }) => message),
    );
  return settle(request, parsed.value, person);
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Shows the contract, and makes the campaign only where it is approved. */
async function settle(
  request: BrainstormRequest,
  contract: CampaignContract,
  person: Person | null,
): Promise<BrainstormAnswer> {
  const problems = contractProblems(contract);
  if (problems.length > 0)
    return refused({
      cause: "contract_unfinished",
      message: "The contract cannot be worked on like this; nothing was written.",
      paths: problems,
      next: "Mend it and begin again.",
    });
  const text = `${prdText(contract)}\n${testSpecText(contract)}`;
  if (request.isApproved) return initCampaign(request.cwd, contract);
  if (person === null) return { kind: "unapproved", contract, text };
  person.say(`\n${request.show(text)}\n`);
  const answer = await person.ask("Write these files? yes or no", "no");
  return /^y(?:es)?$/iu.test(answer ?? "")
    ? initCampaign(request.cwd, contract)
    : { kind: "unapproved", contract, text };
}
