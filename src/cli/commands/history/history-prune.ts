import { pruneHistory, type PruneWish } from "../../../run/decisions/prune-history.ts";
import { neutralise } from "../../../view/text/neutralise.ts";
import { pruneText } from "../../../view/history/prune-text.ts";
import type { OptionValues } from "../../framework/arguments.ts";
import type { CommandEnd, Session } from "../../framework/command.ts";
import { tellObstacle } from "../../answers/refusal-answer.ts";
import { canvasOf } from "../../framework/session-canvas.ts";

const NOT_ALL_STATUS = 10;

const WISHES = [
  ["keep", "keep"],
  ["older-than", "older-than-days"],
  ["to-mb", "to-mb"],
] as const;

/** The options that only pruning has, as far as they were given. */
export function pruneOptions(options: OptionValues): readonly string[] {
  const texts = WISHES.map(([name]) => name).filter((name) => options.text(name) !== null);
  return [...texts, ...(options.flag("dry-run") ? ["dry-run"] : [])];
}

/** `relais history prune`. */
export async function prune(options: OptionValues, session: Session): Promise<CommandEnd> {
  const asked = wishOf(options);
  if (asked.kind === "misused") return { ...asked, problems: [] };
  const { cwd, environment, signal } = session;
  const isDryRun = options.flag("dry-run");
  const answer = await pruneHistory({ cwd, environment, signal, wish: asked.wish, isDryRun });
  if (answer.kind !== "pruned") return tellObstacle(answer, session);
  const { removed, held, bytesBefore, bytesAfter, privateBytes, problems } = answer;
  if (session.json) {
    const document = {
      dry_run: isDryRun,
      removed: removed.map(({ runId, bytes }) => ({ run_id: runId, bytes })),
      held: held.map(({ runId, reason }) => ({ run_id: runId, reason })),
      bytes_before: bytesBefore,
      bytes_after: bytesAfter,
      private_bytes: privateBytes,
      problems,
    };
    session.out(`${JSON.stringify(document)}\n`);
  } else if (session.detail !== "quiet")
    session.out(pruneText(answer, { ...canvasOf(session), isWhole: session.detail === "all" }));
  for (const problem of problems) session.err(`relais: not done: ${neutralise(problem)}\n`);
  return { kind: "ended", status: problems.length === 0 ? 0 : NOT_ALL_STATUS };
}

type Asked =
  | { readonly kind: "wish"; readonly wish: PruneWish }
  | { readonly kind: "misused"; readonly message: string };

function wishOf(options: OptionValues): Asked {
  const given = WISHES.flatMap(([name, kind]) => {
    const text = options.text(name);
    return text === null ? [] : [{ name, kind, text }];
  });
  const [first, second] = given;
  if (first === undefined) return { kind: "wish", wish: null };
  if (second !== undefined)
    return { kind: "misused", message: `--${first.name} and --${second.name} exclude each other` };
  const { name, kind, text } = first;
  const number = Number(text);
  const isCount = /^\d+$/.test(text) && number <= 1_000_000;
  return isCount
    ? { kind: "wish", wish: { kind, number } }
    : { kind: "misused", message: `--${name} needs a whole number, not "${text}"` };
}
