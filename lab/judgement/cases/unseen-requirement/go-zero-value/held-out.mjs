// Never seen by the change: adds a program of its own to a copy of the module and runs it.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
const folder = mkdtempSync(join(tmpdir(), "held-out-"));
cpSync(".", folder, { recursive: true });
mkdirSync(join(folder, "cmd/heldout"), { recursive: true });
const code = `package main

import (
	"fmt"

	"example.org/queue/queue"
)

func demand(holds bool, what string) {
	if !holds {
		panic(what)
	}
}

func main() {
q := queue.NewLimited(2)
demand(q.TryPush(1) == nil && q.TryPush(2) == nil, "room")
demand(q.TryPush(3) == queue.ErrFull, "full")
n, err := q.Pop()
demand(n == 1 && err == nil, "pop")
demand(q.TryPush(4) == nil, "room again")
var free queue.Queue
for i := 0; i < 100; i++ {
	demand(free.TryPush(i) == nil, "no limit")
}

	fmt.Println("reached the end")
}
`;
writeFileSync(join(folder, "cmd/heldout/main.go"), code);
const { status, stdout } = spawnSync("go", ["run", "./cmd/heldout"], { cwd: folder, encoding: "utf8", timeout: 90_000 });
rmSync(folder, { recursive: true });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
