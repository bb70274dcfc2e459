/** Every tick of every repository, the newest first. */
import { Card, Empty, formatCount } from "./parts.tsx";
import { route } from "./route.ts";
import { isReady, nameRepository, tickCount, ticks, type PlacedTick } from "./store.ts";
import { TickList } from "./tick-list.tsx";
import { Search } from "./transcript-page.tsx";

export function TicksPage() {
  const wanted = route.value.query.toLowerCase();
  const found = wanted === "" ? ticks.value : ticks.value.filter((tick) => matches(tick, wanted));
  return (
    <>
      <h1 class="hidden">Ticks</h1>
      <Search words="Search ticks" />
      <Card title="Ticks" aside={`${formatCount(found.length)} of ${formatCount(tickCount.value)}`}>
        {found.length === 0 ? (
          <Empty {...(wanted === "" ? { command: 'relais run "…"' } : {})}>
            {isReady.value ? "No tick here." : "Reading the journals …"}
          </Empty>
        ) : (
          <TickList ticks={found} />
        )}
      </Card>
    </>
  );
}

function matches(tick: PlacedTick, wanted: string): boolean {
  const { runId, seriesId, intent, reason, code, word, command, repository } = tick;
  const text = [runId, seriesId, intent, reason, code, word, command, nameRepository(repository)].join("\n");
  return text.toLowerCase().includes(wanted);
}
