/** How the budgets of the milestones were used up, tick by tick: the same counts as the state for the next tick. */
import type { WorkspaceState } from "../../records/state.ts";
import type { JournalLine } from "../../records/event.ts";
import type { LineFold } from "../../records/folded-lines.ts";
import { WorkspaceFold } from "./workspace-state.ts";

export interface BudgetPoint {
  readonly at: string;
  readonly runId: string;
  readonly milestoneId: string | null;
  /** What the milestone had used by then. */
  readonly used: WorkspaceState["budgets"];
}

export class BudgetCourse implements LineFold {
  readonly #fold = new WorkspaceFold();
  /** One list for each milestone; one that came back has another. */
  readonly #courses = new Map<object, BudgetPoint[]>();
  #last: JournalLine | null = null;

  take = (line: JournalLine): void => {
    this.#fold.take(line);
    this.#last = line;
    if (line.event.type !== "tick_ended") return;
    const { milestone } = this.#fold;
    const course = this.#courses.get(milestone) ?? [];
    course.push(this.#makePoint(line));
    this.#courses.set(milestone, course);
  };

  /** Of the milestone of now, with the tick that is not over. */
  list(): readonly BudgetPoint[] {
    const course = this.#courses.get(this.#fold.milestone) ?? [];
    const last = this.#last;
    return last === null || last.event.type === "tick_ended" ? course : [...course, this.#makePoint(last)];
  }

  #makePoint({ at, run_id: runId }: JournalLine): BudgetPoint {
    const { milestoneId, budgets } = this.#fold.milestone;
    return { at, runId, milestoneId, used: { ...budgets } };
  }

  /** Of the milestone of the last of these ticks, and only theirs. */
  listOf(runIds: ReadonlySet<string>): readonly BudgetPoint[] {
    const courses = [...this.#courses.values()].map((course) => course.filter(({ runId }) => runIds.has(runId)));
    return courses.findLast(({ length }) => length > 0) ?? [];
  }
}
