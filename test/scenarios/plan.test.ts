import { playAll } from "../support/scenario.ts";
import { PLAN } from "./plan.ts";

playAll(PLAN);
