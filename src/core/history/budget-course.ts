/** How the budgets of the milestones were used up, tick by tick: the same counts as the state for the next tick. */
import type { WorkspaceState } from "../../contract/documents/state.ts";
import type { JournalLine } from "../../contract/journal/event.ts";
import type { LineFold } from "../../contract/journal/folded-lines.ts";
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
  #open: BudgetPoint | null = null;

  take = (line: JournalLine): void => {
    this.#fold.take(line);
    const { milestone } = this.#fold;
    const isOver = line.event.type === "tick_ended";
    const used = isOver ? { ...milestone.budgets } : milestone.budgets;
    const point = { at: line.at, runId: line.run_id, milestoneId: milestone.milestoneId, used };
    this.#open = isOver ? null : point;
    if (!isOver) return;
    const course = this.#courses.get(milestone) ?? [];
    course.push(point);
    this.#courses.set(milestone, course);
  };

  /** Of the milestone of now, with the tick that is not over. */
  list(): readonly BudgetPoint[] {
    const course = this.#courses.get(this.#fold.milestone) ?? [];
    return this.#open === null ? course : [...course, this.#open];
  }

  /** Of the milestone of the last of these ticks, and only theirs. */
  listOf(runIds: ReadonlySet<string>): readonly BudgetPoint[] {
    const courses = [...this.#courses.values()].map((course) => course.filter(({ runId }) => runIds.has(runId)));
    return courses.findLast(({ length }) => length > 0) ?? [];
  }
}
