import { playAll } from "../support/scenario.ts";
import { REFUSED } from "./refused.ts";

playAll(REFUSED);
