import { render } from "../src/report.mjs";
import { it } from "./harness.mjs";
import { fixture, matches } from "./snapshot.mjs";

it.only("renders a week", () => matches("week", render(fixture("week"))));
