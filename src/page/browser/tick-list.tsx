/** Ticks as rows; of a long list only the rows near the window exist. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Badge, formatCost, Moment, Size, Span } from "./parts.tsx";
import { linkTo } from "./route.ts";
import { nameRepository, repositories, type PlacedTick } from "./store.ts";

const ROW_PX = 60;
const NARROW_ROW_PX = 92;
const AROUND = 12;
const NARROW = "(max-width: 640px)";

interface ListWindow {
  readonly first: number;
  readonly last: number;
  readonly rowPx: number;
}

export function TickList({ ticks }: { readonly ticks: readonly PlacedTick[] }) {
  const box = useRef<HTMLDivElement>(null);
  const { first, last, rowPx } = useWindow(box.current, ticks.length);
  const shown = ticks.slice(first, last);
  return (
    <div class="ticks" ref={box} role="list" style={{ height: `${ticks.length * rowPx}px` }}>
      <div style={{ transform: `translateY(${first * rowPx}px)` }}>
        {shown.map((tick) => (
          <TickLine key={`${tick.repository}/${tick.runId}`} tick={tick} />
        ))}
      </div>
    </div>
  );
}

/** The rows that are in sight, as the page scrolls. */
function useWindow(box: HTMLElement | null, length: number): ListWindow {
  const [, redraw] = useState(0);
  useEffect(() => {
    const look = (): void => redraw((count) => count + 1);
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    look();
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, []);
  const rowPx = matchMedia(NARROW).matches ? NARROW_ROW_PX : ROW_PX;
  const above = Math.max(0, -(box?.getBoundingClientRect().top ?? 0));
  const first = Math.max(0, Math.floor(above / rowPx) - AROUND);
  return { first, last: Math.min(length, first + Math.ceil(innerHeight / rowPx) + 2 * AROUND), rowPx };
}

export function TickLine({ tick }: { readonly tick: PlacedTick }) {
  const { repository, runId, tone, word, reason, intent, step, files, added, deleted, cost } = tick;
  return (
    <div role="listitem" class="tick-item">
      <a class="tick" href={linkTo("run", repository, runId)} data-run={runId}>
        <span class="tick-word">
          <Badge tone={tone}>{step === null ? word : `${word}: ${step}`}</Badge>
        </span>
        <span class="tick-what">
          <span class="tick-intent">{intent ?? runId}</span>
          <span class="tick-reason">{reason ?? describeTick(tick)}</span>
        </span>
        <span class="tick-size">
          <Size files={files} added={added} deleted={deleted} />
        </span>
        <span class="tick-cost">{cost === null ? "" : formatCost(cost)}</span>
        <span class="tick-time">
          <Moment at={tick.startedAt} />
          <span class="faint">
            <Span from={tick.startedAt} to={tick.endedAt} />
          </span>
        </span>
      </a>
    </div>
  );
}

function describeTick({ repository, command, change, runId, worktree }: PlacedTick): string {
  const { root } = repositories.value.find(({ id }) => id === repository) ?? { root: worktree };
  const folder = worktree === null || worktree === root ? [] : [worktree.slice(worktree.lastIndexOf("/") + 1)];
  const place = repositories.value.length > 1 ? [nameRepository(repository)] : [];
  return [...place, ...folder, `relais ${command}`, change ?? runId].join(" · ");
}
