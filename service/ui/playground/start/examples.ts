/// <reference path="./programs.d.ts" />
/** Programs to start from: those of the folder `examples/` at the root, with inputs to run them with. */
import fetched from "../../../../examples/adapters/digest.wf";
import branching from "../../../../examples/branching.wf";
import endpoints from "../../../../examples/endpoints.wf";
import scheduled from "../../../../examples/flows/digest.wf";
import functions from "../../../../examples/functions.wf";
import loops from "../../../../examples/loops.wf";
import delivery from "../../../../examples/outside/delivery.wf";
import largeOrder from "../../../../examples/outside/large-order.wf";
import monthly from "../../../../examples/outside/monthly.wf";
import orderStatus from "../../../../examples/outside/order-status.wf";
import summary from "../../../../examples/outside/summary.wf";
import refund from "../../../../examples/refund.wf";
import reshape from "../../../../examples/reshape.wf";
import retry from "../../../../examples/retry.wf";

export type Example = {
  readonly title: string;
  readonly code: string;
  readonly frame: object;
  /** It calls nothing outside, so it runs everywhere. */
  readonly runs: boolean;
};

const orders = [
  { id: 1, total: 5 },
  { id: 2, total: 12.5 },
];
const answer = { place: "Graz", hourly: { time: ["06:00", "07:00", "08:00"], temperature: [10, null, 15] } };
const created = { id: "e1", name: "orders/created", data: { id: 7, total: 250, customer: "c-17" }, key: "c-17" };

export const EXAMPLES: readonly Example[] = [
  {
    title: "An invoice",
    code: loops,
    frame: {
      items: [
        { name: "paper", quantity: 3, price: 4.2 },
        { name: "ink", quantity: 1, price: 19.99 },
      ],
    },
    runs: true,
  },
  { title: "Decisions", code: branching, frame: { weight_kg: 6, express: true }, runs: true },
  { title: "Records into rows", code: reshape, frame: { answer }, runs: true },
  {
    title: "Errors that are handled",
    code: functions,
    frame: { orders: [{ id: "a1", lines: [{ price: 20, count: 2 }] }, { id: "a4" }] },
    runs: true,
  },
  {
    title: "A retry",
    code: retry,
    frame: { messages: ['{"id": 1}', "{oops", '{"id": 2}'] },
    runs: true,
  },
  { title: "Two endpoints", code: endpoints, frame: { orders }, runs: true },
  { title: "A schedule", code: scheduled, frame: { orders, _due_at: "2026-03-02T06:00:00.000Z" }, runs: true },
  {
    title: "A parallel fetch",
    code: fetched,
    frame: { feeds: [{ title: "News", url: "https://news.example/feed.json" }] },
    runs: false,
  },
  { title: "A call with a secret", code: orderStatus, frame: { id: 7 }, runs: false },
  { title: "A model call", code: summary, frame: { text: "Weft runs programs in Python." }, runs: false },
  { title: "An approval", code: refund, frame: { order: { id: 7, total: 120 }, reason: "late" }, runs: false },
  { title: "A wait for a signal", code: delivery, frame: { order: "7" }, runs: false },
  { title: "An event", code: largeOrder, frame: { created }, runs: false },
  { title: "Jobs that start jobs", code: monthly, frame: { customers: ["Ada", "Bo"] }, runs: false },
];
