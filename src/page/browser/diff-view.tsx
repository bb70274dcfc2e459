/** A change side by side. Only the blocks of rows near the window are in the page. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { DiffFile, DiffPage, DiffRow, DiffSide, PlacedFinding } from "../pure/page-documents.ts";
import { makeHighlighter, type ColouredText } from "./highlight.ts";
import { formatCount, Lines, Words } from "./parts.tsx";

const BLOCK_ROWS = 60;
const ROW_PX = 20;
const NEAR_PX = 1200;
/** Of a longer change the files are closed at first. */
const OPEN_ROWS = 3000;
const FINDINGS_OPEN = 2;

type SideTokens = readonly ColouredText[] | null;

export function DiffView({ page }: { readonly page: DiffPage }) {
  let rows = 0;
  return (
    <div class="diff">
      {page.findings.length === 0 ? null : (
        <details class="trouble" open={page.findings.length <= FINDINGS_OPEN}>
          <summary>
            {formatCount(page.findings.length)} finding{page.findings.length === 1 ? "" : "s"} about no file of the
            change
          </summary>
          <ul>
            {page.findings.map((finding) => (
              <li key={`${finding.subject}/${finding.rule}`}>
                <code>{finding.subject}</code> <Words text={finding.rule} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {page.files.map((file) => {
        rows += file.rows.length;
        return <FileDiff key={file.path} file={file} isOpenFirst={rows <= OPEN_ROWS || rows === file.rows.length} />;
      })}
      {page.leftOut.length === 0 ? null : (
        <details class="left-out">
          <summary>{formatCount(page.leftOut.length)} changed paths are not in the patch</summary>
          <ul>
            {page.leftOut.map(({ path, reason }) => (
              <li key={path}>
                <code>{path}</code> {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function FileDiff({ file, isOpenFirst }: { readonly file: DiffFile; readonly isOpenFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  return (
    <section class="changed-file" aria-label={file.path} id={nameFile(file.path)}>
      <h3 class="file-head">
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <span class="fold" aria-hidden="true">
            {isOpen ? "▾" : "▸"}
          </span>
          <FileName file={file} />
        </button>
        <span class="file-facts">
          {file.risks.map((risk) => (
            <span key={risk} class={`chip ${risk === "finding" ? "bad" : ""}`}>
              {risk}
            </span>
          ))}
          <Lines file={file} />
        </span>
      </h3>
      {isOpen ? <FileBody file={file} /> : null}
    </section>
  );
}

export function nameFile(path: string): string {
  return `file-${path.replaceAll(/[^\w.-]+/gu, "-")}`;
}

function FileName({ file: { path, oldPath, status, mode } }: { readonly file: DiffFile }) {
  return (
    <span class="file-name">
      {oldPath === null ? null : <span class="faint">{oldPath} → </span>}
      {path}
      {status === "renamed" || status === "copied" ? <span class="chip">{status}</span> : null}
      {mode === null ? null : <span class="chip">mode {mode}</span>}
    </span>
  );
}

function FileBody({ file }: { readonly file: DiffFile }) {
  const blocks = useMemo(() => splitRows(file.rows), [file.rows]);
  const tokens = useMemo(() => colourRows(file), [file.rows]);
  return (
    <div class="file-body">
      <Findings findings={file.findings.filter(({ line }) => line === null)} />
      {file.isBinary ? <p class="faint pad">Binary file. Its content is not shown.</p> : null}
      {!file.isBinary && file.rows.length === 0 ? <p class="faint pad">No changed lines.</p> : null}
      {blocks.map((rows, index) => (
        <Block key={index} rows={rows} file={file} tokens={tokens} />
      ))}
      {file.rowsLeftOut === 0 ? null : (
        <p class="faint pad">{formatCount(file.rowsLeftOut)} more rows: `relais diff` shows them.</p>
      )}
    </div>
  );
}

function Findings({ findings }: { readonly findings: readonly PlacedFinding[] }) {
  return (
    <>
      {findings.map(({ subject, code, rule }) => (
        <p class="margin-note" key={`${subject}/${rule}`}>
          <strong>{code}</strong> <Words text={rule} />
        </p>
      ))}
    </>
  );
}

function splitRows(rows: readonly DiffRow[]): readonly (readonly DiffRow[])[] {
  const blocks: (readonly DiffRow[])[] = [];
  for (let at = 0; at < rows.length; at += BLOCK_ROWS) blocks.push(rows.slice(at, at + BLOCK_ROWS));
  return blocks;
}

/** Colours a side when it is first drawn, with everything above it in its hunk. */
function colourRows({ path, rows }: DiffFile): (side: DiffSide) => SideTokens {
  const known = new Map<DiffSide, readonly ColouredText[]>();
  const colour = (): void => {
    let [left, right] = [makeHighlighter(path), makeHighlighter(path)];
    for (const row of rows) {
      if (row.kind === "hunk") [left, right] = [makeHighlighter(path), makeHighlighter(path)];
      else {
        if (row.left !== null) known.set(row.left, left(row.left.text));
        if (row.right !== null) known.set(row.right, right(row.right.text));
      }
    }
  };
  return (side) => {
    if (known.size === 0) colour();
    return known.get(side) ?? null;
  };
}

interface BlockProps {
  readonly rows: readonly DiffRow[];
  readonly file: DiffFile;
  readonly tokens: (side: DiffSide) => SideTokens;
}

/** Keeps its height while it is away, so that nothing jumps. */
function Block({ rows, file, tokens }: BlockProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const height = useRef(rows.length * ROW_PX);
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry === undefined) return;
        if (!entry.isIntersecting && current.childElementCount > 0) height.current = current.offsetHeight;
        setNear(entry.isIntersecting);
      },
      { rootMargin: `${NEAR_PX}px` },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} style={isNear ? {} : { height: `${height.current}px` }}>
      {isNear ? rows.map((row, index) => <Row key={index} row={row} file={file} tokens={tokens} />) : null}
    </div>
  );
}

interface RowProps extends Omit<BlockProps, "rows"> {
  readonly row: DiffRow;
}

function Row({ row, file, tokens }: RowProps) {
  if (row.kind === "hunk") return <div class="hunk">{row.text === "" ? "…" : `… ${row.text}`}</div>;
  const { left, right } = row;
  const isContext = left?.isChanged === false;
  const findings = right === null ? [] : file.findings.filter(({ line }) => line === right.number);
  return (
    <>
      <div class={`row${isContext ? " context" : ""}${findings.length > 0 ? " found" : ""}`}>
        <Side side={left} mark="−" tokens={tokens} />
        <Side side={right} mark="+" tokens={tokens} />
      </div>
      <Findings findings={findings} />
    </>
  );
}

interface SideProps {
  readonly side: DiffSide | null;
  readonly mark: string;
  readonly tokens: BlockProps["tokens"];
}

function Side({ side, mark, tokens }: SideProps) {
  const place = mark === "+" ? "right" : "left";
  if (side === null) return <div class={`side ${place} none`} />;
  return (
    <div class={`side ${place} ${side.isChanged ? "changed" : ""}`}>
      <span class="number">{side.number}</span>
      <span class="mark">{side.isChanged ? mark : " "}</span>
      <code class="text">
        {(tokens(side) ?? [{ kind: "plain" as const, text: side.text }]).map(({ kind, text }, index) =>
          kind === "plain" ? (
            text
          ) : (
            <span key={index} class={`t-${kind}`}>
              {text}
            </span>
          ),
        )}
      </code>
    </div>
  );
}
