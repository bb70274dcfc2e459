import { type RunCommand, refuseMisuse } from "../terminal/command.ts";
import { showLog } from "../terminal/log-answer.ts";
import type { LogOptions } from "./log-spec.ts";

export const runLog: RunCommand<LogOptions> = async ({ positionals: [asked = null], options }, session) => {
  const grep = options.text("grep");
  if (grep === "") return refuseMisuse("--grep needs a text");
  return showLog(
    {
      asked,
      grep,
      isFull: options.flag("full"),
      isFollowing: options.flag("follow"),
      isPaged: !options.flag("no-pager"),
    },
    session,
  );
};
