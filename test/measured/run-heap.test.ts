/** Runs leave the heap as it was. `test/vm/runs/machine-pool.test.ts` asks which of their values are collected. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { createHost } from "../../vm/host.ts";
import { fakeClock, fakeFacts } from "../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../support/run-case.ts";

const SOURCE = [
  "L1:",
  "  Set rows []",
  "  Loop xs x ->L2 ->L3",
  "L2:",
  "  X r obj x text",
  "  X rows push rows r",
  "  X both concat text x",
  "L3:",
  "  Call L4 ->n",
  '  J {"rows": rows, "n": n}',
  "L4:",
  "  While n < 3 ->L5 ->L6",
  "L5:",
  "  X n add n 1",
  "L6:",
  "  J text",
  "",
].join("\n");

it("many runs leave the heap as it was", { timeout: 120_000 }, async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const host = createHost({
    ...{ clock: fakeClock(), facts: fakeFacts(), catalog: testCatalog, adapters: new Map(), traceId: () => "many" },
  });
  const ir = compileForTest(SOURCE, false, ["xs", "text", "n"]);
  const limits = { max_steps: 1000, max_frame_bytes: 10_000 };
  const heapAfter = async (count: number): Promise<number> => {
    for (let k = 0; k < count; k++) {
      const answer = await host.run({ ir, frame: { xs: ["a", `b${k}`], text: `text ${k}`, n: 0 }, limits });
      if (!answer.ok) throw new Error(answer.error.message);
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await heapAfter(2_000);
  const after = await heapAfter(20_000);
  expect(after - before).toBeLessThan(2 * 1024 * 1024);
});
