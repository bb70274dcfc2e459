import { playAll } from "../support/scenario.ts";
import { BUILD } from "./build.ts";

playAll(BUILD);
