import { ejectFile, listShippedFiles } from "../setup/eject.ts";
import { renderEjected, renderShippedFiles } from "../cards/init-text.ts";
import { printAnswer } from "../terminal/print-answer.ts";
import { printFailure } from "../terminal/refusal-answer.ts";
import type { CommandEnd, RunCommand, Session } from "../terminal/command.ts";

export const runEject: RunCommand = async ({ positionals: [name] }, session) => {
  if (name === undefined) return printNames(session);
  const answer = await ejectFile({ ...session, name });
  if (answer.kind === "misused") return answer;
  if (answer.kind !== "ejected") return printFailure(answer, session);
  const { path, files } = answer;
  return printAnswer({ document: { path, files }, text: () => renderEjected(answer, session) }, session);
};

async function printNames(session: Session): Promise<CommandEnd> {
  const answer = await listShippedFiles(session);
  if (answer.kind !== "listed") return printFailure(answer, session);
  const document = { files: answer.files.map(({ name, path, isEjected }) => ({ name, path, ejected: isEjected })) };
  return printAnswer({ document, text: () => renderShippedFiles(answer, session), isAsked: true }, session);
}
