import { useEffect, useState } from "preact/hooks";
import { loadDocument, type ShownDocument } from "./source.ts";

type Wanted<K extends ShownDocument["kind"]> = Extract<ShownDocument, { readonly kind: K }>;

export interface DocumentQuestion<K extends ShownDocument["kind"]> {
  readonly kind: K;
  readonly repository: string;
  readonly id: string;
  /** Loaded again whenever this changes; the old document stays until the new one is there. */
  readonly stamp: string;
}

/** The document, a sentence why there is none, or null while it is loaded. */
export function useDocument<K extends ShownDocument["kind"]>(question: DocumentQuestion<K>): Wanted<K> | string | null {
  const { kind, repository, id, stamp } = question;
  const name = `${kind}/${repository}/${id}`;
  const [found, setFound] = useState<{ readonly name: string; readonly document: Wanted<K> | string } | null>(null);
  useEffect(() => {
    let isLeft = false;
    loadDocument(kind, repository, id)
      .catch(() => "The server did not answer. Is `relais ui` still running?")
      .then((document) => {
        if (isLeft) return;
        if (typeof document === "string") setFound({ name, document });
        else if (isOf(document, kind)) setFound({ name, document });
      })
      .catch(() => {});
    return () => {
      isLeft = true;
    };
  }, [name, stamp]);
  return found?.name === name ? found.document : null;
}

function isOf<K extends ShownDocument["kind"]>(document: ShownDocument, kind: K): document is Wanted<K> {
  return document.kind === kind;
}
