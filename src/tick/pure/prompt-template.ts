import { findNearestName } from "../../base/nearest-name.ts";

const SLOT = /\{\{(?<name>[^{}]*)\}\}/gu;

/** One sentence without a full stop. */
export function findTemplateProblem(template: string, known: readonly string[]): string | null {
  for (const { groups } of template.matchAll(SLOT)) {
    const name = groups?.["name"] ?? "";
    if (known.includes(name)) continue;
    const nearest = findNearestName(name, known);
    const hint = nearest === null ? describeKnownSlots(known) : `did you mean \`{{${nearest}}}\`?`;
    return `it has the unknown slot \`{{${name}}}\`; ${hint}`;
  }
  return null;
}

function describeKnownSlots(known: readonly string[]): string {
  if (known.length === 0) return "this file has no slots";
  return `known are ${known.map((name) => `\`{{${name}}}\``).join(", ")}`;
}

/** In one pass, so that inserted text is never taken for a slot. */
export function fillTemplate(template: string, slots: Readonly<Record<string, string>>): string {
  return template.replaceAll(
    SLOT,
    (whole, name: string) => (Object.hasOwn(slots, name) ? slots[name] : undefined) ?? whole,
  );
}
