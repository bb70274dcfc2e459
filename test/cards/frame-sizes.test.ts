/** One frame at every size: what is kept where there is little room. */
import { describe, expect, test } from "vitest";
import { building, linesOf, shown } from "../support/live.ts";

describe("a loop, at every width", () => {
  test("80 columns", () => {
    expect(shown(building())).toMatchInlineSnapshot(`
      "

      relais loop  tick 3 of 5                                                    1:10
      ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report

        task         Set x to 2.
        builder      ▸ Edit src/x.ts                                              0:04
                     “I look at the parser first.”
                     claude_code · 2 tool calls · 48.2k tokens in, 812 out · $0.07
        time         ▊░░░░░░░░░ tick 1:10 of 15:00   █▏░░░░░░░░ session 1:06 of 10:00

        budget       ░░░░░░ 3/1000 ticks   ░░░░░░ 3/600 builds   ░░░░░░ 2/6000 checks
                     $0.25 reported

        last         ✗ STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED Set x to 2.         10.0 s
                     ✓ Set x to 2.                                              11.0 s
      "
    `);
  });

  test("40 columns", () => {
    expect(shown(building(), { columns: 40 })).toMatchInlineSnapshot(`
      "

      relais loop  tick 3 of 5            1:10
      ✓ ▸ · · · · · build

      task         Set x to 2.
      builder      ▸ Edit src/x.ts        0:04
                   “I look at the parser firs…
                   claude_code · 2 tool calls…
      time         ▊░░░░░░░░░ tick 1:10 of 15…
                   █▏░░░░░░░░ session 1:06 of…

      budget       ░░░░░░ 3/1000 ticks
                   ░░░░░░ 3/600 builds
                   ░░░░░░ 2/6000 checks
                   $0.25 reported

      last         ✗ STOP_SCOPE_VIOLA…  10.0 s
                   ✓ Set x to 2.        11.0 s
      "
    `);
  });

  test("120 columns", () => {
    expect(shown(building(), { columns: 120 })).toMatchInlineSnapshot(`
      "

      relais loop  tick 3 of 5  20260301T120000Z-0000aaaa                                                                 1:10
      ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report

        task         Set x to 2.
        builder      ▸ Edit src/x.ts                                                                                      0:04
                     “I look at the parser first.”
                     claude_code · 2 tool calls · 48.2k tokens in, 812 out · $0.07
        time         ▊░░░░░░░░░ tick 1:10 of 15:00   █▏░░░░░░░░ session 1:06 of 10:00

        budget       ░░░░░░ 3/1000 ticks   ░░░░░░ 3/600 builds   ░░░░░░ 2/6000 checks   $0.25 reported

        last         ✗ STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED Set x to 2.                                                 10.0 s
                     ✓ Set x to 2.                                                                                      11.0 s
      "
    `);
  });

  test("more than 120 columns are not used", () => {
    expect(shown(building(), { columns: 200 })).toBe(shown(building(), { columns: 120 }));
  });

  test("39 columns are two lines", () => {
    expect(shown(building(), { columns: 39 })).toMatchInlineSnapshot(`
      "
      build 1:10 tick 3 of 5
      ▸ Edit src/x.ts
      "
    `);
  });
});

describe("at every height", () => {
  test("3 rows are two lines, and 1 is one", () => {
    expect(shown(building(), { rows: 3 })).toMatchInlineSnapshot(`
      "
      build 1:10 tick 3 of 5
      ▸ Edit src/x.ts
      "
    `);
    expect(linesOf(building(), { rows: 1 })).toHaveLength(1);
  });

  test("8 rows keep what matters most", () => {
    expect(shown(building(), { rows: 8 })).toMatchInlineSnapshot(`
      "
      relais loop  tick 3 of 5                                                    1:10
      ✓ plan   ▸ build   · judge   · verify   · review   · settle   · report
        task         Set x to 2.
        builder      ▸ Edit src/x.ts                                              0:04
                     “I look at the parser first.”
        time         ▊░░░░░░░░░ tick 1:10 of 15:00   █▏░░░░░░░░ session 1:06 of 10:00
        budget       ░░░░░░ 3/1000 ticks   ░░░░░░ 3/600 builds   ░░░░░░ 2/6000 checks
        last         ✗ STOP_SCOPE_VIOLATION_OUTSIDE_ALLOWED Set x to 2.         10.0 s
      "
    `);
  });

  test("60 rows are not filled for their own sake", () => {
    expect(linesOf(building(), { rows: 60 })).toEqual(linesOf(building(), { rows: 24 }));
  });
});
