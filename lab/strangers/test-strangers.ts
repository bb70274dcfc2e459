/**
 * Judges merged work of other projects, and prints how often it would have been stopped: honest work, as far as its
 * projects know. The folder has git repositories, bare or not. Each is sampled: by default 25 of the newest 3,000 commits
 * of the first parents, where a merge counts as all that it brought, and bots are left out.
 *
 * `--count N` and `--newest N` say how many and of how many, `--seed WORD` chooses others, `--min-lines N` leaves smaller
 * changes out, `--large N` adds as many changes above 1,000 lines, which a sample has few of: they count among the large
 * ones only. `--only NAME,NAME` takes only these projects, `--places` quotes every place, `--json` prints one document,
 * `--write` keeps the rates in lab/strangers/measured.json.
 */
import { parseArgs } from "node:util";
import { writeMeasured } from "../measured.ts";
import { judgeWork, withWorktreeOf } from "./judge-work.ts";
import { listStrangers, sampleWork, type Sampling } from "./sample-work.ts";
import { countMet, countRates, LARGE_LINES, renderPlaces, renderRates, type Stranger } from "./stranger-rates.ts";

const MEASURED = "lab/strangers/measured.json";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "25" },
    large: { type: "string", default: "0" },
    newest: { type: "string", default: "3000" },
    seed: { type: "string", default: "strangers" },
    "min-lines": { type: "string", default: "0" },
    only: { type: "string" },
    places: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("name a folder of git repositories: npm run test:strangers -- FOLDER");
const sampling: Sampling = {
  count: readNumber(values.count),
  newest: readNumber(values.newest),
  linesMin: readNumber(values["min-lines"]),
  seed: values.seed,
};
const large: Sampling = { ...sampling, count: readNumber(values.large), linesMin: LARGE_LINES + 1 };
const only = values.only?.split(",") ?? null;
const projects = listStrangers(folder).filter(([name]) => only === null || only.includes(name));
if (projects.length === 0)
  throw new Error(`${folder} has no git repositories${only === null ? "" : " of these names"}`);

const [strangers, added]: [Stranger[], Stranger[]] = [[], []];
for (const [project, gitDir] of projects) {
  strangers.push(...(await judgeProject(project, gitDir, sampling)));
  if (large.count > 0) added.push(...(await judgeProject(project, gitDir, large)));
}
const rates = countRates(strangers, added);
console.log(values.json ? JSON.stringify({ rates, strangers, large: added }, null, 2) : renderRates(rates));
if (values.places && !values.json) console.log(`\n${renderPlaces([...strangers, ...added])}`);
if (values.write) {
  const { of, ofLarge, groups, languages, rules } = rates;
  const sampled = { ...sampling, large: large.count, projects: projects.map(([name]) => name) };
  writeMeasured(MEASURED, { sampled, of, ofLarge, groups, languages, rules, kinds: countMet(rates) });
}

function readNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new Error(`"${text}" is not a number`);
  return number;
}

function judgeProject(project: string, gitDir: string, wanted: Sampling): Promise<readonly Stranger[]> {
  return withWorktreeOf(gitDir, async (cwd) => {
    const judged: Stranger[] = [];
    for (const { from, to, lines, language, way } of sampleWork(gitDir, wanted)) {
      const range = `${from.slice(0, 12)}..${to.slice(0, 12)}`;
      judged.push({ project, range, lines, language, way, ...(await judgeWork(cwd, { from, to })) });
    }
    console.error(`${project}: ${judged.length} changes`); // An interrupted run is not without a trace.
    return judged;
  });
}
