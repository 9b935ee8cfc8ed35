/** What a branch costs over a pass of a Loop, and how long calls take that wait at the same time. */
import { setTimeout as wait } from "node:timers/promises";
import { systemClock } from "../../adapters/engine/system-clock.ts";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import type { Json } from "../../compiler/json.ts";
import { plainAdapter } from "../../vm/calls/plain-adapter.ts";
import { createHost, type Host } from "../../vm/host.ts";
import type { Figure } from "../figure.ts";
import { compiledOn, LIMITS } from "../peers/weft.ts";
import type { ProbeScope } from "./probe.ts";
import { timeInTurn } from "./timing.ts";

const ELEMENTS = 1000;
const GROUP = "Branches";

const BODY = "L_body:\n  X n add x 1\n  J n\n";
const EACH = `# frame: xs: list\nL1:\n  Each ys xs x ->L_body limit=8\n  J ys\n${BODY}`;
const LOOP = `# frame: xs: list\nL1:\n  Set ys []\n  Loop xs x ->L_pass ->L_done\nL_pass:\n  Call L_body ->y\n  X ys push ys y\n  J null\nL_done:\n  J ys\n${BODY}`;
const CALLS = "# frame: xs: list\nL1:\n  Each ys xs x ->L_call limit=5\n  J ys\nL_call:\n  R http.Get x ->r\n  J r\n";
const CALL_MS = 100;

export async function measureBranches({ pace }: ProbeScope): Promise<readonly Figure[]> {
  const host = hostWithCalls();
  const xs = Array.from({ length: ELEMENTS }, (_, at) => at);
  const expected = JSON.stringify(xs.map((x) => x + 1));
  const works = [EACH, LOOP].map((source) => {
    const ir = compiledOn(host, "branches", source);
    return { ir, run: () => host.run({ ir, frame: { xs }, limits: LIMITS }) };
  });
  for (const { run } of works) checked(JSON.stringify(outOf(await run())), expected);
  const [each, loop] = await timeInTurn(
    works.map(({ run }) => run),
    pace,
  );
  const over = ((each?.median ?? Number.NaN) - (loop?.median ?? Number.NaN)) * (1000 / ELEMENTS);
  const ir = compiledOn(host, "calls", CALLS);
  const urls = Array.from({ length: 20 }, (_, at) => `https://a.example/${at}`);
  const waited: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = performance.now();
    checked(JSON.stringify(outOf(await host.run({ ir, frame: { xs: urls }, limits: LIMITS }))), JSON.stringify(urls));
    waited.push(performance.now() - before);
  }
  return [
    {
      group: GROUP,
      name: "a branch, over a pass of a Loop with the same body",
      value: over,
      unit: "µs",
      target: { at_most: 5 },
    },
    {
      group: GROUP,
      name: `20 calls of ${CALL_MS} ms, 5 at a time`,
      value: Math.min(...waited),
      unit: "ms",
      target: { at_most: 440 },
    },
  ];
}

function hostWithCalls(): Host {
  const http = plainAdapter("http", { Get: ([url = null]) => wait(CALL_MS, url) }, { concurrent: true });
  return createHost({
    clock: systemClock,
    facts: { uuid: () => "", env: () => undefined },
    catalog: builtinCatalog,
    adapters: new Map([["http", http]]),
    traceId: () => "bench",
  });
}

function outOf(answer: { readonly ok: boolean; readonly out?: Json }): Json {
  if (!answer.ok) throw new Error("the run failed");
  return answer.out ?? null;
}

function checked(found: string, expected: string): void {
  if (found !== expected) throw new Error(`gave ${found.slice(0, 80)}, not ${expected.slice(0, 80)}`);
}
