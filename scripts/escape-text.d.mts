export function escapeText(code: string): string;
export function makeColumnShift(code: string): (line: number, column: number) => number;
