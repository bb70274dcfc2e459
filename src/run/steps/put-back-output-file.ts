import type { Driver } from "../../agents/session/driver.ts";
import type { TickSession } from "../session/tick-session.ts";

/**
 * After a session: what a person had in the place where the program leaves its result is there again. The way to
 * exchange a result is not part of the work, so what was there before is no part of it either.
 */
export async function putBackOutputFile({ place }: Pick<TickSession, "place">, { outputFile }: Driver): Promise<void> {
  if (typeof outputFile === "string") await place.putBackFile(outputFile);
}
