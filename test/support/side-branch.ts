import { type TickRepository, tickRepository } from "./tick-repository.ts";

const LINES = ["one", "two", "three", "four", "five", "six", "seven"];
export const text = (changed: Readonly<Record<number, string>> = {}): string =>
  LINES.map((line, at) => `${changed[at] ?? line}\n`).join("");
/** Fails if the change of both sides is there. */
const TEMPLATES = [{ id: "apart", cmd: "sh", args: ["-c", "! { grep -q ONE src/a.txt && grep -q bad src/a.txt; }"] }];

export const openRepository = (
  options: { readonly objectFormat?: "sha1" | "sha256"; readonly branch?: string } = {},
): TickRepository =>
  tickRepository({ files: { "src/a.txt": text() }, config: { verification: { templates: TEMPLATES } }, ...options });

/** A branch with these commits, and one more commit on the branch of the person. */
export function makeBranch(
  { git, commit }: TickRepository,
  name: string,
  files: readonly Readonly<Record<string, string>>[],
) {
  git("switch", "--quiet", "--create", name);
  const made = files.map((each) => commit(each));
  git("switch", "--quiet", "-");
  return made;
}
