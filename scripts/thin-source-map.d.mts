interface SourceMap {
  readonly version: number;
  readonly sources: readonly string[];
  readonly mappings: string;
}

export function thinSourceMap(map: SourceMap, shiftColumn: (line: number, column: number) => number): SourceMap;
