import { playAll } from "../support/scenario.ts";
import { REPORT } from "./report.ts";

playAll(REPORT);
