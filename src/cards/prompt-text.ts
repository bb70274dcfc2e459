/** The sizes of prompts in words. What a service reads from its cache, relais cannot know: only what could be read. */
import type { Report } from "../records/report.ts";
import { renderCodeSpan } from "../base/code-span.ts";

type Prompt = NonNullable<Report["prompts"]>[number];

/** On one line; null if there was no session. */
export function describePrompts({ prompts = [] }: Report): string | null {
  return prompts.length === 0 ? null : prompts.map(describePrompt).join("; ");
}

function describePrompt(prompt: Prompt): string {
  const { role, name, bytes, shared_bytes: shared } = prompt;
  const size = `${name ?? role} ${formatBytes(bytes)}`;
  return shared === null ? size : `${size}, ${computePercent(shared, bytes)} % as before`;
}

/** For REPORT.md. */
export function listPromptItems({ prompts = [] }: Report): readonly string[] {
  return prompts.map((prompt) => {
    const sections = Object.entries(prompt.sections).map(([title, bytes]) => `${renderCodeSpan(title)} ${bytes}`);
    return `${describeWhole(prompt)}. Bytes by section: ${sections.join(", ")}`;
  });
}

function describeWhole({ role, name, bytes, shared_bytes: shared }: Prompt): string {
  const size = `${name === undefined ? role : `${role} ${name}`}: ${bytes} bytes`;
  if (shared === null) return `${size}, the first one`;
  return `${size}, of which the first ${shared} (${computePercent(shared, bytes)} %) are those of the prompt before`;
}

/** Never more than there is: 99.9 % is not the whole. */
const computePercent = (part: number, whole: number): number => (whole === 0 ? 0 : Math.floor((part / whole) * 100));

const formatBytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
