import type { RunCommand } from "../terminal/command.ts";
import { showDiff } from "../terminal/diff-answer.ts";
import type { DiffOptions } from "./diff-spec.ts";

export const runDiff: RunCommand<DiffOptions> = ({ positionals: [asked = null], options }, session) =>
  showDiff({ asked, isStat: options.flag("stat"), isPaged: !options.flag("no-pager") }, session);
