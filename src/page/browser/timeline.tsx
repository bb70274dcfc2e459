/** The steps of a tick as bars on one line of time. */
import type { PhaseBar } from "../pure/page-documents.ts";
import { Span } from "./parts.tsx";
import { clockMs } from "./store.ts";

export function Timeline({ bars }: { readonly bars: readonly PhaseBar[] }) {
  const first = bars[0];
  if (first === undefined) return <p class="faint">It has not started.</p>;
  const from = Date.parse(first.from);
  const to = Math.max(...bars.map((bar) => readEnd(bar)), from + 1);
  return (
    <ol class="timeline">
      {mergeShort(bars).map((bar) => (
        <li key={`${bar.step}/${bar.from}`}>
          <span class="bar-name">{bar.step}</span>
          <span class="bar-track" aria-hidden="true">
            <span class={`bar ${bar.tone}`} style={place(bar, from, to)} />
          </span>
          <span class="bar-time">
            <Span from={bar.from} to={bar.to} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function readEnd({ to }: PhaseBar): number {
  return to === null ? clockMs.value : Date.parse(to);
}

function place(bar: PhaseBar, from: number, to: number): { readonly left: string; readonly width: string } {
  const start = ((Date.parse(bar.from) - from) / (to - from)) * 100;
  const width = ((readEnd(bar) - Date.parse(bar.from)) / (to - from)) * 100;
  const shown = Math.max(0.8, Math.min(width, 100));
  return { left: `${Math.min(start, 100 - shown)}%`, width: `${shown}%` };
}

/** The same step twice in a row is one bar. */
function mergeShort(bars: readonly PhaseBar[]): readonly PhaseBar[] {
  const merged: PhaseBar[] = [];
  for (const bar of bars) {
    const last = merged.at(-1);
    if (last?.step === bar.step) merged[merged.length - 1] = { ...bar, from: last.from };
    else merged.push(bar);
  }
  return merged;
}
