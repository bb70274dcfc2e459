import type { RunCommand } from "../../framework/command.ts";
import { showDiff } from "../../answers/diff-answer.ts";
import type { DiffOptions } from "./diff-spec.ts";

export const runDiff: RunCommand<DiffOptions> = ({ positionals: [asked = null], options }, session) =>
  showDiff({ asked, isStat: options.flag("stat"), isPaged: !options.flag("no-pager") }, session);
