/**
 * What a report states about a program before it runs holds for its runs: no run does more than a stated most, no run that
 * succeeds does less than a stated least, and every call, host, path, table, queue and environment name is a stated one or
 * the report says that it does not know them all.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtinAdapters } from "../../compiler/catalog/builtin.ts";
import { createCatalog } from "../../compiler/catalog.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Json } from "../../compiler/json.ts";
import { securityReport } from "../../compiler/policy/report.ts";
import type { ReportSummary, Unknown } from "../../compiler/policy/report-shape.ts";
import { plainAdapter } from "../../vm/calls/plain-adapter.ts";
import { createHost, type RunAnswer } from "../../vm/host.ts";
import type { Limits } from "../../vm/run.ts";
import { FRAME_CEILING, runs, turnRuns } from "../support/generators.ts";
import { fakeClock, fakeFacts, mockAdapters, wrapped } from "../support/mock-adapters.ts";
import { testCatalog } from "../support/run-case.ts";
import { catalog, irOf, testClock, type Verbs } from "../support/world.ts";

const loose = (source: string): Ir => irOf(source, { strict: false });
const summaryOf = (source: string): ReportSummary => securityReport(loose(source), catalog).summary;
const knows = (summary: ReportSummary, wanted: Unknown["what"]): boolean =>
  !summary.unknown.some(({ what }) => what === "adapters" || what === wanted);

/** What breaks the promise, in words; empty when the run kept it. */
function broken(ir: Ir, answer: RunAnswer, calls: readonly string[]): string[] {
  const { labels, summary } = securityReport(ir, testCatalog);
  const bounds = labels[answer.label]?.bounds;
  const { steps, adapter_calls, depth, loop_iters } = answer.usage;
  const isEntry = answer.label === ir.entry;
  const found: string[] = [];
  if (bounds?.max_steps != null && steps > bounds.max_steps) found.push(`${steps} steps of ${bounds.max_steps}`);
  if (bounds?.max_adapter_calls != null && adapter_calls > bounds.max_adapter_calls)
    found.push(`${adapter_calls} calls of ${bounds.max_adapter_calls}`);
  if (isEntry && summary.max_depth !== null && depth > summary.max_depth)
    found.push(`depth ${depth} of ${summary.max_depth}`);
  const iterations = summary.loops.reduce((most, loop) => Math.max(most, loop.max_iterations ?? Infinity), 0);
  if (loop_iters > iterations) found.push(`${loop_iters} iterations of ${iterations}`);
  if (answer.ok && bounds !== undefined && steps < bounds.min_steps)
    found.push(`${steps} steps, at least ${bounds.min_steps}`);
  if (answer.ok && bounds !== undefined && adapter_calls < bounds.min_adapter_calls)
    found.push(`${adapter_calls} calls, at least ${bounds.min_adapter_calls}`);
  const stated = new Set(
    Object.entries(summary.adapters).flatMap(([name, { verbs }]) =>
      verbs.map((verb) => `${name}.${verb}`.toLowerCase()),
    ),
  );
  for (const call of calls)
    if (!stated.has(call.toLowerCase()) && !stated.has(`${call.split(".")[0]}.*`) && !stated.has("*.*"))
      found.push(`${call} is not stated`);
  return found;
}

describe("stated bounds", () => {
  it("hold for every run of generated programs", async () => {
    let succeeded = 0;
    let bounded = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 4, arbitrary: runs }, { weight: 1, arbitrary: turnRuns }),
        async ({ source, frame, limits, allowedAdapters }) => {
          const ir = loose(source);
          const calls: string[] = [];
          const clock = fakeClock();
          const adapters = new Map(
            [...mockAdapters(clock)].map(([name, adapter]) => [
              name,
              wrapped(adapter, (verb, _args, make) => {
                calls.push(`${name}.${verb.name}`);
                return make();
              }),
            ]),
          );
          const deps = { clock, facts: fakeFacts(), catalog: testCatalog, adapters, traceId: () => "t" };
          const host = createHost({ ...deps, frameCeilingBytes: FRAME_CEILING });
          const answer = await host.run({ ir, frame, limits, allowedAdapters });
          if (answer.ok) succeeded += 1;
          if (securityReport(ir, testCatalog).labels[answer.label]?.bounds.max_steps != null) bounded += 1;
          expect(broken(ir, answer, calls)).toEqual([]);
        },
      ),
      { numRuns: 250 },
    );
    expect(Math.min(succeeded, bounded)).toBeGreaterThan(20);
  });
});

describe("stated targets", () => {
  const names = ["alpha", "beta", "gamma"] as const;
  const target = fc.oneof(
    fc
      .constantFrom(...names)
      .map((name) => ({ name, text: (full: string) => JSON.stringify(full.replace("?", name)) })),
    fc.constantFrom(...names).map((name) => ({ name, text: () => "v" })),
  );
  const FULL = { http: "https://?.example/x", fs: "?.txt", env: "?" } as const;
  const kind = fc.constantFrom("http" as const, "fs" as const, "env" as const);
  const line = (call: keyof typeof FULL, operand: string): string =>
    call === "env" ? `X e env ${operand}` : call === "http" ? `R http.Get ${operand} ->r` : `R fs.read ${operand} ->r`;

  it("cover every host, path and environment name of a run", async () => {
    const computed = { count: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(kind, target), { minLength: 1, maxLength: 6 }), async (steps) => {
        const wanted = steps.map(([call, { name, text }]) => {
          const full = FULL[call].replace("?", name);
          const operand = text(FULL[call]);
          return `  Set v ${JSON.stringify(full)}\n  ${line(call, operand)}`;
        });
        const ir = loose(`L1:\n${wanted.join("\n")}\n  J 1\n`);
        const { summary } = securityReport(ir, catalog);
        const used = await targetsOf(ir);
        if (!knows(summary, "hosts")) computed.count += 1;
        if (knows(summary, "hosts")) expect(summary.egress.hosts).toEqual(expect.arrayContaining(used.hosts));
        if (knows(summary, "paths")) expect(summary.files.paths).toEqual(expect.arrayContaining(used.paths));
        if (knows(summary, "environment"))
          expect(summary.environment).toEqual(expect.arrayContaining(used.environment));
        expect(used.hosts.length + used.paths.length + used.environment.length).toBe(steps.length);
      }),
      { numRuns: 150 },
    );
    expect(computed.count).toBeGreaterThan(10);
  });
});

async function targetsOf(ir: Ir): Promise<{ hosts: string[]; paths: string[]; environment: string[] }> {
  const used = { hosts: [] as string[], paths: [] as string[], environment: [] as string[] };
  const adapters: Readonly<Record<string, Verbs>> = {
    http: {
      Get: ([url]) => {
        used.hosts.push(new URL(String(url)).hostname);
        return null;
      },
    },
    fs: {
      read: ([path]) => {
        used.paths.push(String(path));
        return null;
      },
    },
  };
  const env = (name: string): string | undefined => {
    used.environment.push(name);
    return undefined;
  };
  const host = createHost({
    clock: testClock(),
    facts: { uuid: () => "u", env },
    catalog: createCatalog(builtinAdapters),
    adapters: new Map(Object.entries(adapters).map(([name, verbs]) => [name, plainAdapter(name, verbs)])),
    traceId: () => "t",
  });
  const limits: Limits = { max_steps: 1000 };
  const answer = await host.run({ ir, limits });
  expect(answer.ok ? answer.out : answer.error).toBe(1 satisfies Json);
  return used;
}

describe("what is unknown", () => {
  it.each<[string, string, readonly string[]]>([
    ["nothing", 'L1:\n  R http.Get "https://a.example/" ->r\n  J r\n', []],
    [
      "a computed URL",
      "L1:\n  Set u 1\n  R http.Get u ->r\n  J r\n",
      ["hosts L1 n2 line 3: the url of http.Get is computed"],
    ],
    [
      "SQL",
      'L1:\n  R sqlite.query "SELECT 1" ->r\n  J r\n',
      ["tables L1 n1 line 2: sqlite.query names its tables in SQL"],
    ],
    ["mail", "L1:\n  R email.G ->r\n  J r\n", ["hosts L1 n1 line 2: email.G reaches hosts that its settings name"]],
    [
      "a name of the environment",
      "L1:\n  Set n 1\n  X v env n\n  J v\n",
      ["environment L1 n2 line 3: the env of core.ENV is computed"],
    ],
    [
      "an adapter that is not in the catalog",
      "L1:\n  R nosuch.Do 1 ->r\n  J r\n",
      ["adapters L1 n1 line 2: nothing is known of nosuch: it may touch anything"],
    ],
    [
      "a computed adapter",
      "L1:\n  Set a 1\n  R $a.Do 1 ->r\n  J r\n",
      ["adapters L1 n2 line 3: the adapter is computed: it may be any"],
    ],
    [
      "the length of a list",
      "L1:\n  Set xs 1\n  Loop xs x ->L2 ->L3\nL2:\n  J 1\nL3:\n  J 2\n",
      [
        "iterations L1 n2 line 3: Loop over a list that only a run knows",
        "steps L1 n2 line 3: Loop over a list that only a run knows",
      ],
    ],
    [
      "a cycle after a bounded loop",
      "L1:\n  Loop [1, 2] x ->L2 ->L3\nL2:\n  If x ->L2 ->L3\nL3:\n  J 2\n",
      ["steps L2 - line 4: L2 can lead back to itself", "depth L2 - line 4: L2 can lead back to itself"],
    ],
  ])("%s", (_title, source, expected) => {
    const shown = summaryOf(source).unknown.map(
      ({ what, label, node_id, line, reason }) => `${what} L${label} ${node_id ?? "-"} line ${line}: ${reason}`,
    );
    expect(shown).toEqual(expected);
  });

  it("is distinguished from what loops do at most", () => {
    const { loops } = summaryOf(
      "L1:\n  Set xs 1\n  Loop xs x ->L2 ->L3\nL2:\n  Loop [1, 2, 3] y ->L3 ->L3\nL3:\n  While x ->L4 ->L4 limit=7\nL4:\n  J 1\n",
    );
    expect(loops.map(({ label, op, max_iterations }) => [label, op, max_iterations])).toEqual([
      ["1", "Loop", null],
      ["2", "Loop", 3],
      ["3", "While", 7],
    ]);
  });
});
