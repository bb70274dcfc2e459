import { undoChange } from "../../answers/decision-answer.ts";
import type { RunCommand } from "../../framework/command.ts";

export const runUndo: RunCommand = (_, session) => undoChange(session);
