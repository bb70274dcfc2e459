import type { CommandFailure } from "../records/command-failure.ts";
import type { JournalLine } from "../records/event.ts";
import { unreachable } from "../base/errors.ts";
import { withSnapshot } from "../workspace/with-snapshot.ts";
import type { WorkspaceSnapshot } from "../workspace/workspace.ts";
import { listRuns, watchEvents } from "../history/watch-run.ts";
import { renderEvent } from "../cards/event-text.ts";
import { neutralise } from "../base/style.ts";
import type { CommandEnd, RunCommand, Session } from "../terminal/command.ts";
import { readCommandEnd } from "../terminal/refusal-answer.ts";
import { chooseRun } from "../terminal/run-choice.ts";
import type { EventsOptions } from "./events-spec.ts";

type Watch = Parameters<typeof watchEvents>[1];

export const runEvents: RunCommand<EventsOptions> = async ({ options }, session) => {
  const asked = options.text("run");
  const print = (workspace: WorkspaceSnapshot) => printEvents(workspace, asked, options.flag("follow"), session);
  return readCommandEnd(await withSnapshot(session, print), session);
};

async function printEvents(
  workspace: WorkspaceSnapshot,
  asked: string | null,
  isFollowing: boolean,
  session: Session,
): Promise<CommandEnd | CommandFailure> {
  const { lines } = workspace;
  const chosen = asked === null ? null : chooseRun(asked, listRuns(lines), "No tick has been recorded yet.");
  if (chosen !== null && chosen.kind !== "run") return chosen;
  const onLines = makePrinter(session, chosen?.runId ?? null);
  onLines(lines);
  if (isFollowing) {
    const signal = AbortSignal.any([session.signal, session.unread]);
    await watchEvents(workspace, { signal, onLines, onTrouble: (trouble) => warn(trouble, session) });
  }
  return { kind: "ended", status: 0 };
}

function makePrinter({ json, style, out }: Session, runId: string | null): Watch["onLines"] {
  const lineOf = (line: JournalLine): string => (json ? `${JSON.stringify(line)}\n` : renderEvent(line, style));
  return (lines) => {
    const text = lines.filter((line) => runId === null || line.run_id === runId).map(lineOf);
    if (text.length > 0) out(text.join(""));
  };
}

function warn(trouble: Parameters<Watch["onTrouble"]>[0], { err }: Session): void {
  switch (trouble.kind) {
    case "damaged": {
      const where = trouble.line === null ? "" : ` at line ${trouble.line}`;
      return err(
        `relais: the journal is damaged${where}: ${neutralise(trouble.reason)}. Still following; \`relais recover\` repairs it.\n`,
      );
    }
    case "foreign":
      return err(
        `relais: line ${trouble.line} of the journal has version ${trouble.version}, which this relais does not read: use the relais that wrote it.\n`,
      );
    case "replaced":
      return err(`relais: the journal was replaced from line ${trouble.line} on.\n`);
    default:
      return unreachable(trouble);
  }
}
