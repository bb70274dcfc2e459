import { openPage, servePages } from "../page/serve-pages.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import type { RunCommand, Session } from "../terminal/command.ts";
import { readVersion } from "../terminal/global-options.ts";
import type { UiOptions } from "./ui-spec.ts";

const IDLE_SECONDS = 900;

export const runUi: RunCommand<UiOptions> = async ({ options }, session) => {
  const isReadOnly = options.flag("read-only");
  const isOpened = !options.flag("no-open") && session.isTerminal && !session.json;
  const answer = await servePages({
    ...session,
    withPreflight: false,
    port: options.number("port") ?? 0,
    isReadOnly,
    idleSeconds: options.number("idle") ?? IDLE_SECONDS,
    version: readVersion(),
    onOpen: ({ url, onceUrl, port }) => {
      printLink(session, url, port, isReadOnly);
      if (isOpened) void openPage({ ...session, url: onceUrl });
    },
  });
  return answer.kind === "served" ? { kind: "ended", status: 0 } : printFailure(answer, session);
};

function printLink({ json, out }: Session, url: string, port: number, isReadOnly: boolean): void {
  if (json) out(`${JSON.stringify({ url, port, read_only: isReadOnly, pid: process.pid })}\n`);
  else out(`${url}\nCtrl-C ends it.\n`);
}
