import { playAll } from "../support/scenario.ts";
import { GIT_DATA } from "./git-data.ts";

playAll(GIT_DATA);
