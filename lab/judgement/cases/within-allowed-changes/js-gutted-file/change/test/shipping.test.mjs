import { test } from "node:test";

test("pays below the limit", () => {});

test("is free from the limit on", () => {});
