/** What `relais drill` prints with `--json`. */
import * as v from "valibot";
import { AnyCode } from "../src/base/any-code.ts";
import { Count } from "../src/base/quantity.ts";
import { BUILDER_CLASSES } from "../src/drill/pure/builder-class.ts";
import { DRILL_OUTCOMES, DRILL_PLACES } from "../src/drill/pure/drill-result.ts";

const open = v.looseObject;
const Text = v.string();
const Place = v.picklist(DRILL_PLACES);
const Class = v.picklist(BUILDER_CLASSES);

/** One number for each outcome. */
const Counts = v.entriesFromList(DRILL_OUTCOMES, Count);

export const DRILL_OUTPUTS: readonly v.GenericSchema[] = [
  open({
    ok: v.boolean(),
    duration_ms: Count,
    places: v.array(open({ place: Place, sandbox: Text })),
    files: open({ copied: Count, total: Count }),
    classes: v.array(open({ class: Class, total: Count, ...Counts })),
    results: v.array(
      open({
        id: Text,
        class: Class,
        does: Text,
        place: Place,
        outcome: v.picklist(DRILL_OUTCOMES),
        code: v.nullable(AnyCode),
        details: v.array(Text),
        /** What would stop it; a value of null is the default of the key. */
        setting: v.nullable(open({ key: Text, value: v.unknown() })),
        duration_ms: Count,
      }),
    ),
    left_out: v.array(open({ name: Text, reason: Text })),
    not_reached: Count,
  }),
];
