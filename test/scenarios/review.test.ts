import { playAll } from "../support/scenario.ts";
import { REVIEW } from "./review.ts";

playAll(REVIEW);
