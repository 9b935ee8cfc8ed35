/** The statements of the contract about what a run does: errors, values, loops, determinism. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../compiler/json.ts";
import { OperationFailure } from "../../vm/errors/failures.ts";
import { interpret } from "../support/reference/interpreter.ts";
import { verifies } from "../support/requirements.ts";
import { failure, irOf, out, run, type Verbs, verdict, world } from "../support/world.ts";

const lines = (...text: string[]): string => `${text.join("\n")}\n`;
const G: Verbs = {
  G: (args) => {
    throw new OperationFailure(String(args[0] ?? "boom"));
  },
};

describe("a run", () => {
  const program = lines(
    "# frame: n",
    "L1:",
    "  R ext.NEXT ->a",
    "  X b mul a n",
    "  If b > 10 ->L2 ->L3",
    "L2:",
    '  J {"big": b}',
    "L3:",
    "  J b",
  );
  const counting = () => {
    let k = 0;
    return world({
      ext: {
        NEXT: () => {
          k += 1;
          return k;
        },
      },
    });
  };

  it("compiles the text to a graph and runs the graph", async () => {
    verifies("service.compile-then-execute");
    const ir = irOf(program);
    expect(ir.nodes.map((node) => node.op)).toEqual(["R", "X", "If", "J", "J"]);
    expect(ir.edges.map((edge) => edge.port)).toEqual(["next", "next", "else", "then"]);
    expect(await counting().host.run({ ir, frame: { n: 20 } })).toMatchObject({ ok: true, out: { big: 20 } });
    const rewired = ir.edges.map((edge) => (edge.port === "then" ? { ...edge, to: "3" } : edge));
    expect(await counting().host.run({ ir: { ...ir, edges: rewired }, frame: { n: 20 } })).toMatchObject({
      ok: true,
      out: 20,
    });
  });

  it("gives the same result, trace and counters every time", async () => {
    verifies("service.deterministic");
    const once = async () => {
      const answer = await run(program, {
        in: counting(),
        frame: { n: 4 },
        limits: { max_frame_bytes: 1000 },
        trace: true,
      });
      const trace = answer.trace?.map(({ start_ms: _start, duration_ms: _duration, ...event }) => event);
      return { ok: answer.ok, out: answer.ok ? answer.out : null, usage: answer.usage, trace };
    };
    const first = await once();
    expect(first).toMatchObject({ ok: true, out: 4, usage: { steps: 4, depth: 2, adapter_calls: 1 } });
    expect(first.trace?.length).toBeGreaterThan(4);
    expect(await once()).toEqual(first);
  });

  it("shows nothing of its variables to the next run", async () => {
    verifies("state.tier1-frame");
    const place = world();
    const source = lines("# frame: seen", "L1:", "  Set before $seen", "  Set seen 1", "  J before");
    expect(await out(source, { in: place })).toBeNull();
    expect(await out(source, { in: place })).toBeNull();
    const ir = irOf(lines("L1:", "  Set xs []", "  X xs push xs 1", "  J xs"));
    for (let k = 0; k < 2; k += 1) expect(await place.host.run({ ir })).toMatchObject({ out: [1] });
  });

  it("puts no run id into the frame", async () => {
    verifies("runtime.run-id");
    const answer = await run(lines("L1:", "  Set a 1", "  J a"), { frame: { given: 2 }, finalFrame: true });
    expect(answer.frame).toEqual({ given: 2, a: 1 });
    expect(answer.trace_id).not.toBe("");
  });

  it("passes no argument to a call written without operands", async () => {
    verifies("runtime.zero-argument-call");
    const place = world({ ext: { RUN: (args) => [...args] } });
    expect(await out(lines("L1:", "  R ext.RUN ->r", "  J r"), { in: place })).toEqual([]);
    expect(await out(lines("L1:", "  R ext RUN ->r", "  J r"), { in: place })).toEqual([]);
  });
});

describe("Err", () => {
  it("on a Call, If, Loop or While catches failures raised anywhere inside", async () => {
    verifies("runtime.err-nested");
    const tail = [
      "L2:",
      "  Call L3",
      "  J 0",
      "L3:",
      '  R ext.G "deep" ->x',
      "  J x",
      "L9:",
      '  J (concat "caught " _error)',
    ];
    for (const step of ["Call L2 ->r", "If on ->L2", "Loop xs i ->L2 ->L3", "While on ->L2 ->L3"]) {
      const source = lines(
        "# frame: on, xs",
        "L1:",
        `  ${step}`,
        "  Err ->L9",
        ...(step.startsWith("Call") ? ["  J r"] : []),
        ...tail,
      );
      expect([step, await verdict(source, { in: world({ ext: G }), frame: { on: true, xs: [1] } })]).toEqual([
        step,
        "caught deep",
      ]);
    }
    const limited = lines("L1:", "  Call L1", "  Err ->L9", "  J 1", "L9:", "  J 2");
    expect(await verdict(limited, { limits: { max_depth: 5 } })).toBe("RUNTIME_MAX_DEPTH");
  });

  it("and Retry follow one step in either order", async () => {
    verifies("runtime.err-attachment");
    const outcome = async (...guards: string[]) => {
      let calls = 0;
      const place = world({
        ext: {
          OP: () => {
            calls += 1;
            throw new OperationFailure(`flaky ${calls}`);
          },
        },
      });
      return verdict(lines("L1:", "  R ext.OP ->x", ...guards, "  J x", "L9:", "  J _error"), { in: place });
    };
    expect(await outcome("  Retry 2 0", "  Err ->L9")).toBe("flaky 3");
    expect(await outcome("  Err ->L9", "  Retry 2 0")).toBe("flaky 3");
    expect(await outcome("  Err ->L9")).toBe("flaky 1");
  });

  it("makes the handler's result the label's result, with the cause in _error", async () => {
    verifies("runtime.err-result");
    const source = lines(
      "L1:",
      "  Call L2 ->r",
      '  J {"r": r, "error": _error}',
      "L2:",
      '  R ext.G "kaput" ->x',
      "  Err ->L9",
      "  J x",
      "L9:",
      '  J "fixed"',
    );
    expect(await out(source, { in: world({ ext: G }) })).toEqual({ r: "fixed", error: "kaput" });
    expect(await out(source.replace('J "fixed"', "J null"), { in: world({ ext: G }) })).toEqual({
      r: null,
      error: "kaput",
    });
  });
});

describe("Retry", () => {
  /** Runs a step that always fails under the guard and reports calls, steps and time waited. */
  async function attempts(guard: string, limits = {}) {
    let calls = 0;
    const place = world({
      ext: {
        OP: () => {
          calls += 1;
          throw new Error("no");
        },
      },
    });
    const answer = await run(lines("L1:", "  R ext.OP ->x", `  ${guard}`, "  J x"), { in: place, limits });
    return {
      calls,
      steps: answer.usage.steps,
      counted: answer.usage.adapter_calls,
      waited: place.clock.now(),
      code: answer.ok ? "" : answer.error.code,
    };
  }

  it("n allows n extra attempts, at least 1 and 3 by default; each is a step and a call", async () => {
    verifies("runtime.retry-count");
    for (const [guard, extra] of [
      ["Retry", 3],
      ["Retry 1", 1],
      ["Retry 5", 5],
      ["Retry 0", 1],
      ["Retry -4", 1],
    ] as const) {
      expect([guard, await attempts(guard)]).toMatchObject([
        guard,
        { calls: extra + 1, steps: extra + 1, counted: extra + 1 },
      ]);
    }
    expect(await attempts("Retry 5", { max_steps: 2 })).toMatchObject({ calls: 2, code: "RUNTIME_MAX_STEPS" });
    expect(await attempts("Retry 5", { max_adapter_calls: 3 })).toMatchObject({
      calls: 3,
      code: "RUNTIME_MAX_ADAPTER_CALLS",
    });
  });

  it("waits a fixed or doubling time, at most 30 s and never beyond max_time_ms", async () => {
    verifies("runtime.retry-backoff");
    expect(await attempts("Retry 3 100")).toMatchObject({ waited: 300 });
    expect(await attempts("Retry 3 100 exponential")).toMatchObject({ waited: 700 });
    expect(await attempts("Retry 3 20000 exponential")).toMatchObject({ waited: 20_000 + 30_000 + 30_000 });
    expect(await attempts("Retry 3 100", { max_time_ms: 250 })).toMatchObject({
      calls: 3,
      waited: 200,
      code: "RUNTIME_MAX_TIME",
    });
  });
});

describe("values", () => {
  it("put and every other operation leave other variables, the caller's frame and the IR alone", async () => {
    verifies("runtime.value-semantics");
    const place = world({ ext: { KEEP: (args) => args[0], SPOIL: (args) => spoil(args[0]) } });
    const frame = { o: { a: { b: 1 } }, xs: [3, 1, 2] };
    const source = lines(
      "# frame: o, xs",
      "L1:",
      "  Set p o",
      '  X q put p "a.b" 2',
      "  X ys push xs 9",
      "  X zs sort xs",
      '  X m merge o {"z": 1}',
      "  Set literal [1]",
      "  X longer push literal 2",
      "  R ext.SPOIL o ->s",
      "  R ext.KEEP xs ->k",
      "  X k push k 7",
      '  J {"o": o, "p": p, "q": q, "xs": xs, "ys": ys, "zs": zs, "literal": literal, "k": k}',
    );
    const ir = irOf(source);
    const before = JSON.stringify(ir);
    const expected = {
      o: { a: { b: 1 } },
      p: { a: { b: 1 } },
      q: { a: { b: 2 } },
      xs: [3, 1, 2],
      ys: [3, 1, 2, 9],
      zs: [1, 2, 3],
      literal: [1],
      k: [3, 1, 2, 7],
    };
    for (let k = 0; k < 2; k += 1)
      expect(await place.host.run({ ir, frame })).toMatchObject({ ok: true, out: expected });
    expect(frame).toEqual({ o: { a: { b: 1 } }, xs: [3, 1, 2] });
    expect(JSON.stringify(ir)).toBe(before);
  });

  it("have their JSON spelling as text", async () => {
    verifies("runtime.text-forms");
    const frame = { l: [1, "é", null], o: { b: true, a: 0.5 } };
    const source = lines(
      "# frame: l, o",
      "L1:",
      '  J [(concat null "|" true "|" false), (concat 4.0 "|" 0.5 "|" 1e21 "|" -0), (concat l), (concat o)]',
    );
    expect(await out(source, { frame })).toEqual([
      "null|true|false",
      "4|0.5|1e+21|0",
      '[1,"é",null]',
      '{"b":true,"a":0.5}',
    ]);
  });

  it("true and 1 differ in eq, UNIQUE and Filt", async () => {
    verifies("runtime.true-not-one");
    const frame = { rows: [{ k: true }, { k: 1 }] };
    const source = lines(
      "# frame: rows",
      "L1:",
      "  X e eq true 1",
      "  R core.UNIQUE [1, true, 1, true] ->u",
      "  Filt f rows k == 1",
      "  J [e, u, f]",
    );
    expect(await out(source, { frame })).toEqual([false, [1, true], [{ k: 1 }]]);
  });

  it("are finite: an operation that would give NaN or an infinity fails", async () => {
    verifies("runtime.finite-numbers");
    const failing = [
      "mul 1e308 10",
      "add 1.7e308 1.7e308",
      "sub -1.7e308 1.7e308",
      "div 1 0",
      "mod 1 0",
      "pow 0 -1",
      "pow 10 400",
      "pow -1 0.5",
      "div 1e308 1e-10",
    ];
    for (const call of failing)
      expect([call, await verdict(lines("L1:", `  X r ${call}`, "  J r"))]).toEqual([call, "RUNTIME_OP_ERROR"]);
    const adapter = world({ ext: { BAD: () => Number.NaN } });
    expect(await verdict(lines("L1:", "  R ext.BAD ->r", "  J r"), { in: adapter })).toMatch(/^RUNTIME_/);
  });

  it("of text count code points and are never split inside a pair", async () => {
    verifies("runtime.code-points");
    const frame = { s: "a😀b" };
    const source = lines(
      "# frame: s",
      "L1:",
      '  J [(len s), (substr s 1 1), (slice s 0 2), (reverse s), (split "x😀y" "😀"), (slice s -2), (join "" s)]',
    );
    expect(await out(source, { frame })).toEqual([3, "😀", "a😀", ["b", "😀", "a"], ["x", "y"], "😀b", "a😀b"]);
  });

  it("sort stably, missing and null last ascending and first descending", async () => {
    verifies("runtime.sort-order");
    const rows = [{ k: 2, n: 1 }, { n: 2 }, { k: 1, n: 3 }, { k: 2, n: 4 }, { k: null, n: 5 }, { k: 1, n: 6 }];
    const order = async (direction: string) => {
      const sorted = await out(lines("# frame: rows", "L1:", `  Sort r rows k${direction}`, "  J r"), {
        frame: { rows },
      });
      return Array.isArray(sorted)
        ? sorted.map((row: Json) => (row !== null && typeof row === "object" && "n" in row ? row.n : null))
        : sorted;
    };
    expect(await order("")).toEqual([3, 6, 1, 4, 2, 5]);
    expect(await order(" desc")).toEqual([2, 5, 1, 4, 3, 6]);
  });
});

/** What a careless adapter does to its arguments. */
function spoil(value: Json | undefined): Json {
  if (value !== null && typeof value === "object" && !Array.isArray(value)) {
    try {
      Object.assign(value, { spoiled: true });
    } catch {
      // Frozen arguments are as good as copies.
    }
  }
  return null;
}

describe("labels and loops", () => {
  it("nest as deep as max_depth allows, without regard to the host's stack", async () => {
    verifies("runtime.deep-recursion");
    const source = lines(
      "# frame: n",
      "L1:",
      "  If n ->L2 ->L3",
      "L2:",
      "  X n sub n 1",
      "  Call L1 ->r",
      "  J r",
      "L3:",
      '  J "floor"',
    );
    expect(await out(source, { frame: { n: 4990 } })).toBe("floor");
    expect(await verdict(source, { frame: { n: 6000 } })).toBe("RUNTIME_MAX_DEPTH");
    const endless = await failure(lines("L1:", "  Call L1 ->r", "  J r"));
    expect(endless).toMatchObject({ code: "RUNTIME_MAX_DEPTH", data: { limit: 10_000 } });
  });

  it("restore the item variable of a Loop, or remove it", async () => {
    verifies("runtime.loop-item");
    const body = ["  Loop [1, 2] it ->L2 ->L3", "L2:", "  J it", "L3:", "  J _loop_last"];
    const kept = await run(lines("L1:", '  Set it "mine"', ...body), { finalFrame: true });
    expect(kept.frame).toMatchObject({ it: "mine", _loop_last: 2 });
    const removed = await run(lines("L1:", ...body), { finalFrame: true });
    expect(removed.frame).toEqual({ _loop_last: 2 });
  });

  it("run at most limit=N bodies of a While, 10000 without it", async () => {
    verifies("runtime.while-limit");
    const source = (limit: string) =>
      lines("# frame: n", "L1:", `  While n ->L2 ->L3${limit}`, "L2:", "  X n sub n 1", "  J n", "L3:", '  J "done"');
    expect(await verdict(source(" limit=4"), { frame: { n: 4 } })).toBe("done");
    expect(await verdict(source(" limit=4"), { frame: { n: 5 } })).toBe("RUNTIME_WHILE_LIMIT");
    expect(await verdict(source(""), { frame: { n: 10_000 } })).toBe("done");
    expect(await verdict(source(""), { frame: { n: 10_001 } })).toBe("RUNTIME_WHILE_LIMIT");
    expect(await failure(source(" limit=4"), { frame: { n: 5 } })).toMatchObject({ data: { limit: 4 } });
  });
});

describe("the machine and the reference interpreter", () => {
  /** A small program made from a number: arithmetic, a branch, a loop with a handler, a bounded While. */
  function generated(seed: number): string {
    const pick = (k: number, n: number) => Math.floor(seed / 7 ** k) % n;
    return lines(
      "# frame: xs",
      "L1:",
      `  Set t ${pick(0, 5)}`,
      `  Loop xs it ->L2 ->L${3 + pick(1, 2)}`,
      "L2:",
      `  X t ${["add", "sub", "mul", "div"][pick(2, 4)]} t it`,
      ...(pick(3, 2) === 0 ? ["  Err ->L9"] : []),
      `  J ${["t", "null", "it"][pick(4, 3)]}`,
      "L3:",
      `  While t < ${pick(5, 9)} ->L5 ->L4 limit=${1 + pick(6, 6)}`,
      "L4:",
      '  J {"t": t, "last": $_loop_last, "error": $_error}',
      "L5:",
      "  X t add t 2",
      "  J t",
      "L9:",
      `  Set t ${pick(2, 3)}`,
      "  J _error",
    );
  }

  it("agree on result, error code and counters", async () => {
    verifies("runtime.reference-interpreter");
    const frame = { xs: [3, 0, -1, 2.5] };
    const ends = new Set<string>();
    for (let seed = 1; seed < 120; seed += 1) {
      const ir = irOf(generated(seed * 104_729), { strict: false });
      const limits = {
        max_steps: 1 + (seed % 40),
        max_frame_bytes: 60 + seed,
        max_depth: 1 + (seed % 5),
        max_loop_iters: 1 + (seed % 6),
      };
      const { host, clock } = world();
      const machine = await host.run({ ir, frame, limits });
      const facts = { uuid: () => "", env: () => undefined };
      const slow = await interpret(ir, { frame, limits, adapters: new Map(), clock, facts });
      const view = (outcome: typeof slow) => ({
        result: outcome.ok ? outcome.out : outcome.error.code,
        usage: { ...outcome.usage, time_ms: 0 },
      });
      expect({ seed, ...view(machine) }).toEqual({ seed, ...view(slow) });
      ends.add(machine.ok ? "ok" : machine.error.code);
    }
    expect(ends.size).toBeGreaterThan(4);
  });
});
