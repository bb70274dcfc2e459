/** The table of the crash sweep in lab/crash/measured.md. */
import type { SweptScenario } from "./crash-sweep.ts";
import { writeRows } from "../../scripts/write-rows.ts";

/** The page says no more than was run. */
export function drawSweep(all: readonly SweptScenario[]): string {
  if (all.length === 0) return "Not measured.";
  const rows = all.map((one) => [
    `${one.name}, ${one.place}`,
    `${one.calls} + ${one.torn}`,
    one.tried === one.states ? `${one.states}, all` : `${one.tried} of ${one.states}`,
    String(one.compared ?? one.tried),
    Object.entries(one.outcomes)
      .map(([outcome, count]) => `${count} ${outcome}`)
      .join(", "),
    String(one.ends),
    one.failures.length === 0 ? "0" : `${one.failures.length}: ${one.failures.map((name) => `\`${name}\``).join(", ")}`,
    `${one.commit}, ${one.date}`,
  ]);
  const [{ node, fileSystem }] = [all[0] ?? { node: "", fileSystem: "" }];
  const heads = [
    "what is killed",
    "calls + torn writes",
    "states recovered",
    "by the executable",
    "ended as",
    "ends tried",
    "failed",
    "commit",
  ];
  return `${writeRows(heads, rows)}\n\nNode ${node}, ${fileSystem}, without a sandbox, as root.`;
}
