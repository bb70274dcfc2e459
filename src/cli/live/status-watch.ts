import { lookAround } from "../../run/workspace/surroundings.ts";
import { watchRun } from "../../run/inspect/watch-run.ts";
import { neutralise } from "../../view/text/neutralise.ts";
import type { OptionValues } from "../framework/arguments.ts";
import type { CommandEnd, Session } from "../framework/command.ts";
import { lookOn } from "./live.ts";
import { tellObstacle } from "../answers/refusal-answer.ts";
import { scriptPlayer } from "./script-player.ts";

/** Shows what another process does here until it is done; what keeps from that is answered, and else null. */
export async function watchStatus(options: OptionValues, session: Session): Promise<CommandEnd | null> {
  const mistake = mistakeIn(options, session);
  if (mistake !== null) return { kind: "misused", message: mistake, problems: [] };
  const around = await lookAround(session.cwd, session.environment);
  if (around.kind === "blocked") return tellObstacle(around, session);
  await watchRun(around, {
    emit: lookOn(session),
    signal: AbortSignal.any([session.signal, session.unread]),
    player: scriptPlayer(session),
    onTrouble: ({ kind, line }) =>
      session.err(`relais: the journal was found ${kind} at line ${neutralise(String(line ?? "?"))}.\n`),
  });
  session.stage.clear();
  return session.signal.aborted ? { kind: "ended", status: 0 } : null;
}

/** A picture that changes is nothing for a script, and what a script can follow has a command of its own. */
function mistakeIn(options: OptionValues, { json, detail }: Session): string | null {
  if (json) return "--watch draws for a person; a script follows `relais events --follow --json`";
  if (detail === "quiet") return "--watch and --quiet exclude each other";
  return options.flag("preflight") ? "--watch and --preflight exclude each other" : null;
}
