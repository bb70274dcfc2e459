import { validateGlob } from "../../../core/paths/glob-reading.ts";
import type { JudgeFlags, JudgeTarget } from "../../../run/judge/judge-request.ts";
import { refuseMisuse, type Misused } from "../../framework/command.ts";
import type { Options } from "../../framework/option-spec.ts";
import type { JudgeOptions } from "./judge-spec.ts";

type ParsedOptions =
  | {
      readonly kind: "parsed";
      readonly target: JudgeTarget;
      readonly taskFile: string | null;
      readonly flags: JudgeFlags;
    }
  | Misused;

/** Reads what `relais judge` is to compare and by which rules of the moment. */
export function parseJudgeOptions(options: Options<JudgeOptions>): ParsedOptions {
  const target = targetOf(options);
  if (target.kind === "misused") return target;
  const maxFiles = options.number("max-files");
  const maxLines = options.number("max-lines");
  const allow = options.list("allow");
  const forbid = options.list("forbid");
  for (const glob of [...allow, ...forbid]) {
    const reason = validateGlob(glob);
    if (reason !== null) return refuseMisuse(`the glob "${glob}" cannot be used: ${reason}`);
  }
  const flags = { allow, forbid, maxFiles, maxLines, noNewFiles: options.flag("no-new-files") };
  return { kind: "parsed", target, taskFile: options.text("task"), flags };
}

function targetOf(options: Options<JudgeOptions>): JudgeTarget | Misused {
  const range = options.text("range");
  const base = options.text("base");
  const isStaged = options.flag("staged");
  if (range === null) return { kind: isStaged ? "staged" : "worktree", base: base ?? "HEAD" };
  if (base !== null) return refuseMisuse("--range has its own base, so --base makes no sense beside it");
  if (isStaged) return refuseMisuse("--range and --staged exclude each other");
  return rangeOf(range);
}

/** `A..B`, `A...B`, `A..` and `..B`; a side that is left out is HEAD, as in git. */
function rangeOf(text: string): JudgeTarget | Misused {
  const found = /^(?<from>(?:(?!\.\.).)*?)\.{2,3}(?<to>(?:(?!\.\.).)*)$/su.exec(text)?.groups;
  const { from = "", to = "" } = found ?? {};
  if (found === undefined || (from === "" && to === ""))
    return refuseMisuse(`"${text}" is not a range; write it as A..B`);
  return { kind: "range", from: from === "" ? "HEAD" : from, to: to === "" ? "HEAD" : to };
}
