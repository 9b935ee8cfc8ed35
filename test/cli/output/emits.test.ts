/** What a deployment starts by its events, as `wf deploy` and `wf proposals show` say it. */
import { expect, it } from "vitest";
import { emitsLines } from "../../../cli/output/deployment.ts";
import { createPaint } from "../../../cli/output/terminal/colour.ts";

const plain = createPaint(false);

it("amendment 39: the lines of an emitter name no subscriber, or not what it reaches", () => {
  const adapters = { core: { verbs: ["MUL"] }, http: { verbs: ["Get", "Post"] }, fs: { verbs: ["write"] } };
  const subscribers = [
    { event: "orders/created", program: "invoices", version: 3, adapters },
    { event: "orders/paid", program: "notes", version: 1, adapters: { core: { verbs: ["ADD"] } } },
  ];
  expect(emitsLines({ subscribers, more: 2 }, plain)).toEqual([
    "starts  invoices@3 on orders/created, which reaches http: Get Post, fs: write",
    "starts  notes@1 on orders/paid, which reaches nothing",
    "starts  2 more",
  ]);
  expect(emitsLines(null, plain)).toEqual([]);
  expect(emitsLines(undefined, plain)).toEqual([]);
});
