/** Inputs that are tried each time: one document a parser, `corpus/NAME.txt` and `cases/NAME.txt` (`lab/sections.mjs`). */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readSections, writeSections } from "../sections.mjs";

/** What runs all code of a parser, or what once broke it. */
type Kind = "corpus" | "cases";

/** From the root of the repository. */
export function nameDocument(kind: Kind, parser: string): string {
  return join("lab", "fuzz", kind, `${parser}.txt`);
}

export function readKept(kind: Kind, parser: string): readonly Buffer[] {
  const file = nameDocument(kind, parser);
  return existsSync(file) ? readSections(readFileSync(file, "utf8")).map(({ data }) => data) : [];
}

export function tellHowToKeep(parser: string, input: Buffer): string {
  const section = writeSections([{ name: "NAME", data: input }]);
  return `To keep it: cat >> ${nameDocument("cases", parser)} << 'END'\n${section}END`;
}
