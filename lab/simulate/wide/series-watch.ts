/** What holds for a whole series: waits end, work is not done twice, and a goal is only reached by what proves it. */
import { EVERY_STORY } from "../../../src/records/campaign.ts";
import type { JournalLine } from "../../../src/records/event.ts";
import { type CampaignState, NEW_CAMPAIGN } from "../../../src/workflows/pure/campaign-state.ts";
import { foldCampaign } from "../../../src/workflows/pure/fold-campaign.ts";
import { isCutShort } from "../../../src/workflows/pure/cut-short.ts";
import { findFinishedWork } from "../../../src/workflows/pure/left-work.ts";
import { listTreeNodes } from "../../../src/workflows/pure/tree-nodes.ts";
import { readTree } from "../../../src/workflows/pure/read-tree.ts";
import { findBase, findOutcome, findTask, findVerification } from "../../../src/tick/pure/tick-facts.ts";
import { FINISHED_WORK_LOST } from "../../../src/workflows/pure/workflow.ts";
import { readModelConfig } from "./model-config.ts";
import type { WatchedTick } from "./watch.ts";
import type { World } from "./world.ts";

const SLACK_MS = 5000;

interface OpenSeries {
  waitedMs: number;
  lastCode: string;
  hasEnded: boolean;
  /** The end of the last wait. */
  waitsUntil: number;
  /** Counted ticks, of all and since it was resumed. */
  counted: number;
  since: number;
  /** The tick whose finished work must be used, if its task comes again. */
  finished: { readonly runId: string; readonly taskId: string } | null;
  campaign: CampaignState;
}

interface Vote {
  readonly subject: string;
  readonly name: string;
  readonly approves: boolean;
}

const readBase = ({ state }: WatchedTick): string => findBase(state)?.base_commit ?? "";

export class SeriesWatch {
  readonly #world: World;
  readonly #series = new Map<string, OpenSeries>();
  /** What reviewers and verifiers said of a commit, by subject and name. */
  readonly #votes = new Map<string, boolean>();
  #passing = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  forget(): void {
    this.#series.clear();
  }

  voted(runId: string, { subject, name, approves }: Vote): void {
    const tick = this.#world.watch.tickOf(runId);
    if (tick !== null) this.#votes.set(`${readBase(tick)} ${subject} ${name}`, approves);
  }

  #approvals(tick: WatchedTick, subject: string, names: readonly string[]): number {
    return names.filter((name) => this.#votes.get(`${readBase(tick)} ${subject} ${name}`) === true).length;
  }

  #find(seriesId: string): OpenSeries {
    const made = {
      waitedMs: 0,
      lastCode: "",
      hasEnded: false,
      waitsUntil: 0,
      counted: 0,
      since: 0,
      finished: null,
      campaign: NEW_CAMPAIGN,
    };
    const found = this.#series.get(seriesId) ?? made;
    this.#series.set(seriesId, found);
    return found;
  }

  take(line: JournalLine, tick: WatchedTick): void {
    const before = this.#find(line.series_id);
    const { hasEnded } = before;
    const verified = before.campaign.verified.length;
    this.#checkFinished(line, before, tick);
    this.fold(line, tick);
    if (this.#world.watch.isBlind) return;
    const { event } = line;
    if (event.type === "series_waiting") this.#checkWait(line, before);
    if (event.type === "series_ended" && hasEnded) this.#world.fail("a series ends twice");
    if (event.type === "series_ended" && event.end === "complete") this.#checkComplete(tick);
    if (event.type === "tick_started" && Date.parse(line.at) < before.waitsUntil)
      this.#world.fail("a tick begins before the wait of its series is over");
    this.#checkCount(event, before);
    if (event.type === "settled") this.#checkTree(tick);
    if (before.campaign.verified.length > verified) this.#checkStory(before, tick);
  }

  /** `--max-ticks` is neither exceeded nor cut short. */
  #checkCount(event: JournalLine["event"], { counted, since }: OpenSeries): void {
    const { workflow, maxTicks } = this.#world.plan;
    if (workflow !== "loop" || maxTicks === null) return;
    if (event.type === "series_ended" && event.end === "max_ticks" && counted < maxTicks)
      this.#world.fail(`${counted} of ${maxTicks} ticks, and the series ends at its most`);
    if (event.type === "tick_ended" && since > maxTicks)
      this.#world.fail(`${since} of ${maxTicks} ticks: one too many`);
  }

  /** Only what the lines say. */
  fold(line: JournalLine, { runId, state }: WatchedTick): void {
    const series = this.#find(line.series_id);
    const { event } = line;
    if (this.#world.plan.workflow === "campaign") series.campaign = foldCampaign(series.campaign, line);
    if (event.type === "tick_started" || event.type === "series_resumed") series.hasEnded = false;
    if (event.type === "series_ended") series.hasEnded = true;
    if (event.type === "series_resumed") series.since = 0;
    if (event.type === "series_waiting") series.waitsUntil = Date.parse(event.until);
    if (event.type === "tick_ended" && event.counted) {
      series.counted += 1;
      series.since += 1;
    }
    if (event.type !== "tick_ended") return;
    series.lastCode = event.code;
    if (event.code !== "STOP_RATE_LIMITED") series.waitedMs = 0;
    this.#noteFinished(series, runId, state);
  }

  #noteFinished(series: OpenSeries, runId: string, state: WatchedTick["state"]): void {
    const { workflow } = this.#world.plan;
    const [outcome, task] = [findOutcome(state), findTask(state)];
    if ((workflow !== "goal" && workflow !== "campaign") || outcome === null || task?.task_kind !== "execute") return;
    const finished = isCutShort(outcome) ? findFinishedWork(runId, state) : null;
    // A worker of a goal that left no receipt is called again.
    const isReadable = workflow !== "goal" || typeof finished?.built.data?.["receipt"] === "string";
    if (finished !== null && isReadable) series.finished = { runId, taskId: task.task_id };
    else if (!isCutShort(outcome) || outcome.cause === FINISHED_WORK_LOST) series.finished = null;
  }

  /** A session that was paid for and finished is not started again. */
  #checkFinished({ event }: JournalLine, { finished }: OpenSeries, { state }: WatchedTick): void {
    if (event.type !== "build_started" || finished === null || this.#world.watch.isBlind) return;
    if (findTask(state)?.task_id === finished.taskId && event.kept === undefined)
      this.#world.fail(`a session is paid again for ${finished.taskId}`);
  }

  #checkWait({ event, at }: JournalLine, series: OpenSeries): void {
    if (event.type !== "series_waiting" || series.lastCode !== "STOP_RATE_LIMITED") return;
    series.waitedMs += Math.max(0, Date.parse(event.until) - Date.parse(at));
    const most = readModelConfig(this.#world).config.loop.max_wait_seconds * 1000;
    if (series.waitedMs > most + SLACK_MS) this.#world.fail(`a series waits for ${series.waitedMs} ms of ${most}`);
  }

  #isGreen({ state, checks }: WatchedTick): boolean {
    return findVerification(state)?.code === null && [...checks.values()].every(Boolean);
  }

  #checkComplete(tick: WatchedTick): void {
    const { workflow, quorum } = this.#world.plan;
    if (workflow === "goal") {
      const { goal } = readModelConfig(this.#world).config;
      const approvals = this.#approvals(tick, "goal", goal.reviewers);
      if (approvals < quorum) this.#world.fail(`a goal is reached with ${approvals} of ${quorum} votes`);
      if (!this.#isGreen(tick)) this.#world.fail("a goal is reached without its checks");
    }
    if (workflow === "campaign" && !this.#isVerified(EVERY_STORY, tick))
      this.#world.fail("a campaign is complete without its verifiers and commands");
    if (workflow === "tree" && this.#listPassing().size < this.#countLeaves())
      this.#world.fail("a tree is complete with an open leaf");
  }

  #isVerified(story: string, tick: WatchedTick): boolean {
    const { verifiers } = readModelConfig(this.#world).config.campaign;
    const names = ["verifier", "second"].slice(0, verifiers);
    return this.#approvals(tick, story, names) === names.length && this.#isGreen(tick);
  }

  #checkStory({ campaign }: OpenSeries, tick: WatchedTick): void {
    const story = findTask(tick.state)?.task_id.replace(/^verify-\d+-/, "") ?? "";
    if (!this.#isVerified(story, tick))
      this.#world.fail(`${campaign.verified.at(-1) ?? ""} is complete without its verifier`);
  }

  #readLeaves() {
    const text = this.#world.repository.files.get("relais/tree.json") ?? "";
    const read = readTree(Buffer.from(text));
    return read.kind === "tree" ? listTreeNodes(read.tree).filter(({ node }) => node.children.length === 0) : [];
  }

  #listPassing(): Set<string> {
    return new Set(this.#readLeaves().flatMap(({ node }) => (node.passes ? [node.id] : [])));
  }

  #countLeaves(): number {
    return this.#readLeaves().length;
  }

  /** A leaf passes by a tick whose guard passed. */
  #checkTree(tick: WatchedTick): void {
    if (this.#world.plan.workflow !== "tree") return;
    const now = this.#listPassing();
    const added = [...now].filter((id) => !this.#passing.has(id));
    this.#passing = now;
    if (added.length === 0) return;
    if (tick.checks.get("guard") !== true || findVerification(tick.state)?.code !== null || added.length > 1)
      this.#world.fail(`the leaf ${added.join(", ")} passes without its guard`);
  }
}
