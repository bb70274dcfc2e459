/**
 * Judges merged work of other projects, and prints how often it would have been stopped: honest work, as far as its
 * projects know. The folder has git repositories, bare or not. Each is sampled: by default 25 of the newest 3,000 commits
 * of the first parents, where a merge counts as all that it brought.
 *
 * `--count N` and `--newest N` say how many and of how many, `--seed WORD` chooses others, `--min-lines N` leaves smaller
 * changes out, `--only NAME,NAME` takes only these projects, `--places` quotes every place, `--json` prints one document.
 */
import { parseArgs } from "node:util";
import { judgeWork, withWorktreeOf } from "./judge-work.ts";
import { listStrangers, sampleWork, type Sampling } from "./sample-work.ts";
import { countRates, renderPlaces, renderRates, type Stranger } from "./stranger-rates.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "25" },
    newest: { type: "string", default: "3000" },
    seed: { type: "string", default: "strangers" },
    "min-lines": { type: "string", default: "0" },
    only: { type: "string" },
    places: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
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
const only = values.only?.split(",") ?? null;
const projects = listStrangers(folder).filter(([name]) => only === null || only.includes(name));
if (projects.length === 0)
  throw new Error(`${folder} has no git repositories${only === null ? "" : " of these names"}`);

const strangers: Stranger[] = [];
for (const [project, gitDir] of projects) strangers.push(...(await judgeProject(project, gitDir)));
const rates = countRates(strangers);
console.log(values.json ? JSON.stringify({ rates, strangers }, null, 2) : renderRates(rates));
if (values.places && !values.json) console.log(`\n${renderPlaces(strangers)}`);

function readNumber(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw new Error(`"${text}" is not a number`);
  return number;
}

function judgeProject(project: string, gitDir: string): Promise<readonly Stranger[]> {
  return withWorktreeOf(gitDir, async (cwd) => {
    const judged: Stranger[] = [];
    for (const { from, to, lines, language } of sampleWork(gitDir, sampling)) {
      const range = `${from.slice(0, 12)}..${to.slice(0, 12)}`;
      judged.push({ project, range, lines, language, ...(await judgeWork(cwd, { from, to })) });
    }
    console.error(`${project}: ${judged.length} changes`); // An interrupted run is not without a trace.
    return judged;
  });
}
