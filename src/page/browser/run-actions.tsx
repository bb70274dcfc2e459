import type { RunPage } from "../pure/page-documents.ts";
import type { PageAction } from "../pure/repository-documents.ts";
import { ActionButton } from "./actions.tsx";
import { route } from "./route.ts";
import { isReadOnly, pages, repositories } from "./store.ts";

/** The decisions that the server offers for this tick now. */
export function RunActions({ run }: { readonly run: RunPage }) {
  const repository = repositories.value.find(({ id }) => id === route.value.repository);
  const page = pages.value.get(route.value.repository);
  if (isReadOnly.value || repository === undefined || page === undefined) return null;
  const { runId } = run.row;
  const offered: readonly PageAction[] = [
    ...page.inbox.filter((item) => item.runId === runId).flatMap(({ actions }) => actions),
    ...(page.undoable === runId && page.running === null ? (["undo"] as const) : []),
    ...(page.running?.runId === runId ? ([page.running.isPausing ? "resume" : "pause", "stop"] as const) : []),
  ];
  const shown = [...new Set(offered)].filter((action) => action !== "answer" && action !== "drop");
  if (shown.length === 0) return null;
  return (
    <p class="buttons">
      {shown.map((action) => (
        <ActionButton key={action} repository={repository} action={action} runId={runId} isMain={action === "accept"} />
      ))}
    </p>
  );
}
