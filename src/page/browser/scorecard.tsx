/** What the last drill of a repository came to. */
import type { RepositoryPage } from "../pure/repository-documents.ts";
import { Badge, formatCount, Moment } from "./parts.tsx";

const COLUMNS = ["stopped", "told", "passed", "bad", "untried"] as const;

export function Scorecard({ card }: { readonly card: NonNullable<RepositoryPage["scorecard"]> }) {
  const { at, bad, builders, rows } = card;
  return (
    <details class="scorecard">
      <summary>
        <Badge tone={bad.length === 0 ? "good" : "bad"}>Drill</Badge>{" "}
        {bad.length === 0
          ? `${formatCount(builders)} hostile and honest builders, none got through`
          : `${formatCount(bad.length)} of ${formatCount(card.ticks)} trials got through, or were refused although honest`}
        {card.not_reached === 0 ? null : (
          <span class="faint"> · {formatCount(card.not_reached)} not tried for lack of time</span>
        )}
        <span class="faint">
          {" "}
          · <Moment at={at} />
        </span>
      </summary>
      <table>
        <thead>
          <tr>
            <th scope="col">class</th>
            {COLUMNS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <td>{row.name}</td>
              {COLUMNS.map((name) => (
                <td key={name}>{row[name] === 0 ? "–" : formatCount(row[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <ul>
        {bad.map(({ id, does, place, details }) => (
          <li key={`${id}/${place}`}>
            <code>{id}</code> {does} <span class="faint">{[place, ...details].join(", ")}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
