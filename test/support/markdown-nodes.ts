/** Reads Markdown with a real parser: what a renderer would make of it, flattened. */
import { format } from "prettier";
import { parsers, printers } from "prettier/plugins/markdown";

interface MarkdownNode {
  readonly type: string;
  readonly value: string | null;
}

/** Every node of the document, in order. */
export async function markdownNodes(text: string): Promise<readonly MarkdownNode[]> {
  const nodes: MarkdownNode[] = [];
  const spy = {
    ...parsers.markdown,
    parse: async (source: string, options: Parameters<typeof parsers.markdown.parse>[1]) => {
      const tree: unknown = await parsers.markdown.parse(source, options);
      collect(tree, nodes);
      return tree;
    },
  };
  await format(text, { parser: "spy", plugins: [{ parsers: { spy }, printers }] });
  return nodes;
}

function collect(node: unknown, into: MarkdownNode[]): void {
  if (typeof node !== "object" || node === null || !("type" in node)) return;
  const value = "value" in node && typeof node.value === "string" ? node.value : null;
  into.push({ type: String(node.type), value });
  if ("children" in node && Array.isArray(node.children)) for (const child of node.children) collect(child, into);
}
