import { render } from "preact";
import { App } from "./app.tsx";
import { startSource } from "./source.ts";

const root = document.getElementById("app");
if (root !== null) {
  render(<App />, root);
  startSource();
}
