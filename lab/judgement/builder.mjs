/** The builder of every case: writes the change of the named folder into the folder in which it is started. */
import { writeFileSync } from "node:fs";
import { applyChange } from "./apply-change.mjs";

const [folder = ""] = process.argv.slice(2);
applyChange(folder, process.cwd());
const result = { summary: "It is done.", files_intended: [], commands_ran: [], notes: [] };
writeFileSync(process.env.RELAIS_RESULT_PATH, JSON.stringify(result));
