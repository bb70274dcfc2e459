/** The files of `src` as a graph: who imports whom, and how often each interface is used, read with TypeScript's own parser. */
import { dirname, join } from "node:path";
import ts from "typescript";

export interface SourceImport {
  readonly to: string;
  /** Gone once the types are. */
  readonly isTypeOnly: boolean;
  readonly isOnDemand: boolean;
}

export interface SourceNode {
  readonly lines: number;
  readonly imports: readonly SourceImport[];
  /** Modules of Node that are loaded, not only named as types. */
  readonly builtins: readonly string[];
}

/** By path from the root of the repository. */
export type HouseGraph = ReadonlyMap<string, SourceNode>;

interface RawImport {
  readonly specifier: string;
  readonly isTypeOnly: boolean;
  readonly isOnDemand: boolean;
}

export function readGraph(sources: ReadonlyMap<string, string>): HouseGraph {
  return new Map([...sources].map(([path, text]) => [path, readNode(path, text, sources)]));
}

function readNode(path: string, text: string, sources: ReadonlyMap<string, string>): SourceNode {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (!/\.tsx?$/u.test(path)) return { lines, imports: [], builtins: [] };
  const raw = listImports(parse(path, text));
  const imports = raw.flatMap(({ specifier, isTypeOnly, isOnDemand }) => {
    const to = join(dirname(path), specifier);
    return specifier.startsWith(".") && sources.has(to) ? [{ to, isTypeOnly, isOnDemand }] : [];
  });
  const builtins = raw.flatMap((one) => (one.specifier.startsWith("node:") && !one.isTypeOnly ? [one.specifier] : []));
  return { lines, imports, builtins };
}

const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

/** Every node below this one, itself first. */
function listNodes(node: ts.Node): readonly ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (one: ts.Node): void => {
    found.push(one);
    ts.forEachChild(one, visit);
  };
  visit(node);
  return found;
}

function listImports(file: ts.SourceFile): readonly RawImport[] {
  return listNodes(file).flatMap((node) => readStatement(node) ?? readExpression(node) ?? []);
}

function readStatement(node: ts.Node): RawImport | null {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
    return { specifier: node.moduleSpecifier.text, isTypeOnly: hasTypesOnly(node.importClause), isOnDemand: false };
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier))
    return { specifier: node.moduleSpecifier.text, isTypeOnly: node.isTypeOnly, isOnDemand: false };
  return null;
}

function hasTypesOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    clause.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.length > 0 &&
    named.elements.every(({ isTypeOnly }) => isTypeOnly)
  );
}

function readExpression(node: ts.Node): RawImport | null {
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments;
    if (specifier !== undefined && ts.isStringLiteral(specifier))
      return { specifier: specifier.text, isTypeOnly: false, isOnDemand: true };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal))
    return { specifier: node.argument.literal.text, isTypeOnly: true, isOnDemand: false };
  return null;
}

/** Interfaces that only carry the parameters of one function: named once besides their declaration, and there as a parameter. */
export function listParameterBags(sources: ReadonlyMap<string, string>): readonly string[] {
  const declared = new Map<string, string>();
  const uses = new Map<string, { count: number; asParameter: number }>();
  for (const [path, text] of sources) {
    if (!/\.tsx?$/u.test(path)) continue;
    const nodes = listNodes(parse(path, text));
    const own = new Set<string>();
    for (const node of nodes) {
      if (!ts.isInterfaceDeclaration(node)) continue;
      const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
      const key = isExported ? node.name.text : `${path} ${node.name.text}`;
      if (!isExported) own.add(node.name.text);
      declared.set(key, `${path}: ${node.name.text}`);
    }
    for (const node of nodes) countUse(node, (name) => (own.has(name) ? `${path} ${name}` : name), uses);
  }
  return [...declared].flatMap(([key, label]) => {
    const use = uses.get(key);
    return use?.count === 1 && use.asParameter === 1 ? [label] : [];
  });
}

function countUse(
  node: ts.Node,
  keyOf: (name: string) => string,
  uses: Map<string, { count: number; asParameter: number }>,
): void {
  const isHeritage = ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression);
  if (!isHeritage && !(ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName))) return;
  const name = ts.isTypeReferenceNode(node) ? node.typeName.getText() : node.expression.getText();
  const use = uses.get(keyOf(name)) ?? { count: 0, asParameter: 0 };
  use.count += 1;
  if (ts.isParameter(node.parent)) use.asParameter += 1;
  uses.set(keyOf(name), use);
}
