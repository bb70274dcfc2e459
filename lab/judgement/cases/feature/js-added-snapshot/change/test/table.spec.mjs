import { renderTable } from "../src/report.mjs";
import { it } from "./harness.mjs";
import { fixture, matches } from "./snapshot.mjs";

it("renders a table", () => matches("table", renderTable(fixture("week"))));
