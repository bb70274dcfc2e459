import { playAll } from "../support/scenario.ts";
import { PATCH } from "./patch.ts";

playAll(PATCH);
