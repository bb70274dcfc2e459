import { playAll } from "../support/scenario.ts";
import { JUDGE } from "./judge.ts";

playAll(JUDGE);
