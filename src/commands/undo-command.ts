import { undoChange } from "../terminal/decision-answer.ts";
import type { RunCommand } from "../terminal/command.ts";

export const runUndo: RunCommand = (_, session) => undoChange(session);
