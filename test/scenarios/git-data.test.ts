import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { GIT_DATA } from "./git-data.ts";

useExecutable();

playAll(GIT_DATA);
