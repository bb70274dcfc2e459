/**
 * Kills ticks of every kind in one place, with or without the sandbox, at one position out of so many.
 *
 * It is bundled and run as a process of its own, as root and as an ordinary user. It prints one line of JSON for each kind
 * and one for each crash.
 */
import { findSetting } from "../attacks/setting.ts";
import { KINDS } from "./site.ts";
import { type Crash, everyPosition } from "./strike.ts";
import { strikeAll } from "./strike-all.ts";

/** What a tick of one kind does, before it is killed for the first time. */
export interface Survey {
  readonly kind: Crash["kind"];
  /** How many calls change a file or start a program. */
  readonly calls: number;
  /** How many ways there are to be killed at them. */
  readonly positions: number;
}

export type DriverLine = { readonly survey: Survey } | { readonly crash: Crash };

const [, executable = "", place = "", wall = "", step = "1", turn = "0"] = process.argv.slice(2);
const { isolation, sandbox } = findSetting(place, wall);
const print = (line: DriverLine): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);

for (const kind of KINDS)
  await strikeAll({
    executable,
    kind,
    isolation,
    // A tick without one is blocked, so no result can claim a sandbox that was not there.
    sandbox: sandbox === "off" ? "off" : "required",
    choose: (calls) => {
      const every = everyPosition(calls);
      print({ survey: { kind, calls: calls.length, positions: every.length } });
      return every.filter((_, index) => index % Number(step) === Number(turn) % Number(step));
    },
    onCrash: (crash) => print({ crash }),
  });
