/** One tick of a kind, and a forger who edits its records and makes every hash anew. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { inWorld } from "../support/scenario.ts";
import { GOOD_EDIT, RESULT } from "../support/scenario-documents.ts";
import type { World } from "../support/scenario-world.ts";

type Event = Readonly<Record<string, unknown>>;

export interface Forgery {
  readonly shows: string;
  /** The code of the tick before. */
  readonly of: string;
  readonly event?: (event: Event) => Event;
  readonly lines?: (events: readonly Event[]) => readonly Event[];
  readonly evidence?: (evidence: Event) => Event;
  /** Makes another commit, and answers with its id. */
  readonly commit?: (world: World) => string;
  readonly finds: RegExp;
}

const Fields = v.record(v.string(), v.unknown());
const Line = v.looseObject({ run_id: v.string(), event: v.looseObject({ type: v.string() }) });

/** The builder and the reviewer of a tick that ends with this code, which is committed where it succeeds. */
function sampleOf(code: string) {
  const steps: Readonly<Record<string, readonly object[]>> = {
    STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED: [GOOD_EDIT, { do: "write", path: "docs/guide.md", text: "Mine.\n" }],
    STOP_VERIFY_FAILED_FAST: [{ ...GOOD_EDIT, text: "export const answer = 0;\n" }],
  };
  const word = code === "STOP_REVIEW_REFUSED" ? "refuse" : "approve";
  const content = { decision: word, explanation: "Looked.", reasons: ["src/main.ts:1"] };
  const script = {
    steps: [...(steps[code] ?? [GOOD_EDIT]), { do: "result", content: RESULT }],
    reviewers: { risk: [{ do: "result", content }] },
  };
  return {
    config: { git: { commit: "always" }, review: { reviewers: ["risk"] } },
    task: { builder: { instructions: JSON.stringify(script) } },
  };
}

/** Runs one tick that ends with this code, and does something in its world, which nobody verifies afterwards. */
export function reviewedWorld(code: string, work: (world: World) => void): Promise<void> {
  return inWorld(sampleOf(code), async (world) => {
    world.git("checkout", "-qb", "topic");
    const ran = await world.run();
    const report = v.parse(v.looseObject({ code: v.string() }), JSON.parse(world.read("relais/REPORT.json")));
    if (report.code !== code) throw new Error(`${report.code}\n${ran.stderr}`);
    work(world);
  });
}

export function forgeTick(world: World, forgery: Forgery): void {
  const path = join(world.root, "relais/ledger.jsonl");
  const lines = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => v.parse(Line, JSON.parse(line)));
  const [first] = lines;
  const folder = join(world.root, "relais/history", first?.run_id ?? "");
  const evidence = forgeEvidence(folder, forgery);
  const commit = forgery.commit?.(world);
  const events = (forgery.lines ?? ((all) => all))(lines.map(({ event }) => event)).map((event) =>
    point((forgery.event ?? ((one) => one))(event), { evidence, commit }),
  );
  forgeReport(folder, { events, commit });
  const sealed = events.map((event) => listFiles(event, folder));
  writeFileSync(path, seal(sealed.map((event, seq) => ({ ...lines[seq], seq, event }))));
}

function forgeEvidence(folder: string, { evidence }: Forgery): string | null {
  const path = join(folder, "evidence.json");
  if (evidence === undefined || !existsSync(path)) return null;
  const text = `${JSON.stringify(evidence(v.parse(Fields, JSON.parse(readFileSync(path, "utf8")))))}\n`;
  writeFileSync(path, text);
  return sha256(text);
}

function point(event: Event, { evidence, commit }: { evidence: string | null; commit: string | undefined }): Event {
  if (event["type"] === "judged" && evidence !== null) return { ...event, evidence_sha256: evidence };
  return event["type"] === "settled" && commit !== undefined ? { ...event, commit } : event;
}

/** The report says what the forged journal says. */
function forgeReport(
  folder: string,
  { events, commit }: { events: readonly Event[]; commit: string | undefined },
): void {
  const find = (type: string): Event | undefined => events.find((event) => event["type"] === type);
  const path = join(folder, "report.json");
  const report = v.parse(Fields, JSON.parse(readFileSync(path, "utf8")));
  const ended = find("tick_ended");
  const settle = v.parse(Fields, report["settle"]);
  const forged = {
    ...report,
    code: ended?.["code"],
    verdict: ended?.["verdict"],
    blast_radius: find("judged")?.["blast_radius"],
    settle: commit === undefined ? settle : { ...settle, commit },
  };
  writeFileSync(path, `${JSON.stringify(forged)}\n`);
}

function listFiles(event: Event, folder: string): Event {
  if (event["type"] !== "reported") return event;
  const files = v.parse(v.array(v.object({ name: v.string(), sha256: v.string() })), event["history_files"]);
  const history_files = files.map(({ name }) => ({ name, sha256: sha256(readFileSync(join(folder, name))) }));
  return { ...event, history_files };
}

function seal(lines: readonly object[]): string {
  let prev: string | null = null;
  let text = "";
  for (const line of lines) {
    const { sha256: _, ...fields } = v.parse(Fields, { ...line, prev });
    const body = JSON.stringify(fields);
    const whole = `${body.slice(0, -1)},"sha256":"${sha256(body)}"}`;
    text += `${whole}\n`;
    prev = sha256(whole);
  }
  return text;
}

function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}
