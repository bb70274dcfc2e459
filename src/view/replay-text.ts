/** Whether recorded ticks come out again as they were recorded. */
import type { Code } from "../contract/codes.ts";
import { unreachable } from "../contract/invariant.ts";
import { neutralise } from "./neutralise.ts";
import type { Style } from "./style.ts";

interface ReplayRow {
  readonly runId: string;
  readonly replayed:
    | {
        readonly kind: "same";
        readonly judgement: { readonly code: Code };
        readonly isHashChecked: boolean;
        readonly isFolderChecked: boolean;
      }
    | ({
        readonly kind: "differs";
        readonly file: string;
        readonly place: string;
        readonly recorded: string;
        readonly derived: string;
        readonly sha256: { readonly recorded: string; readonly found: string } | null;
      } & Others)
    | { readonly kind: "nothing-judged" | "pruned" | "not-kept" }
    | ({ readonly kind: "damaged"; readonly file: string; readonly reason: string } & Others);
}

interface Others {
  /** Further files that are not as they were recorded. */
  readonly others: readonly { readonly file: string; readonly reason: string }[];
}

interface ReplayOptions {
  readonly style: Style;
  /** Whether only what is not as it should be is said. */
  readonly isQuiet: boolean;
}

export function replayText(rows: readonly ReplayRow[], { style, isQuiet }: ReplayOptions): string {
  if (rows.length === 0) return isQuiet ? "" : "The history holds no tick.\n";
  const bad = rows.filter(({ replayed: { kind } }) => kind === "differs" || kind === "damaged");
  const lines = (isQuiet ? bad : rows).flatMap((row) => rowLines(row, style));
  const summary =
    bad.length === 0
      ? `${count(rows.length)} as recorded.`
      : `${bad.length} of ${count(rows.length)} not as recorded.`;
  return [...lines, ...(isQuiet ? [] : ["", summary])].map((line) => `${line}\n`).join("");
}

function rowLines({ runId, replayed }: ReplayRow, style: Style): readonly string[] {
  const line = (mark: string, text: string) => `${mark} ${style("strong", neutralise(runId))}  ${text}`;
  switch (replayed.kind) {
    case "same": {
      return [line(style("good", "✓"), `${replayed.judgement.code}${unchecked(replayed)}`)];
    }
    case "nothing-judged":
      return [line(style("faint", "-"), "ended before anything was judged")];
    case "pruned":
      return [line(style("faint", "-"), "its folder was removed by `relais history prune`")];
    case "not-kept":
      return [line(style("faint", "-"), "no history was kept, as configured")];
    case "damaged": {
      const { file, reason } = replayed;
      const text = `${neutralise(file)} is damaged: ${neutralise(reason)}`;
      return [line(style("bad", "✗"), text), ...otherLines(replayed)];
    }
    case "differs": {
      const { file, place, recorded, derived, sha256 } = replayed;
      return [
        line(style("bad", "✗"), `${neutralise(file)} differs at ${neutralise(place)}`),
        `    recorded ${neutralise(recorded)}`,
        `    found    ${neutralise(derived)}`,
        ...(sha256 === null
          ? []
          : [`    sha256 expected ${sha256.recorded}`, `    sha256 found    ${sha256.found}`]),
        ...otherLines(replayed),
      ];
    }
    default:
      return unreachable(replayed);
  }
}

function unchecked({
  isHashChecked,
  isFolderChecked,
}: {
  readonly isHashChecked: boolean;
  readonly isFolderChecked: boolean;
}): string {
  if (isFolderChecked) return "";
  return isHashChecked
    ? "; of its other files no hashes were recorded"
    : ", without a journal to check the evidence by";
}

function otherLines({ others }: Others): readonly string[] {
  return others.map(({ file, reason }) => `    also ${neutralise(file)}: ${neutralise(reason)}`);
}

function count(ticks: number): string {
  return ticks === 1 ? "1 tick" : `${ticks} ticks`;
}
