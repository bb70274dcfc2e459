import { playAll } from "../support/scenario.ts";
import { VERIFY } from "./verify.ts";

playAll(VERIFY);
