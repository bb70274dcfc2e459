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
var q queue.Queue
demand(q.Sum() == 0, "empty")
q.Push(3)
q.Push(-1)
q.Push(10)
demand(q.Sum() == 12, "sum")
demand(q.Sum() == 12, "again")
n, err := q.Pop()
demand(n == 3 && err == nil, "pop")
demand(q.Sum() == 9, "after")

	fmt.Println("reached the end")
}
`;
writeFileSync(join(folder, "cmd/heldout/main.go"), code);
const { status, stdout } = spawnSync("go", ["run", "./cmd/heldout"], { cwd: folder, encoding: "utf8", timeout: 90_000 });
rmSync(folder, { recursive: true });
process.exit(status === 0 && stdout.includes("reached the end") ? 0 : 1);
