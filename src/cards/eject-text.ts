import type { EjectedFile, ShippedFiles } from "../records/ejected.ts";
import { type Canvas, makeStep, renderPairs, renderSteps } from "../base/canvas.ts";
import { neutralise } from "../base/neutralise.ts";

/** What was written, and what to do with it. */
export function renderEjected({ path, files }: EjectedFile, canvas: Canvas): string {
  const { style } = canvas;
  const lines = files.map(({ path: file, state }) =>
    state === "written"
      ? `  ${style("good", "+")} ${neutralise(file)}`
      : `  ${style("faint", "=")} ${neutralise(file)} (unchanged)`,
  );
  const steps = [makeStep("relais init --commit", `commit it, after you edit ${neutralise(path)}`)];
  return `${[...lines, "", style("strong", "Next:"), ...renderSteps(steps, canvas)].join("\n")}\n`;
}

/** All names, with the files that count instead of the package's. */
export function renderShippedFiles({ files }: ShippedFiles, canvas: Canvas): string {
  const rows = files.map(({ name, path, isEjected }) => [name, isEjected ? neutralise(path) : "not written"] as const);
  const step = makeStep("relais eject NAME", "write one of them into the workspace");
  return `${[...renderPairs(rows, canvas), "", ...renderSteps([step], canvas)].join("\n")}\n`;
}
