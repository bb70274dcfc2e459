import { unreachable } from "../../../contract/values/invariant.ts";
import type { JudgedSubject, RulesOrigin } from "../../../run/judge/judge-request.ts";

const short = (id: string) => id.slice(0, 12);

/** What was compared with what, in words. */
export function describeSubject({ kind, base, otherBases, head }: JudgedSubject): string {
  switch (kind) {
    case "worktree":
      return `the working tree against ${short(base)}`;
    case "staged":
      return `what is staged against ${short(base)}`;
    case "range":
      return `${[base, ...otherBases].map(short).join(" and ")}..${short(head ?? "")}`;
    default:
      return unreachable(kind);
  }
}

/** Where the rules come from, in words. */
export function describeRules(origin: RulesOrigin): string {
  switch (origin.kind) {
    case "base":
      return `relais.config.json as of commit ${short(origin.commit)}`;
    case "worktree":
      return "relais.config.json on the disk, because HEAD has none, and what is protected by default";
    case "built-in":
      return origin.commit === null
        ? "built in, because there is no relais.config.json"
        : `built in, because commit ${short(origin.commit)} has no relais.config.json`;
    default:
      return unreachable(origin);
  }
}
