/** Decisions: each is confirmed in a dialog that names the tick, and done by the function of its command. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { JobAction, PageAction, RepositoryName } from "../pure/repository-documents.ts";
import { sendAction } from "./source.ts";
import { isReadOnly, notice, pending, type PendingAction } from "./store.ts";

interface ActionWords {
  readonly button: string;
  readonly explains: string;
  readonly isGrave?: boolean;
  readonly asksFor?: string;
}

const WORDS: Readonly<Record<PageAction, ActionWords>> = {
  answer: { button: "Answer", explains: "The next plan gets this answer." },
  drop: { button: "Drop", explains: "The question is closed without an answer.", isGrave: true },
  accept: { button: "Accept", explains: "The change is committed: exactly the judged paths." },
  reject: {
    button: "Reject",
    explains: "The change is reverted and kept in salvage.",
    isGrave: true,
    asksFor: "Reason for the next attempt",
  },
  undo: { button: "Undo", explains: "The change is reverted, and its commit removed.", isGrave: true },
  apply: { button: "Bring back", explains: "The reverted change is written into the working tree." },
  pause: { button: "Pause", explains: "The series ends after its current tick." },
  resume: { button: "Do not pause", explains: "The pause that was asked for is withdrawn." },
  stop: { button: "Stop", explains: "relais stops now; its change is reverted and kept in salvage.", isGrave: true },
};

const JOB_WORDS: Readonly<Record<JobAction, ActionWords>> = {
  cancel: {
    button: "Cancel job",
    explains: "The job ends now; a running change is reverted and kept in salvage.",
    isGrave: true,
  },
  pause: { button: "Pause", explains: "A running job ends its tick first and waits then." },
  resume: { button: "Resume", explains: "The job goes on where it ended." },
  retry: { button: "Retry", explains: "The job waits for a worker again and begins anew, from its base." },
};

const QUEUE_WORDS: Readonly<Record<string, ActionWords>> = {
  pause: { button: "Pause the queue", explains: "Running jobs go on, and no worker takes another one." },
  resume: { button: "Resume the queue", explains: "Workers take jobs again." },
};

function findWords(wish: PendingAction): ActionWords {
  if (wish.kind === "tick") return WORDS[wish.action];
  return (wish.job === null ? QUEUE_WORDS[wish.action] : undefined) ?? JOB_WORDS[wish.action];
}

interface ButtonProps {
  readonly repository: RepositoryName;
  readonly action: PageAction;
  readonly runId: string;
  readonly isMain?: boolean;
}

export function ActionButton({ repository, action, runId, isMain = false }: ButtonProps) {
  if (isReadOnly.value) return null;
  const { button, isGrave = false } = WORDS[action];
  const open = (): void => void (pending.value = { kind: "tick", repository, action, runId });
  return (
    <button type="button" class={isMain ? "main" : isGrave ? "grave" : ""} onClick={open}>
      {button}
    </button>
  );
}

export function JobButton({ action, job, title }: Omit<Extract<PendingAction, { kind: "job" }>, "kind">) {
  if (isReadOnly.value) return null;
  const wish: PendingAction = { kind: "job", action, job, title };
  const { button, isGrave = false } = findWords(wish);
  return (
    <button type="button" class={isGrave ? "grave" : ""} onClick={() => void (pending.value = wish)}>
      {button}
    </button>
  );
}

export function ConfirmDialog() {
  const action = pending.value;
  return action === null ? null : <Confirmation key={`${action.action}/${nameTarget(action)}`} action={action} />;
}

function nameTarget(action: PendingAction): string {
  return action.kind === "tick" ? action.runId : (action.job ?? "all jobs of this user");
}

const close = (): void => void (pending.value = null);

function Confirmation({ action }: { readonly action: PendingAction }) {
  const box = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState(action.kind === "tick" ? (action.text ?? "") : "");
  const [isSending, setSending] = useState(false);
  const { button, explains, isGrave = false, asksFor } = findWords(action);
  useEffect(() => box.current?.showModal(), []);
  const send = async (): Promise<void> => {
    setSending(true);
    const { isDone, text: words } = await sendAction(action, text).catch(() => LOST);
    notice.value = { tone: isDone ? "good" : "bad", text: words };
    close();
  };
  return (
    <dialog ref={box} onClose={close} aria-labelledby="confirm-title">
      <h2 id="confirm-title">{button}?</h2>
      <p>{explains}</p>
      <Target action={action} text={text} />
      {asksFor === undefined ? null : (
        <label>
          {asksFor}
          <textarea value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} rows={3} />
        </label>
      )}
      <div class="buttons end">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" class={isGrave ? "grave main" : "main"} disabled={isSending} onClick={() => void send()}>
          {button}
        </button>
      </div>
    </dialog>
  );
}

const LOST = { isDone: false, text: "The server did not answer. Is `relais ui` still running?" };

/** What the decision is about, by its name. */
function Target({ action, text }: { readonly action: PendingAction; readonly text: string }) {
  const isTick = action.kind === "tick";
  return (
    <dl class="facts">
      <dt>{isTick ? "tick" : action.job === null ? "queue" : "job"}</dt>
      <dd>
        <code>{nameTarget(action)}</code>
      </dd>
      <dt>{isTick ? "repository" : "work"}</dt>
      <dd>{isTick ? action.repository.root : action.title}</dd>
      {action.action === "answer" ? (
        <>
          <dt>answer</dt>
          <dd>{text}</dd>
        </>
      ) : null}
    </dl>
  );
}

export function Notice() {
  const said = notice.value;
  return (
    <div class="notice-place" role="status">
      {said === null ? null : (
        <div class={`notice ${said.tone}`}>
          <pre>{said.text}</pre>
          <button type="button" aria-label="Close the message" onClick={() => (notice.value = null)}>
            ×
          </button>
        </div>
      )}
    </div>
  );
}
