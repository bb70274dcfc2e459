/** Everything that the page knows, as it arrives. */
import { computed, signal } from "@preact/signals";
import type { TickRow } from "../pure/page-documents.ts";
import type {
  InboxItem,
  JobAction,
  PageAction,
  QueuePage,
  RepositoryName,
  RepositoryPage,
} from "../pure/repository-documents.ts";

/** `lost`: the server is gone. `refused`: the token is missing or wrong. `file`: nothing will change. */
export type Connection = "opening" | "live" | "lost" | "refused" | "file";

export const connection = signal<Connection>("opening");
export const isReady = signal(false);
export const isReadOnly = signal(true);
export const version = signal("");
export const madeAt = signal<string | null>(null);
export const repositories = signal<readonly RepositoryName[]>([]);
/** By the id of the repository. */
export const pages = signal<ReadonlyMap<string, RepositoryPage>>(new Map());

export interface PlacedTick extends TickRow {
  readonly repository: string;
}

const known = new Map<string, PlacedTick>();
/** The newest first. */
export const ticks = signal<readonly PlacedTick[]>([]);

export function addTicks(repository: string, rows: readonly TickRow[]): void {
  const placed = rows.map((row) => ({ ...row, repository }));
  const changed = new Map(placed.filter(isKnown).map((tick) => [nameTick(tick), tick]));
  const fresh = placed.filter((tick) => !isKnown(tick)).toSorted(compareTicks);
  for (const tick of placed) known.set(nameTick(tick), tick);
  const kept = changed.size === 0 ? ticks.value : ticks.value.map((tick) => changed.get(nameTick(tick)) ?? tick);
  ticks.value = mergeTicks(kept, fresh);
}

const nameTick = ({ repository, runId }: PlacedTick): string => `${repository}/${runId}`;
const isKnown = (tick: PlacedTick): boolean => known.has(nameTick(tick));

/** Both are in order. Of a long journal one part follows the other, so most of them only go to the end. */
function mergeTicks(one: readonly PlacedTick[], other: readonly PlacedTick[]): readonly PlacedTick[] {
  const [last, first] = [one.at(-1), other[0]];
  if (first === undefined) return one;
  if (last === undefined || compareTicks(last, first) <= 0) return [...one, ...other];
  return [...one, ...other].toSorted(compareTicks);
}

function compareTicks(one: PlacedTick, other: PlacedTick): number {
  if (one.startedAt === other.startedAt) return one.runId < other.runId ? 1 : -1;
  return one.startedAt < other.startedAt ? 1 : -1;
}

/** A part of the page that reads this is drawn again when the ticks change. */
export function findTick(repository: string, runId: string): PlacedTick | null {
  return ticks.value.length === 0 ? null : (known.get(`${repository}/${runId}`) ?? null);
}

export function setPage(repository: string, page: RepositoryPage): void {
  pages.value = new Map([...pages.value, [repository, page]]);
}

/** Rows arrive one part after the other; the pages know how many there will be. */
export const tickCount = computed(() =>
  Math.max(
    ticks.value.length,
    [...pages.value.values()].reduce((sum, page) => sum + page.ticks, 0),
  ),
);

export interface PlacedItem extends InboxItem {
  readonly repository: RepositoryName;
}

/** What waits for the person, reverted work last. */
export const inbox = computed<readonly PlacedItem[]>(() => {
  const items = repositories.value.flatMap((repository) =>
    (pages.value.get(repository.id)?.inbox ?? []).map((item) => ({ ...item, repository })),
  );
  return [...items.filter(({ kind }) => kind !== "salvage"), ...items.filter(({ kind }) => kind === "salvage")];
});

export const urgent = computed(() => inbox.value.filter(({ kind }) => kind !== "salvage").length);

export function nameRepository(id: string): string {
  return repositories.value.find((one) => one.id === id)?.name ?? id;
}

/** Null until it was sent. */
export const queue = signal<QueuePage | null>(null);

/** A decision that the person is about to confirm. */
export type PendingAction =
  | {
      readonly kind: "tick";
      readonly repository: RepositoryName;
      readonly action: PageAction;
      readonly runId: string;
      readonly text?: string;
    }
  /** Without a job it is about the whole queue. */
  | { readonly kind: "job"; readonly action: JobAction; readonly job: string | null; readonly title: string };

export const pending = signal<PendingAction | null>(null);
export const notice = signal<{ readonly tone: "good" | "bad"; readonly text: string } | null>(null);
export const isHelpOpen = signal(false);
/** Moves while something runs. */
export const clockMs = signal(Date.now());
