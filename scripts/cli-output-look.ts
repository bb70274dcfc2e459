/** What the commands that look inside a tick print with `--json`, and the server of tools. */
import * as v from "valibot";
import { CommitId, RunId, Timestamp } from "../src/base/identifier.ts";
import { Count } from "../src/base/quantity.ts";

const open = v.looseObject;
const Text = v.string();
const maybe = v.nullable;
const Flag = v.boolean();

const entry = { run_id: RunId, session: Text, driver: maybe(Text), started_at: Timestamp };

export const LOOK_OUTPUTS: Readonly<Record<string, readonly v.GenericSchema[]>> = {
  /** Messages of the Model Context Protocol, one a line, with and without --json. */
  mcp: [open({ jsonrpc: v.literal("2.0") })],
  diff: [
    open({
      run_id: RunId,
      state: v.picklist(["running", "kept", "committed", "reverted", "undone"]),
      intent: maybe(Text),
      commit: maybe(CommitId),
      branch: maybe(Text),
      files: v.array(
        open({
          path: Text,
          old_path: maybe(Text),
          status: v.picklist(["added", "deleted", "modified", "renamed", "copied"]),
          added: Count,
          deleted: Count,
          binary: Flag,
          old_mode: maybe(Text),
          new_mode: maybe(Text),
        }),
      ),
      left_out: v.array(open({ path: Text, reason: Text })),
      patch: Text,
      /** Only where the patch is not UTF-8. */
      patch_base64: maybe(Text),
    }),
  ],
  ui: [open({ url: Text, port: Count, read_only: Flag, pid: Count })],
  report: [open({ file: Text, bytes: Count, ticks: Count, left_out: Count })],
  log: [
    open({
      ...entry,
      type: v.picklist(["said", "thought", "output", "note", "ended"]),
      text: Text,
    }),
    open({
      ...entry,
      type: v.literal("used"),
      tool: Text,
      kind: v.picklist(["read", "write", "command", "search", "other"]),
      target: maybe(Text),
      status: v.picklist(["ok", "failed", "denied", "open"]),
      exit: maybe(Count),
      output: Text,
    }),
  ],
};
