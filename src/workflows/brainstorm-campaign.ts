import { join, isAbsolute, resolve } from "node:path";
import { type CampaignDraft, CampaignContract } from "../records/campaign.ts";
import { InvariantError, describeError } from "../base/errors.ts";
import { findDraft, draftWork } from "./pure/draft-work.ts";
import { decodePath } from "../base/path-names.ts";
import { shorten } from "../base/words.ts";
import { WorkspaceFold } from "../journal/pure/workspace-state.ts";
import { readNow } from "../system/read-files.ts";
import { accessRepository } from "../git/git.ts";
import { listTreePaths } from "../git/tree-listing.ts";
import type { LockedWorkspace, Workspace, CommandContext, Project } from "../workspace/workspace.ts";
import { chooseConfig } from "../tick/choose-config.ts";
import { openSession } from "../tick/open-session.ts";
import { runWork } from "../tick/run-work.ts";
import { withWorkspace } from "../workspace/with-workspace.ts";
import type { MadeCampaign } from "../records/setup-answers.ts";
import { parseWith } from "../base/schema-error.ts";
import { locateCampaignFolder } from "./pure/campaign-names.ts";
import { findContractProblems } from "./pure/lint-contract.ts";
import { writePrd, testSpecText, readsBack } from "./pure/prd.ts";
import { suggestPlan } from "./pure/suggestions.ts";
import { openPerson, type Person } from "../system/open-person.ts";
import { readBounded } from "../system/bounded-file.ts";
import { type NotReady, type Refusal, refuse } from "../records/command-failure.ts";
import { readProject } from "../workspace/read-project.ts";
import { askContract } from "./ask-contract.ts";
import { findCampaignOnDisk } from "./campaign-on-disk.ts";
import { initCampaign } from "./init-campaign.ts";
import { type Misuse, reportMisuse } from "../workspace/misuse.ts";

/** An agent drafts the suggestions: one read-only tick. */

export type DraftSources = Omit<CommandContext, "emit">;

type DraftAnswer =
  | { readonly kind: "drafted"; readonly draft: CampaignDraft }
  /** Without a full stop. Others may have written it. */
  | { readonly kind: "none"; readonly why: string };

const WHY_CHARS = 200;

const giveUp = (why: string): DraftAnswer => ({
  kind: "none",
  why: shorten(why.replaceAll(/\s+/gu, " ").replace(/\.$/u, ""), WHY_CHARS),
});

/** A failure only means that there is no draft. */
export async function draftCampaign(sources: DraftSources, description: string): Promise<DraftAnswer> {
  const complete = await chooseConfig({ ...sources, chosen: { choices: {}, foundText: null }, needsAgent: true });
  if (complete.kind !== "complete") return giveUp(complete.message);
  const { chosen } = complete;
  const answer = await withWorkspace({ ...sources, chosen }, "tick", (workspace) =>
    askAgent(sources, description, workspace),
  );
  if (answer.kind !== "blocked" && answer.kind !== "refused") return answer;
  return giveUp(answer.cause === "lock_held" ? "relais is running in this repository" : answer.message);
}

async function askAgent(sources: DraftSources, description: string, workspace: LockedWorkspace): Promise<DraftAnswer> {
  const { journal, runId } = workspace;
  const work = draftWork({
    config: workspace.config,
    description,
    milestone: journal.fold(WorkspaceFold).milestone.milestoneId,
    facts: readNow(join(workspace.folder, "FACTS.md"), { bytesMax: FACTS_BYTES_MAX })?.toString("utf8") ?? "",
    branch: workspace.head.text.replace(/^ref: refs\/heads\//u, ""),
    paths: await listTrackedPaths(workspace, sources.signal),
  });
  const session = await openSession({ ...sources, workspace, seriesId: runId, work });
  if (session.kind === "blocked") return giveUp(session.message);
  const { relaisVersion } = sources;
  const { report } = await runWork(session.session, { workflow: "campaign", work, relaisVersion });
  const reviews = journal
    .lines()
    .flatMap(({ run_id, event }) => (run_id === runId && event.type === "reviewed" ? event.reviews : []));
  const draft = report.code === "SUCCESS" ? findDraft(reviews) : null;
  if (draft !== null) return { kind: "drafted", draft };
  if (report.code === "SUCCESS") throw new InvariantError("a draft was accepted that cannot be read");
  return giveUp(report.message ?? report.cause ?? report.code);
}

const FACTS_BYTES_MAX = 1024 * 1024;

async function listTrackedPaths({ repository, head }: Workspace, signal: AbortSignal): Promise<readonly string[]> {
  const paths = await listTreePaths(accessRepository(repository, signal), head.commit);
  return paths.map((path) => decodePath(path).text);
}

/** Makes the contract of a campaign, with a person or from a file. Nothing is written until it is approved. */

export interface BrainstormRequest extends DraftSources {
  readonly description: string | null;
  /** Whether an agent drafts the suggestions; without the option, the person is asked. */
  readonly isDrafted: boolean;
  /** A JSON file with all answers; null asks a person. */
  readonly from: string | null;
  readonly isApproved: boolean;
  /** Neutralises text that others may have written. */
  readonly show: (text: string) => string;
}

interface UnapprovedContract {
  readonly kind: "unapproved";
  readonly contract: CampaignContract;
  readonly text: string;
}

export type BrainstormAnswer = MadeCampaign | UnapprovedContract | Misuse | Refusal | NotReady;

interface BrainstormSession extends BrainstormRequest {
  readonly place: Project;
}

export async function brainstormCampaign(asked: BrainstormRequest): Promise<BrainstormAnswer> {
  const place = await readProject(asked);
  if (place.kind === "blocked") return place;
  const request: BrainstormSession = { ...asked, place };
  const { from } = request;
  if (from === null) return brainstormWithPerson(request);
  if (request.isDrafted) return reportMisuse("--draft and --from exclude each other");
  const person = openPerson(request.signal);
  try {
    return await brainstormFromFile(request, from, person);
  } finally {
    person?.leave();
  }
}

const NO_TERMINAL = "no terminal to ask questions; pass the answers with --from FILE";
const LEFT = "aborted; nothing was written";

function findExisting({ place: { repository, config } }: BrainstormSession, slug: string): CampaignContract | null {
  const folder = join(repository.root, locateCampaignFolder(config.workspace_dir, slug));
  return findCampaignOnDisk(folder, slug)?.contract ?? null;
}

async function brainstormWithPerson(request: BrainstormSession): Promise<BrainstormAnswer> {
  const { config } = request.place;
  const wish = await askWish(request);
  if (wish === null) return reportMisuse(NO_TERMINAL);
  if (wish === "left") return reportMisuse(LEFT);
  const { description, draft } = await draftSuggestions(request, wish);
  const person = request.signal.aborted ? null : openPerson(request.signal);
  if (person === null) return reportMisuse(LEFT);
  try {
    const known = { config, isTaken: (slug: string) => findExisting(request, slug) !== null };
    const contract = await askContract(person, known, suggestPlan(config, description, draft));
    return contract === null ? reportMisuse(LEFT) : await approveContract(request, contract, person);
  } finally {
    person.leave();
  }
}

interface DraftWish {
  readonly description: string | null;
  readonly isDrafted: boolean;
  readonly say: Person["say"];
}

/** Null without a terminal. */
async function askWish({ signal, description, isDrafted }: BrainstormRequest): Promise<DraftWish | "left" | null> {
  const person = openPerson(signal);
  if (person === null) return null;
  // The terminal is released before the agent's session, so that a key can end it.
  try {
    const { ask, say } = person;
    const answer = isDrafted ? "yes" : await ask("Let the agent draft suggestions (one session)? yes or no", "no");
    if (answer === null) return "left";
    if (!isYes(answer)) return { description, isDrafted: false, say };
    const idea = description ?? (await ask("Describe the goal in a sentence or two"));
    return idea === null || idea === "" ? "left" : { description: idea, isDrafted: true, say };
  } finally {
    person.leave();
  }
}

const isYes = (answer: string | null): boolean => /^y(?:es)?$/iu.test(answer ?? "");

/** Without a usable answer of the agent, the built-in suggestions serve. */
async function draftSuggestions(request: BrainstormRequest, { description, isDrafted, say }: DraftWish) {
  if (!isDrafted || description === null) return { description, draft: null };
  say("The agent reads the repository and drafts. It writes nothing; you confirm everything afterwards.\n");
  const answer = await draftCampaign(request, description);
  if (answer.kind === "drafted") return { description, draft: answer.draft };
  say(`No usable draft (${request.show(answer.why)}); using the default suggestions.\n`);
  return { description, draft: null };
}

const FILE_BYTES_MAX = 256 * 1024;

async function brainstormFromFile(
  request: BrainstormSession,
  file: string,
  person: Person | null,
): Promise<BrainstormAnswer> {
  const read = await readBounded(isAbsolute(file) ? file : resolve(request.cwd, file), FILE_BYTES_MAX);
  if (read.kind !== "read")
    return reportMisuse(`--from: ${file}: ${read.kind === "missing" ? "the file does not exist" : read.reason}`);
  const document = parseJson(read.data.toString("utf8"));
  if (document.kind === "broken") return reportMisuse(`--from: ${file} is not JSON: ${document.message}`);
  const parsed = parseWith(CampaignContract, document.value);
  if (parsed.kind === "invalid")
    return reportMisuse(
      `--from: ${file} is not a contract`,
      parsed.problems.map(({ message }) => message),
    );
  return approveContract(request, parsed.value, person);
}

type ParsedJson =
  { readonly kind: "json"; readonly value: unknown } | { readonly kind: "broken"; readonly message: string };

function parseJson(text: string): ParsedJson {
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch (error) {
    return { kind: "broken", message: describeError(error) };
  }
}

const NOT_READ_BACK = "Titles and criteria must be one line each; texts must have no headings and no comments.";

async function approveContract(
  request: BrainstormSession,
  contract: CampaignContract,
  person: Person | null,
): Promise<BrainstormAnswer> {
  const problems = [...findContractProblems(contract), ...(readsBack(contract) ? [] : [NOT_READ_BACK])];
  if (problems.length > 0)
    return refuse({
      cause: "contract_unfinished",
      message: "The contract is not valid; nothing was written.",
      paths: problems,
      next: "Fix it and start again.",
    });
  const text = renderContract(contract);
  const other = findExisting(request, contract.slug);
  if (other !== null && renderContract(other) !== text) return refuseTakenSlug(contract);
  if (request.isApproved) return initCampaign(request, contract);
  if (person === null) return { kind: "unapproved", contract, text };
  person.say(`\n${request.show(text)}\n`);
  const answer = await person.ask("Write these files? yes or no", "no");
  return isYes(answer) ? initCampaign(request, contract) : { kind: "unapproved", contract, text };
}

function renderContract(contract: CampaignContract): string {
  return `${writePrd(contract)}\n${testSpecText(contract)}`;
}

/** Existing files are never overwritten, so the approved contract would be lost. */
function refuseTakenSlug({ slug }: CampaignContract): Refusal {
  return refuse({
    cause: "campaign_exists",
    message: `The campaign ${slug} exists with another contract; nothing was written.`,
    next: "Use another slug, or edit its prd.md and test-spec.md.",
  });
}
