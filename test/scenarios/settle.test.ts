import { playAll } from "../support/scenario.ts";
import { SETTLE } from "./settle.ts";

playAll(SETTLE);
