/** Shows a change that waits for an answer on this terminal, and reads the decision as single keys. */
import type { AskPerson, AskedChange, PersonDecision } from "../records/decisions.ts";
import { editFiles, findEditor } from "../decide/edit-files.ts";
import { ASK_KEYS, renderAskedChange, renderAskedPatch } from "../cards/decision-text.ts";
import { neutralise } from "../base/style.ts";
import type { Keyboard, Screen, Session } from "./command.ts";
import { showText } from "./show-text.ts";

/** Without a keyboard the question is only shown; another terminal answers it. */
export function makeAskPerson(session: Session): AskPerson {
  const { keyboard, screen, json, err, out, prose } = session;
  return async (asked, signal) => {
    const text = renderAskedChange(asked, prose);
    if (json || keyboard === null || screen === null) {
      err(text);
      return new Promise(() => {});
    }
    out(`${text}${ASK_KEYS}\n`);
    return askByKeys({ asked, signal, session, keyboard, screen });
  };
}

interface Question {
  readonly asked: AskedChange;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly session: Session;
  readonly keyboard: Keyboard;
  readonly screen: Screen;
}

function askByKeys(question: Question): Promise<PersonDecision> {
  const { keyboard, signal, session } = question;
  return new Promise((resolve, reject) => {
    let isBusy = false;
    const close = keyboard.listen({
      onKey: (key) => {
        const act = isBusy ? undefined : ACTS[key.toLowerCase()];
        if (act === undefined) return;
        isBusy = true;
        act(question).then((decision) => {
          isBusy = false;
          if (decision !== null) answer(decision);
          else if (!signal.aborted) session.out(`${ASK_KEYS}\n`);
        }, reject);
      },
    });
    const answer = (decision: PersonDecision): void => {
      close();
      resolve(decision);
    };
    signal.addEventListener("abort", close, { once: true });
  });
}

/** Null if the person has not decided yet. */
type Act = (question: Question) => Promise<PersonDecision | null>;

const ACTS: Readonly<Record<string, Act>> = {
  a: async () => ({ decision: "accept" }),
  d: async ({ asked, session }) => {
    await showText(renderAskedPatch(await asked.readPatch(), session.prose), session);
    return null;
  },
  e: edit,
  r: async (question) => {
    const reason = await readLine(question, "Why? Enter rejects the change, Esc goes back: ");
    return reason === null ? null : { decision: "reject", message: reason === "" ? null : reason };
  },
};

async function edit(question: Question): Promise<PersonDecision | null> {
  const { asked, session, screen, signal } = question;
  const { environment } = session;
  if (findEditor(environment) === null) {
    const line = await readLine(question, "Edit the files, then press Enter; Esc goes back: ");
    return line === null ? null : { decision: "edit" };
  }
  const request = { root: asked.root, paths: asked.paths, environment, signal };
  let isEdited = false;
  await session.stage.lend(() =>
    screen.lend(async () => {
      isEdited = await editFiles(request);
    }),
  );
  if (!isEdited) session.err("relais: the editor failed; set VISUAL or EDITOR, or edit the files yourself.\n");
  return isEdited ? { decision: "edit" } : null;
}

const ERASE: readonly string[] = ["\u007F", "\b"];
const CHARS_MAX = 4000;
const CLEAR_LINE = "\r\u001B[K";

interface TypedLine {
  text: string;
  end: "open" | "typed" | "left";
}

/** A line that the person types at the bottom of the terminal; null if they went back. */
async function readLine({ session: { stage }, keyboard, signal }: Question, prompt: string): Promise<string | null> {
  const line: TypedLine = { text: "", end: "open" };
  const write = (text: string): void => {
    line.text = text.slice(0, CHARS_MAX);
    stage.raw(`${CLEAR_LINE}${prompt}${neutralise(line.text)}`);
  };
  await stage.lend(
    () =>
      new Promise<void>((resolve) => {
        const close = (end: "typed" | "left"): void => {
          if (line.end !== "open") return;
          line.end = end;
          stopListening();
          stage.raw("\n");
          resolve();
        };
        const stopListening = keyboard.listen({
          onKey: (key) => {
            if (key === "enter") close("typed");
            else if (key === "escape") close("left");
            else write(ERASE.includes(key) ? Array.from(line.text).slice(0, -1).join("") : `${line.text}${key}`);
          },
          // Over a slow line, or pasted, the last Enter comes together with the words before it.
          onText: (text) => {
            write(`${line.text}${text.replace(/[\r\n]+$/u, "").replaceAll(/\s+/g, " ")}`);
            if (/[\r\n]$/u.test(text)) close("typed");
          },
        });
        signal.addEventListener("abort", () => close("left"), { once: true });
        write("");
      }),
  );
  return line.end === "typed" ? line.text.trim() : null;
}
