import { type Isolation, type Kind, openSite } from "./site.ts";
import { callsOf, type Crash, type Position, strikeAt } from "./strike.ts";

export interface Campaign {
  readonly kind: Kind;
  readonly isolation: Isolation;
  /** How many calls of the tick change a file or start a program. */
  readonly calls: number;
  readonly crashes: readonly Crash[];
}

export interface CampaignOptions {
  readonly executable: string;
  readonly kind: Kind;
  readonly isolation: Isolation;
  /** As the configuration has it by itself, where it is not named. */
  readonly sandbox?: "off" | "required";
  readonly choose: (calls: readonly string[]) => readonly Position[];
  readonly onCrash?: (crash: Crash) => void;
}

const AT_ONCE = 2;

/** Kills a tick of that kind once at each of the chosen positions, two at a time. */
export async function strikeAll(options: CampaignOptions): Promise<Campaign> {
  const { executable, kind, isolation, sandbox, choose, onCrash } = options;
  const template = await openSite(executable, kind, { isolation, ...(sandbox === undefined ? {} : { sandbox }) });
  try {
    const calls = await callsOf(template);
    const waiting = [...choose(calls)];
    const crashes: Crash[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const crash = await strikeAt(template, next);
        crashes.push(crash);
        onCrash?.(crash);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { kind, isolation, calls: calls.length, crashes };
  } finally {
    template.remove();
  }
}
