import { render } from "../src/report.mjs";
import { it } from "./harness.mjs";
import { fixture, matches } from "./snapshot.mjs";

it("puts the longest hours first", () => matches("month", render(fixture("month"))));
