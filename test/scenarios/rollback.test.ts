import { playAll } from "../support/scenario.ts";
import { ROLLBACK } from "./rollback.ts";

playAll(ROLLBACK);
