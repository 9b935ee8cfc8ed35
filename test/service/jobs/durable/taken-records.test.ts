/** Where a job begins that takes over the records of one whose last call failed. */
import { expect, it } from "vitest";
import { takenRecords } from "../../../../service/jobs/rehearsals/moved-job.ts";

const SITE = { label: "L_in", node: "n1", visit: 1, attempt: 1, adapter: "http", verb: "POST", args_hash: "h" };

async function takenOf(...bodies: readonly object[]): Promise<number> {
  const records = bodies.map((body, at) => ({ ...SITE, ...body, seq: at + 1 }));
  const store = { durable: { page: async () => records } };
  return (await takenRecords({ store } as never, { id: "job" } as never, "failure")).length;
}

const intent = (branch: string) => ({ kind: "intent", branch });
const failed = (branch: string) => ({ kind: "call", ok: false, branch });

it("begins a call again that is known to have failed", async () => {
  expect(await takenOf({ kind: "start" }, intent(""), failed(""))).toBe(1);
});

it("keeps the intent of another branch, whose call may have acted", async () => {
  const [one, two] = ["1/n1/1#0", "1/n1/1#1"];
  expect(await takenOf({ kind: "start" }, intent(one), intent(two), failed(two))).toBe(2);
  expect(await takenOf({ kind: "start" }, intent(two), intent(one), failed(two))).toBe(3);
});
