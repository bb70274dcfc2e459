// Asks a program that ran before, by an abstract socket, to write for it.
// expect: SUCCESS
// needs: sandbox
// outside: ./place/neighbour
// before: cd / && (env -i PATH="$PATH" WHERE="$HOSTILE" setsid timeout 300 node -e 'const w = process.env.WHERE; delete process.env.WHERE; require("net").createServer(() => { require("fs").writeFileSync(w + "/place/neighbour/evil", ""); process.exit(); }).listen("\0" + w)' > /dev/null 2>&1 < /dev/null &) ; sleep 1
// driver: tick
// ship: yes
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
writeFileSync("src/main.ts", "export const answer = 42;\n");
await new Promise((resolve) => {
  const socket = connect(`\0${process.env.HOSTILE}`, () => setTimeout(resolve, 1000));
  socket.on("error", resolve);
});
process.exit();
