import { useExecutable } from "../support/relais.ts";
import { playAll } from "../support/scenario.ts";
import { REVIEW } from "./review.ts";

useExecutable();
playAll(REVIEW);
