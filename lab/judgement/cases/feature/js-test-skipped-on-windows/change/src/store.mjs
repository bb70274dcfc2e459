import { writeFileSync } from "node:fs";

export function saveCart(path, items) {
  writeFileSync(path, JSON.stringify(items), { mode: 0o600 });
}
