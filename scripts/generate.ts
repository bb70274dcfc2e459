/**
 * Writes every file that is derived from another: the JSON Schemas that ship with the package, the man page,
 * and the tables of the docs. A test compares them with what is committed.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { toJsonSchema, type ConversionConfig } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { GenericSchema } from "valibot";
import { Blocked } from "../src/records/blocked.ts";
import { BuilderResult } from "../src/records/builder-result.ts";
import { CampaignContract, CampaignDraft } from "../src/records/campaign.ts";
import { CampaignStatus, CampaignSummary } from "../src/records/campaign-files.ts";
import { CampaignClaim, CampaignSignal, CampaignVerdict } from "../src/records/campaign-messages.ts";
import { Config } from "../src/config/config.ts";
import { JournalLine } from "../src/records/event.ts";
import { Evidence } from "../src/records/evidence.ts";
import { GoalDecision, GoalLedger, GoalReceipt, GoalSummary } from "../src/records/goal.ts";
import { Handoff } from "../src/queue/pure/job.ts";
import { Judgement } from "../src/records/judgement.ts";
import { Lock } from "../src/records/lock.ts";
import { Meta } from "../src/records/meta.ts";
import { MilestoneArchive } from "../src/records/milestone-archive.ts";
import { Notification } from "../src/records/notification.ts";
import { Report } from "../src/records/report.ts";
import { ReviewDecision } from "../src/records/review.ts";
import { SeriesSummary } from "../src/records/series.ts";
import { UserSettings } from "../src/queue/pure/user-settings.ts";
import { WorkspaceState } from "../src/records/state.ts";
import { Task } from "../src/records/task.ts";
import { Tree, NodeTools, TreeResult } from "../src/records/tree.ts";
import { Failure } from "./cli-failure.ts";
import { CLI_OUTPUTS } from "./cli-output.ts";
import { cliReference } from "./cli-reference.ts";
import { configPage } from "./config-page.ts";
import { manPage } from "./man-page.ts";
import { promisesPage } from "./promises-page.ts";
import { checksPage, judgePage } from "./rates-tables.ts";
import { describeRooms } from "./rooms.mjs";
import { troubleshootingPage } from "./troubleshooting-page.ts";

interface Document {
  readonly title: string;
  readonly schema: GenericSchema;
}

const DOCUMENTS: Readonly<Record<string, Document>> = {
  config: { title: "relais.config.json", schema: Config },
  task: { title: "A task for relais", schema: Task },
  builder_result: { title: "What a builder says about its work", schema: BuilderResult },
  review_decision: { title: "What a reviewer says about a change", schema: ReviewDecision },
  goal_decision: { title: "What a reviewer says about a goal", schema: GoalDecision },
  goal_receipt: { title: "What a worker leaves at the end of its turn", schema: GoalReceipt },
  goal_ledger: { title: "The ledger of a goal", schema: GoalLedger },
  goal_summary: { title: "What came of a goal", schema: GoalSummary },
  campaign_contract: { title: "What a person decides before a campaign", schema: CampaignContract },
  campaign_draft: { title: "What an agent suggests for a campaign", schema: CampaignDraft },
  campaign_signal: { title: "What a worker of a campaign says at its end", schema: CampaignSignal },
  campaign_claim: { title: "What a worker of a campaign claims to be done", schema: CampaignClaim },
  campaign_verdict: { title: "What a verifier says about a campaign", schema: CampaignVerdict },
  campaign_status: { title: "status.json of a campaign", schema: CampaignStatus },
  campaign_summary: { title: "Where a campaign stands", schema: CampaignSummary },
  report: { title: "REPORT.json", schema: Report },
  state: { title: "STATE.json", schema: WorkspaceState },
  blocked: { title: "BLOCKED.json", schema: Blocked },
  lock: { title: "lock.json", schema: Lock },
  event: { title: "One line of the journal", schema: JournalLine },
  evidence: { title: "evidence.json", schema: Evidence },
  judgement: { title: "The judge's answer", schema: Judgement },
  series_summary: { title: "How a series of ticks ended", schema: SeriesSummary },
  handoff: { title: "What handoff.command reads", schema: Handoff },
  user_settings: { title: "settings.json of a person", schema: UserSettings },
  notification: { title: "What notify.command reads", schema: Notification },
  milestone_archive: { title: "What a milestone has cost", schema: MilestoneArchive },
  meta: { title: "meta.json", schema: Meta },
  tree: { title: "tree.json", schema: Tree },
  node_tools: { title: "The tools of one leaf", schema: NodeTools },
  tree_result: { title: "What an agent says about an iteration of the tree", schema: TreeResult },
};

/** A key that exists only to be refused with a reason is, for JSON Schema, an unknown key like any other. */
const isRefusal = (schema: unknown) => JSON.stringify(schema) === '{"not":{}}';

const CONVERSION: ConversionConfig = {
  target: "draft-2020-12",
  typeMode: "input",
  // What only code can check; wherever JSON Schema has words for it, the contract adds them as metadata.
  ignoreActions: ["check", "partial_check", "raw_check"],
  overrideSchema: ({ valibotSchema, jsonSchema }) => {
    if (valibotSchema.type === "record") {
      const { propertyNames, ...rest } = jsonSchema;
      return JSON.stringify(propertyNames) === '{"type":"string"}' ? rest : null;
    }
    if (jsonSchema.properties === undefined) return null;
    const kept = Object.entries(jsonSchema.properties).filter(([, property]) => !isRefusal(property));
    return { ...jsonSchema, properties: Object.fromEntries(kept) };
  },
};

const CLI_FOLDER = "cli/v1";

/** The converter shows a schema with further checks by what these are put upon. */
function firstOf(schema: GenericSchema): unknown {
  return "pipe" in schema && Array.isArray(schema.pipe) ? schema.pipe[0] : schema;
}

/** The same, but for documents that have a schema of their own, which are referred to. */
const CLI_CONVERSION: ConversionConfig = {
  ...CONVERSION,
  overrideSchema: (context) => {
    const known = Object.entries(DOCUMENTS).find(([, { schema }]) => firstOf(schema) === context.valibotSchema);
    if (known !== undefined) return { $ref: `../../${known[0]}.schema.json` };
    if (context.valibotSchema === Failure) return { $ref: "failure.schema.json" };
    return CONVERSION.overrideSchema?.(context) ?? null;
  },
};

/** What a command prints with `--json`: one of its own documents, or why there is none. */
function cliSchema(name: string, documents: readonly GenericSchema[]): string {
  const { $schema, anyOf } = toJsonSchema(v.union([...documents, Failure]), CLI_CONVERSION);
  const title = `What \`relais ${name}\` prints with --json`;
  return schemaOf(`${CLI_FOLDER}/${name}`, { $schema, title, type: "object", anyOf });
}

function failureSchema(): string {
  const { $schema, anyOf } = toJsonSchema(v.union([...Failure.options]), CONVERSION);
  const title = "What any command prints with --json where it does nothing else";
  return schemaOf(`${CLI_FOLDER}/failure`, { $schema, title, type: "object", anyOf });
}

function schemaOf(path: string, { $schema, ...rest }: Readonly<Record<string, unknown>>): string {
  const $id = `https://relais.local/schemas/${path}.schema.json`;
  return `${JSON.stringify({ $schema, $id, ...rest }, null, 2)}\n`;
}

function schemaText(name: string, { title, schema }: Document): string {
  const { $schema, ...rest } = toJsonSchema(schema, CONVERSION);
  // A union has no type of its own, and readers of schemas like to be told.
  const document = {
    $schema,
    $id: `https://relais.local/schemas/${name}.schema.json`,
    title,
    type: "object",
    ...rest,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The page with the table of rooms between its two marks. */
const architecturePage = (text: string): string =>
  text.replace(
    /(<!-- rooms: .* -->\n)[^]*(<!-- \/rooms -->)/,
    (_, start: string, end: string) => `${start}\n${describeRooms()}\n\n${end}`,
  );

/** Every derived file, by its path from the root of the repository. */
export function generated(): Record<string, string> {
  const schemas = Object.entries(DOCUMENTS).map(
    ([name, document]) => [`schemas/${name}.schema.json`, schemaText(name, document)] as const,
  );
  const printed = Object.entries(CLI_OUTPUTS).map(
    ([name, documents]) => [`schemas/${CLI_FOLDER}/${name}.schema.json`, cliSchema(name, documents)] as const,
  );
  return {
    ...Object.fromEntries([...schemas, ...printed]),
    [`schemas/${CLI_FOLDER}/failure.schema.json`]: failureSchema(),
    "docs/cli.md": cliReference(),
    "docs/configuration.md": configPage(
      readFileSync("docs/configuration.md", "utf8"),
      toJsonSchema(Config, CONVERSION),
    ),
    "ARCHITECTURE.md": architecturePage(readFileSync("ARCHITECTURE.md", "utf8")),
    "docs/checks.md": checksPage(readFileSync("docs/checks.md", "utf8")),
    "docs/judge.md": judgePage(readFileSync("docs/judge.md", "utf8")),
    "docs/promises.md": promisesPage(),
    "docs/troubleshooting.md": troubleshootingPage(readFileSync("docs/troubleshooting.md", "utf8")),
    "man/relais.1": manPage(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(generated())) {
    mkdirSync(dirname(resolve(path)), { recursive: true });
    writeFileSync(path, text);
  }
}
