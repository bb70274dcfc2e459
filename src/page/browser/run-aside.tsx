/** What stands beside the change of a tick. */
import type { PageCheck, PageUsage, PageVote, PhaseBar, RunPage } from "../pure/page-documents.ts";
import { Badge, Card, Commands, formatCost, formatCount, Moment, Span, Words } from "./parts.tsx";
import { clockMs } from "./store.ts";

/* The steps of a tick as bars on one line of time. */

function Timeline({ bars }: { readonly bars: readonly PhaseBar[] }) {
  const first = bars[0];
  if (first === undefined) return <p class="faint">It has not started.</p>;
  const from = Date.parse(first.from);
  const to = Math.max(...bars.map((bar) => readEnd(bar)), from + 1);
  return (
    <ol class="timeline">
      {mergeShort(bars).map((bar) => (
        <li key={`${bar.step}/${bar.from}`}>
          <span class="bar-name">{bar.step}</span>
          <span class="bar-track" aria-hidden="true">
            <span class={`bar ${bar.tone}`} style={place(bar, from, to)} />
          </span>
          <span class="bar-time">
            <Span from={bar.from} to={bar.to} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function readEnd({ to }: PhaseBar): number {
  return to === null ? clockMs.value : Date.parse(to);
}

function place(bar: PhaseBar, from: number, to: number): { readonly left: string; readonly width: string } {
  const start = ((Date.parse(bar.from) - from) / (to - from)) * 100;
  const width = ((readEnd(bar) - Date.parse(bar.from)) / (to - from)) * 100;
  const shown = Math.max(0.8, Math.min(width, 100));
  return { left: `${Math.min(start, 100 - shown)}%`, width: `${shown}%` };
}

/** The same step twice in a row is one bar. */
function mergeShort(bars: readonly PhaseBar[]): readonly PhaseBar[] {
  const merged: PhaseBar[] = [];
  for (const bar of bars) {
    const last = merged.at(-1);
    if (last?.step === bar.step) merged[merged.length - 1] = { ...bar, from: last.from };
    else merged.push(bar);
  }
  return merged;
}

export function RunAside({ run }: { readonly run: RunPage }) {
  return (
    <>
      <Why run={run} />
      <Card title="Time">
        <Timeline bars={run.bars} />
      </Card>
      {run.checks.length === 0 ? null : (
        <Card title="Checks">
          <ul class="checks">
            {run.checks.map((check, index) => (
              <Check key={index} check={check} />
            ))}
          </ul>
        </Card>
      )}
      {run.votes.length === 0 ? null : (
        <Card title="Votes" aside={run.votesNeeded === null ? null : `${run.votesNeeded} needed`}>
          <Votes votes={run.votes} />
        </Card>
      )}
      {run.usage.length === 0 ? null : <Costs usage={run.usage} />}
      <Radius run={run} />
      {run.next.length === 0 ? null : (
        <Card title="Next">
          <Commands steps={run.next} />
        </Card>
      )}
      <Rest run={run} />
    </>
  );
}

function Why({ run }: { readonly run: RunPage }) {
  const { meaning, message, remedy, said, question } = run;
  if (meaning === null && said === null) return null;
  return (
    <Card title="Verdict">
      {meaning === null ? null : (
        <p>
          <Words text={meaning} />
        </p>
      )}
      {message === null || message === meaning ? null : (
        <p class="faint lines">
          <Words text={message} />
        </p>
      )}
      {question === null ? null : <p class="prompt">{question.prompt}</p>}
      {remedy === null ? null : (
        <p>
          <Words text={remedy} />
        </p>
      )}
      {said === null ? null : (
        <blockquote>
          <span class="faint">The builder says:</span> {said}
        </blockquote>
      )}
      {run.findings.length === 0 ? null : (
        <ul class="findings">
          {run.findings.map(({ subject, rule }) => (
            <li key={`${subject}/${rule}`}>
              <code>{subject}</code> <Words text={rule} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Check({ check }: { readonly check: PageCheck }) {
  return (
    <li>
      <details open={!check.isGreen && check.lastLines.length > 0}>
        <summary>
          <Badge tone={check.isGreen ? "good" : "bad"}>{check.words}</Badge>
          {check.when === "before" ? <span class="chip">before the build</span> : null}
        </summary>
        <pre class="tail">{[`$ ${check.command}`, ...check.lastLines].join("\n")}</pre>
      </details>
    </li>
  );
}

export function Votes({ votes }: { readonly votes: readonly PageVote[] }) {
  return (
    <ul class="votes">
      {votes.map(({ name, tone, vote, text }) => (
        <li key={name}>
          <details>
            <summary>
              <Badge tone={tone}>{name}</Badge> <span class="faint">{vote}</span>
            </summary>
            <p class="lines">
              <Words text={text} />
            </p>
          </details>
        </li>
      ))}
    </ul>
  );
}

function Costs({ usage }: { readonly usage: readonly PageUsage[] }) {
  return (
    <Card title="Cost">
      <table>
        <thead>
          <tr>
            <th scope="col">agent</th>
            <th scope="col">tokens in / out</th>
            <th scope="col">cost</th>
          </tr>
        </thead>
        <tbody>
          {usage.map(({ role, agent, cost, tokensIn, tokensOut }, index) => (
            <tr key={index}>
              <td>
                {role} <span class="faint">{agent}</span>
              </td>
              <td>
                {tokensIn === null ? "–" : formatCount(tokensIn)} / {tokensOut === null ? "–" : formatCount(tokensOut)}
              </td>
              <td>{formatCost(cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function Radius({ run }: { readonly run: RunPage }) {
  const { row, newFiles, largest, pathsTotal } = run;
  if (row.files === null || row.files === 0) return null;
  return (
    <Card title="Blast radius">
      <dl class="facts">
        <dt>files</dt>
        <dd>
          {formatCount(row.files)}, {formatCount(newFiles)} new
        </dd>
        <dt>lines</dt>
        <dd>
          +{formatCount(row.added)} −{formatCount(row.deleted)}
        </dd>
        {largest === null ? null : (
          <>
            <dt>largest</dt>
            <dd>
              {largest.path}, +{formatCount(largest.added)} −{formatCount(largest.deleted)}
            </dd>
          </>
        )}
        {pathsTotal > row.files ? (
          <>
            <dt>touched paths</dt>
            <dd>{formatCount(pathsTotal)}</dd>
          </>
        ) : null}
      </dl>
    </Card>
  );
}

function Rest({ run }: { readonly run: RunPage }) {
  return (
    <>
      {run.notes.length === 0 ? null : (
        <Card title="Notes">
          <ul class="notes">
            {run.notes.map((note) => (
              <li key={note}>
                <Words text={note} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title="Facts">
        <dl class="facts">
          {run.facts.map(([label, text]) => (
            <>
              <dt key={label}>{label}</dt>
              <dd>{text}</dd>
            </>
          ))}
        </dl>
        {run.salvage === null ? null : (
          <p>
            Reverted work: <code>relais salvage apply {run.salvage}</code>
          </p>
        )}
      </Card>
      <section class="card" aria-label="Events">
        <details>
          <summary>{run.events.length} events of the journal</summary>
          <ol class="events">
            {run.events.map(({ seq, at, type, words }) => (
              <li key={seq}>
                <Moment at={at} /> <strong>{type}</strong> {words}
              </li>
            ))}
          </ol>
        </details>
      </section>
    </>
  );
}
