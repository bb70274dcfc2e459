/** What waits for the person, with the decisions that are possible. */
import { useState } from "preact/hooks";
import { ActionButton } from "./actions.tsx";
import { Card, Empty } from "./parts.tsx";
import { linkTo } from "./route.ts";
import { findTick, inbox, isReadOnly, isReady, pending, repositories, type PlacedItem } from "./store.ts";

export function InboxPage() {
  const items = inbox.value;
  return (
    <>
      <h1 class="hidden">Inbox</h1>
      <Card title="Inbox">
        {items.length === 0 ? (
          <Empty>{isReady.value ? "Nothing waits for you." : "Reading …"}</Empty>
        ) : (
          <InboxList items={items} />
        )}
      </Card>
    </>
  );
}

export function InboxList({ items }: { readonly items: readonly PlacedItem[] }) {
  return (
    <ul class="inbox">
      {items.map((item) => (
        <li key={`${item.repository.id}/${item.kind}/${item.what}`}>
          <Item item={item} />
        </li>
      ))}
    </ul>
  );
}

function Item({ item }: { readonly item: PlacedItem }) {
  const { repository, runId, what, command, question, actions } = item;
  const intent = runId === null ? null : (findTick(repository.id, runId)?.intent ?? null);
  return (
    <>
      <div class="item-head">
        <span class="chip">{item.kind}</span>
        {runId === null ? <span>{what}</span> : <a href={linkTo("run", repository.id, runId)}>{intent ?? what}</a>}
        <span class="buttons">
          {actions
            .filter((action) => action !== "answer")
            .map((action) => (
              <ActionButton key={action} repository={repository} action={action} runId={runId ?? ""} />
            ))}
        </span>
      </div>
      {question === null ? null : <Question item={item} />}
      <p class="faint">
        {repositories.value.length > 1 ? `${repository.name} · ` : ""}
        {runId === null || intent === null ? "" : `${what} · `}
        <code>{command}</code>
      </p>
    </>
  );
}

function Question({ item }: { readonly item: PlacedItem }) {
  const [text, setText] = useState("");
  const { repository, runId, question } = item;
  const send = (answer: string): void => {
    if (runId !== null && answer.trim() !== "")
      pending.value = { kind: "tick", repository, action: "answer", runId, text: answer };
  };
  return (
    <form
      class="question"
      onSubmit={(event) => {
        event.preventDefault();
        send(text);
      }}
    >
      <p class="prompt">{question?.prompt}</p>
      {isReadOnly.value ? null : (
        <>
          <div class="buttons">
            {question?.choices.map((choice) => (
              <button type="button" key={choice} onClick={() => send(choice)}>
                {choice}
              </button>
            ))}
          </div>
          <label>
            <span class="hidden">Your answer</span>
            <input
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
              placeholder="Your answer"
            />
          </label>
          <button class="main">Answer</button>
        </>
      )}
    </form>
  );
}
