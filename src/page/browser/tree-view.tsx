/** A tree drawn as a tree: each node with its state, its attempts and the ticks that tried it. */
import type { TreeLeaf } from "../pure/page-documents.ts";
import { Badge, MARKS } from "./parts.tsx";
import { linkTo } from "./route.ts";

export function TreeView({ root, repository }: { readonly root: TreeLeaf; readonly repository: string }) {
  return (
    <ul class="tree">
      <Leaf leaf={root} repository={repository} />
    </ul>
  );
}

function Leaf({ leaf, repository }: { readonly leaf: TreeLeaf; readonly repository: string }) {
  const { id, title, passes, isNext, children } = leaf;
  return (
    <li>
      <div class={isNext ? "node next" : "node"}>
        <Badge tone={passes ? "good" : isNext ? "wait" : "calm"}>{id}</Badge>
        <span>{title}</span>
        {isNext ? <span class="chip">next</span> : null}
        <Attempts leaf={leaf} repository={repository} />
      </div>
      {children.length === 0 ? null : (
        <ul>
          {children.map((child) => (
            <Leaf key={child.id} leaf={child} repository={repository} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Attempts({ leaf, repository }: { readonly leaf: TreeLeaf; readonly repository: string }) {
  const { attempts, maxAttempts, passes, tries } = leaf;
  return (
    <span class="attempts">
      {attempts > 0 && !passes ? (
        <span class="faint">
          {attempts} of {maxAttempts} attempts failed
        </span>
      ) : null}
      {tries.map(({ runId, tone, words }) => (
        <a key={runId} class={`try ${tone}`} href={linkTo("run", repository, runId)} title={words}>
          <span aria-hidden="true">{MARKS[tone]}</span>
          <span class="hidden">{words}</span>
        </a>
      ))}
    </span>
  );
}
