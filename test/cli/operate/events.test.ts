/** `wf events` against a service. */
import { expect, it } from "vitest";
import { eventful } from "../../service/events/event-service.ts";
import { wf } from "../console.ts";

it("an event cannot be emitted, listed or shown from the command line", async () => {
  const { port } = await eventful();
  const events = (...words: readonly string[]) => wf(["events", ...words, "--server", `http://127.0.0.1:${port}`]);
  const emitted = await events("emit", "orders/paid", '{"n": 1}', "--id", "a1");
  expect([emitted.code, emitted.stdout]).toEqual([0, "a1\n"]);
  expect((await events("emit", "orders/paid", "--id", "a1")).stderr).toContain("there is an event with this id");
  expect((await events("list")).stdout).toMatch(/^a1 +orders\/paid /m);
  expect((await events("show", "a1")).stdout).toContain("orders/paid");
  expect(await events("show", "a2")).toMatchObject({ code: 2, stderr: expect.stringContaining("event_not_found") });
  for (const wrong of [["emit"], ["show", "a", "b"], ["list", "x"], ["lost"]])
    expect((await events(...wrong)).code, wrong.join(" ")).toBe(2);
});
