export function layOver(folder: string, tree: string): void;
export function applyChange(folder: string, tree: string): void;
