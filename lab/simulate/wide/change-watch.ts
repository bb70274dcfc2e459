/** Nothing is kept that was not judged and checked, nothing of an agent stays that was not kept, and no edit is lost. */
import type { JournalLine } from "../../../src/records/event.ts";
import { findJudged, findJudgement, findStart, findVerification } from "../../../src/tick/pure/tick-facts.ts";
import { listDifferences, type Files, type Snapshot } from "./repository-model.ts";
import type { WatchedTick } from "./watch.ts";
import type { World } from "./world.ts";

type Settled = Extract<JournalLine["event"], { type: "settled" }>;

export class ChangeWatch {
  readonly #world: World;
  /** By what they wrote: every text is written once. */
  readonly #agents = new Set<string>();
  readonly #kept = new Set<string>();
  /** Texts of a person, by their path; only those that nobody but relais could have lost. */
  readonly edits = new Map<string, string>();
  #start: Snapshot | null = null;
  #collected: Files = new Map();
  #judged: Files = new Map();
  #edited: readonly string[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  begin(start: Snapshot): void {
    this.#start = start;
    for (const text of start.files.values()) this.#kept.add(text);
  }

  collected(files: Files): void {
    this.#collected = files;
  }

  agentWrote(text: string): void {
    this.#agents.add(text);
  }

  /** The paths that differ from the judged ones when the change is kept. */
  merged(changed: readonly string[]): void {
    const { files } = this.#world.repository;
    this.#edited = changed.filter((path) => files.get(path)?.startsWith("person") === true);
  }

  /** What a session did within its scope is saved before it is reverted. */
  checkSaved({ files: before }: Snapshot): void {
    const { repository, files } = this.#world;
    if (this.#world.watch.isBlind) return;
    const lost = listDifferences(repository.files, before).find((path) => {
      const text = repository.files.get(path) ?? "";
      if (!path.startsWith("src/") || !this.#agents.has(text)) return false;
      const id = repository.identify(text);
      return ![...files.list()].some(([name, value]) => name.includes("/salvage/") && String(value).includes(id));
    });
    if (lost !== undefined) this.#world.fail(`${lost} of a session is reverted and not saved`);
  }

  /** Somebody else than relais replaced it. */
  giveUp(text: string | undefined): void {
    for (const [path, edit] of this.edits) if (edit === text) this.edits.delete(path);
  }

  take({ event }: JournalLine, tick: WatchedTick): void {
    if (event.type === "judged") this.#judged = new Map(this.#collected);
    if (event.type === "verified" && event.code === null) this.#checkVerified(tick);
    if (event.type === "settled") this.#settle(event, tick);
    if (event.type === "settled" || event.type === "tick_ended") this.checkEdits();
  }

  #checkVerified({ checks, state }: WatchedTick): void {
    const red = [...checks].find(([, passed]) => !passed);
    if (red !== undefined && !this.#world.plan.baseline)
      this.#world.fail(`the check ${red[0]} failed, and counts as passed`);
    const { task } = findJudged(state) ?? {};
    const missing = [...(task?.verification?.fast ?? []), ...(task?.verification?.slow ?? [])].find(
      (id) => !checks.has(id),
    );
    if (missing !== undefined) this.#world.fail(`the check ${missing} did not run, and counts as passed`);
  }

  #settle(event: Settled, tick: WatchedTick): void {
    const { state } = tick;
    const { files } = this.#world.repository;
    if (event.action !== "rollback") {
      const judged = findJudgement(state);
      if (judged === null || judged.code !== "SUCCESS")
        this.#world.fail("a change is kept that did not pass its judgement");
      const verified = findVerification(state);
      const keepsRed = findStart(state)?.on_failure === "commit";
      if (verified !== null && verified.code !== null && !keepsRed)
        this.#world.fail("a change is kept whose checks failed");
      const wanted = findJudged(state)?.task.verification;
      if (verified === null && (wanted?.fast.length ?? 0) + (wanted?.slow.length ?? 0) > 0)
        this.#world.fail("a change is kept whose checks did not run");
      for (const text of this.#judged.values()) this.#kept.add(text);
      if (this.#edited.length > 0)
        this.#world.fail(`${this.#edited.join(", ")} was edited after the judgement, and is kept`);
    }
    const strange = [...files].find(([, text]) => this.#agents.has(text) && !this.#kept.has(text));
    if (strange !== undefined) this.#world.fail(`${strange[0]} of an agent is left by a tick that did not keep it`);
    if (event.action === "rollback" && event.commit === null && this.#start !== null) this.#checkBack(this.#start);
  }

  /** Whatever a person did since is theirs. */
  #checkBack({ files: before }: Snapshot): void {
    const { files } = this.#world.repository;
    const wrong = listDifferences(files, before).find((path) => !(files.get(path) ?? "person").startsWith("person"));
    if (wrong !== undefined) this.#world.fail(`${wrong} is not as before a tick that was rolled back`);
  }

  /** What relais commits is what was judged, and its own notes. */
  committed(id: string): void {
    const { commits } = this.#world.repository;
    const [made, before] = [commits.get(id), commits.get(commits.get(id)?.parent ?? "")];
    if (made === undefined || this.#world.watch.isBlind) return;
    for (const path of listDifferences(made.files, before?.files ?? new Map())) {
      const text = made.files.get(path);
      if (path.startsWith("relais/") || text === this.#judged.get(path)) continue;
      this.#world.fail(`${path} is committed and was not judged`);
    }
  }

  /** A text of a person is in the worktree, on the branch, or saved. */
  checkEdits(): void {
    const { repository, files } = this.#world;
    for (const [path, text] of this.edits) {
      if (repository.has(text) || repository.rescued.has(text)) continue;
      const id = repository.identify(text);
      const isSaved = [...files.list()].some(([, value]) => typeof value === "string" && value.includes(id));
      if (!isSaved) this.#world.fail(`the edit of ${path} is lost: ${text}`);
    }
  }
}
