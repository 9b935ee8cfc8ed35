/** The service under load and under observation: refusal when the process is full, spans for those who collect them. */
import type { OutgoingHttpHeaders } from "node:http";
import {
  type Context,
  context,
  type DiagLogger,
  diag,
  type Link,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { afterEach, describe, expect, it, vi } from "vitest";
import { boundedState, jobTrace } from "../../../service/telemetry/tracing.ts";
import { servingJobs } from "../jobs/serving-jobs.ts";
import { serving } from "../serving.ts";

const HOLD = 'L1:\n  R ext.Hold "one" ->x\n  J x\n';
const FAIL = 'L1:\n  R ext.Fail "no" ->x\n  J x\n';
const ECHO = 'L1:\n  R ext.Echo "hidden value" ->x\n  J x\n';

describe("a process at its memory limit", () => {
  it("refuses new work, and its probes stay up", async () => {
    const full = await serving({ app: { overload: { maxLoopLagMs: 500, maxHeapShare: 1e-6 } } });
    try {
      let reply = await full.run({ code: "L1:\n  J 1\n" });
      // The figures are looked at once a second.
      while (reply.status === 200) reply = await full.run({ code: "L1:\n  J 1\n" });
      expect(reply).toMatchObject({ status: 503, body: { error: "server_busy" }, headers: { "retry-after": "1" } });
      for (const path of ["/health", "/ready", "/metrics"]) expect((await full.call("GET", path)).status).toBe(200);
    } finally {
      await full.stop();
    }
  });
});

type SeenSpan = {
  name: string;
  parent: string | undefined;
  state: string | undefined;
  links: readonly Link[];
  attributes: Record<string, unknown>;
  start: unknown;
  end: unknown;
  ended: boolean;
  failed: boolean;
};

/** A collector of spans in place of an SDK. */
function collecting(): SeenSpan[] {
  const seen: SeenSpan[] = [];
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan(name: string, options: SpanOptions = {}, parent?: Context) {
        const state = parent === undefined ? undefined : trace.getSpanContext(parent)?.traceState;
        const span: SeenSpan = {
          name,
          parent: parent === undefined ? undefined : trace.getSpanContext(parent)?.spanId,
          state: state?.serialize(),
          links: options.links ?? [],
          attributes: {},
          start: options.startTime,
          end: undefined,
          ended: false,
          failed: false,
        };
        seen.push(span);
        const spanId = String(seen.length).padStart(16, "0");
        const self = {
          // As an SDK does, it continues with the parent's state.
          spanContext: () => ({ traceId, spanId, traceFlags: 1, traceState: state }),
          setAttribute: (key: string, value: unknown) => {
            span.attributes[key] = value;
            return self;
          },
          setAttributes: (values: object) => {
            Object.assign(span.attributes, values);
            return self;
          },
          setStatus: ({ code }: { code: SpanStatusCode }) => {
            span.failed = code === SpanStatusCode.ERROR;
            return self;
          },
          end: (time: unknown) => {
            span.end = time;
            span.ended = true;
          },
          addEvent: () => self,
          addLink: () => self,
          addLinks: () => self,
          updateName: () => self,
          isRecording: () => true,
          recordException: () => undefined,
        };
        return self;
      },
      startActiveSpan: () => {
        throw new Error("not used");
      },
    }),
  } as never);
  return seen;
}

describe("a trace state that is too long", () => {
  const member = (name: string, length: number): string => `${name}=${"x".repeat(length - name.length - 1)}`;

  it.each<readonly [string, readonly string[], readonly string[]]>([
    ["that is short enough stays", ["a=1", member("b", 400)], ["a=1", member("b", 400)]],
    ["loses long members first", [member("a", 400), "b=1", member("c", 200), "d=2"], [member("a", 400), "b=1", "d=2"]],
    ["loses all long ones when it must", [member("a", 600), "b=1", member("c", 600)], ["b=1"]],
    [
      "then the last",
      Array.from({ length: 6 }, (_, at) => member(`k${at}`, 120)),
      [0, 1, 2, 3].map((at) => member(`k${at}`, 120)),
    ],
    ["may have nothing left", [member("a", 600)], []],
  ])("%s", (_, given, kept) => {
    expect(boundedState(given.join(","))).toBe(kept.join(","));
  });

  it("is cut in constant time for any content", () => {
    expect(boundedState(",".repeat(100_000))).toBe("");
    expect(boundedState("a=1,".repeat(50_000)).length).toBeLessThanOrEqual(512);
  });
});

/** An SDK that throws where it is asked for `fails`. Gives what it says of it. */
function throwing(fails: string): string[] {
  const told: string[] = [];
  const may = <T>(name: string, value: T): T => {
    if (name === fails) throw new Error(`no ${name}`);
    return value;
  };
  const span = {
    spanContext: () =>
      may("spanContext", { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", traceFlags: 1 }),
    setAttributes: () => may("setAttributes", span),
    setStatus: () => may("setStatus", span),
    end: () => may("end", undefined),
  };
  const startSpan = (name: string) => may(name, may("startSpan", span));
  trace.setGlobalTracerProvider({ getTracer: () => may("getTracer", { startSpan }) } as never);
  context.setGlobalContextManager({
    active: () => ({}),
    with: (_: Context, act: () => unknown) => may("with", act()),
    enable() {},
    disable() {},
  } as never);
  const logger = { error: (_: string, cause: Error) => told.push(cause.message) };
  diag.setLogger(logger as unknown as DiagLogger, { suppressOverrideMessage: true });
  return told;
}

describe("an SDK that throws", () => {
  afterEach(() => {
    trace.disable();
    context.disable();
    diag.disable();
  });

  it.each([
    "getTracer",
    "startSpan",
    "weft.run",
    "weft.label",
    "weft.adapter_call",
    "weft.job",
    "spanContext",
    "setAttributes",
    "setStatus",
    "end",
    "with",
  ])("from %s loses spans but no answer, and nothing runs twice", async (fails) => {
    const told = throwing(fails);
    const service = await servingJobs({ variables: { WF_OTEL_LABEL_SPANS: "1" } });
    try {
      expect((await service.run({ code: ECHO })).body.ok).toBe(true);
      expect((await service.run({ code: FAIL })).body.error).toBe("adapter_error");
      expect((await service.call("POST", "/batch", { code: ECHO, frames: [{}, {}] })).body.succeeded).toBe(2);
      expect((await service.over(await service.queued({ code: ECHO }))).body.status).toBe("succeeded");
      expect((await service.call("GET", "/health")).status).toBe(200);
      expect(service.made).toEqual(["Echo", "Fail", "Echo", "Echo", "Echo"]);
      expect(told).toContain(`no ${fails}`);
    } finally {
      await service.stop();
    }
  });
});

describe("spans", () => {
  afterEach(() => trace.disable());

  it("are request, run and calls, inside each other, without values", async () => {
    const seen = collecting();
    const service = await serving();
    try {
      seen.length = 0;
      const { body, headers } = await service.run({ code: ECHO });
      await service.logged("http_request", (event) => event["route"] === "/run");
      const [request, run, call] = seen;
      expect([request?.name, run?.name, call?.name]).toEqual(["POST /run", "weft.run", "weft.adapter_call"]);
      expect(run?.parent).toBe("0000000000000001");
      expect(call?.parent).toBe("0000000000000002");
      expect(body.trace_id).toBe("0af7651916cd43dd8448eb211c80319c");
      expect(headers["traceparent"]).toBe(`00-${body.trace_id}-0000000000000001-01`);
      expect(run?.attributes).toMatchObject({
        "weft.label": "L1",
        "weft.outcome": "ok",
        "weft.steps": 2,
        "weft.trace_id": body.trace_id,
      });
      expect(call?.attributes).toEqual({ "weft.adapter": "ext", "weft.verb": "Echo", "weft.status": "ok" });
      expect(seen.every(({ ended }) => ended)).toBe(true);
      expect(JSON.stringify(seen)).not.toContain("hidden value");
    } finally {
      await service.stop();
    }
  });

  it("continue the caller's trace, with what collectors on the way added to it", async () => {
    const seen = collecting();
    const service = await serving();
    try {
      seen.length = 0;
      const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
      await service.run({ code: ECHO }, { traceparent, tracestate: "vendor=1,other=2" });
      expect(seen[0]).toMatchObject({ name: "POST /run", parent: "b".repeat(16), state: "vendor=1,other=2" });
      await service.run({ code: ECHO }, { tracestate: "vendor=1" });
      expect(seen.findLast(({ name }) => name === "POST /run")).toMatchObject({ parent: undefined, state: undefined });
    } finally {
      await service.stop();
    }
  });

  describe("of labels", () => {
    const NESTED =
      "L1:\n  Set n 0\n  While (lt n 2) ->L2 ->L3\nL2:\n  X n add n 1\n  Call L4 ->z\n  J n\nL3:\n  J n\nL4:\n  J 1\n";
    const WANTED = { variables: { WF_OTEL_LABEL_SPANS: "1" } };
    /** Each label with the label, or run, that it was entered from. */
    const labelsOf = (seen: readonly SeenSpan[]): readonly string[] =>
      seen
        .filter(({ name }) => name === "weft.label")
        .map(({ attributes, parent }) => {
          const from = seen[Number(parent) - 1];
          return `${from?.attributes["weft.label"]} > ${attributes["weft.label"]}${from?.name === "weft.run" ? " of the run" : ""}`;
        });

    it("are inside each other as labels are entered, and leave the answer as it is", async () => {
      const seen = collecting();
      const service = await serving(WANTED);
      try {
        const { body } = await service.run({ code: NESTED });
        expect(labelsOf(seen)).toEqual([
          "L1 > L1 of the run",
          ...["L1 > L2", "L2 > L4", "L1 > L2", "L2 > L4"],
          "L1 > L3",
        ]);
        for (const { name, start, end, parent } of seen.filter(({ name }) => name === "weft.label")) {
          const from = seen[Number(parent) - 1];
          expect(Number(end), name).toBeGreaterThanOrEqual(Number(start));
          if (from?.name === "weft.label") expect(Number(start)).toBeGreaterThanOrEqual(Number(from.start));
        }
        expect(body).toMatchObject({ ok: true, out: 2 });
        expect(body.trace).toBeUndefined();
        const asked = await service.run({ code: NESTED, trace: true });
        expect(asked.body.trace.length).toBeGreaterThan(5);
      } finally {
        await service.stop();
      }
    });

    it("say which labels failed, and come from the frames of a batch too", async () => {
      const seen = collecting();
      const service = await serving(WANTED);
      try {
        const code = "# frame: d: number\nL1:\n  Call L2 ->q\n  J q\nL2:\n  X n idiv 1 d\n  J n\n";
        const { body } = await service.call("POST", "/batch", { code, frames: [{ d: 0 }, { d: 1 }] });
        expect(body).toMatchObject({ succeeded: 1, failed: 1 });
        expect(body.results.map((line: object) => "trace" in line)).toEqual([false, false]);
        expect(labelsOf(seen)).toEqual(["L1 > L1 of the run", "L1 > L2", "L1 > L1 of the run", "L1 > L2"]);
        const labels = seen.filter(({ name }) => name === "weft.label");
        expect(labels.map(({ failed }) => failed)).toEqual([true, true, false, false]);
      } finally {
        await service.stop();
      }
    });

    it("are absent unless requested, and cost no trace without an SDK", async () => {
      const seen = collecting();
      const plain = await serving();
      await plain.run({ code: NESTED });
      await plain.stop();
      expect(labelsOf(seen)).toEqual([]);
      trace.disable();
      const service = await serving(WANTED);
      const runs = vi.spyOn(service.services.gateway, "run");
      await service.run({ code: NESTED });
      await service.stop();
      expect(runs.mock.calls.map(([, request]) => request?.trace)).toEqual([false]);
    });
  });

  it("of a job link to the request that queued it", () => {
    const seen = collecting();
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    jobTrace("a".repeat(32), { traceparent, tracestate: null }).ended(null);
    expect(seen[0]).toMatchObject({
      name: "weft.job",
      ended: true,
      links: [{ context: { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" } }],
    });
    jobTrace("a".repeat(32), { traceparent: null, tracestate: "vendor=1" }).ended(null);
    expect(seen[1]?.links).toEqual([]);
  });

  it("of a job have what collectors added to the trace of its request", async () => {
    const service = await servingJobs();
    try {
      const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
      const enqueue = (code: string, tracestate: string, headers: OutgoingHttpHeaders = { traceparent }) =>
        service.call("POST", "/enqueue", { code }, { ...headers, tracestate });
      // Two run at once; the third waits: it was queued without an SDK, and starts with one.
      for (const code of [HOLD, HOLD]) await enqueue(code, "early=1");
      const held = [await service.held(), await service.held()];
      const waiting = await enqueue(ECHO, "untraced=1");
      const seen = collecting();
      const stateOf = (): string | undefined =>
        seen.findLast(({ name }) => name === "weft.job")?.links[0]?.context.traceState?.serialize();
      for (const one of held) one.release(1);
      await service.over(waiting.body.job_id);
      expect(stateOf()).toBe("untraced=1");
      const enqueued = async (...args: Parameters<typeof enqueue>): Promise<void> => {
        await service.over((await enqueue(...args)).body.job_id);
      };
      await enqueued(ECHO, "vendor=1,other=2");
      expect(stateOf()).toBe("vendor=1,other=2");
      const failed = (await enqueue(FAIL, "vendor=1")).body.job_id;
      await service.over(failed);
      const retried = await service.call("POST", `/result/${failed}/retry`, {}, { traceparent, tracestate: "third=3" });
      await service.over(retried.body.job_id);
      expect(stateOf()).toBe("third=3");
      await enqueued(ECHO, "vendor=1", {});
      expect(stateOf()).toBeUndefined();
      const long = Array.from({ length: 60 }, (_, at) => `key${at}=${"v".repeat(10)}`).join(",");
      await enqueued(ECHO, long);
      expect(stateOf()?.length).toBeLessThanOrEqual(512);
      expect(long.startsWith(stateOf() ?? "none")).toBe(true);
    } finally {
      await service.stop();
    }
  });
});
