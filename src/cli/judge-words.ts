import { unreachable } from "../contract/invariant.ts";
import type { JudgedSubject, RulesOrigin } from "../run/judge-request.ts";

const short = (id: string) => id.slice(0, 12);

/** What was compared with what, in words. */
export function subjectWords({ kind, base, head }: JudgedSubject): string {
  switch (kind) {
    case "worktree":
      return `the working tree against ${short(base)}`;
    case "staged":
      return `what is staged against ${short(base)}`;
    case "range":
      return `${short(base)}..${short(head ?? "")}`;
    default:
      return unreachable(kind);
  }
}

/** Where the rules come from, in words. */
export function rulesWords(origin: RulesOrigin): string {
  switch (origin.kind) {
    case "base":
      return `relais.config.json as of the base ${short(origin.commit)}`;
    case "worktree":
      return "relais.config.json on the disk, because the base has none";
    case "built-in":
      return "built in, because there is no relais.config.json";
    default:
      return unreachable(origin);
  }
}
