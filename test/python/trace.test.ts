/** Traces of Python programs: what their events say, that they change no count, and that ways are counted from them. */
import { describe, expect, it } from "vitest";
import { traceTree } from "../../cli/trace/tree.ts";
import { labelVisits } from "../../service/telemetry/label-visits.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import type { TraceEvent } from "../../vm/run.ts";
import { type Answering, type Asked, run } from "./support/effects-world.ts";

const SOURCE = `
def double(x):
    return x * 2


def main(limit):
    got = []
    for x in [1, 2]:
        if x > limit:
            got.append(double(x))
    try:
        answer = http.Get("u").body
    except AdapterError as error:
        answer = error.code
    return [got, answer]
`;
const answers: Answering = () => ({ status: 200, headers: {}, body: "b" });
const fails: Answering = async () => {
  throw new AdapterError("ADAPTER_BUSY", "not now", { retryable: true });
};

async function traced(source: string, answer: Answering, asked: Asked & { readonly frame_keys?: boolean } = {}) {
  const { frame_keys = false, ...more } = asked;
  const { trace = [] } = await run(source, answer, { ...more, trace: { frame_keys } } as never);
  return trace;
}

/** `label line kind what`, without the file's own steps. */
function told(trace: readonly TraceEvent[]): string[] {
  return trace
    .filter(({ kind, label }) => kind !== "end" && label !== "_file")
    .map(({ label, lineno, kind, op, port_taken: port = "end", out, code, handler, depth }) =>
      kind === "error"
        ? `${label} ${lineno} ${code} ${handler}`
        : `${label} ${lineno} ${op} ${port} ${JSON.stringify(out)} ${depth}`,
    );
}

describe("the trace of a Python program", () => {
  it("has every step with its line, its value and the way it took, those of called functions first", async () => {
    expect(told(await traced(SOURCE, answers, { frame: { limit: 1 } }))).toEqual([
      "main 8 Py next [] 1",
      "main 9 Py next null 1",
      "main 9 Py body 1 1",
      "main 10 Py else null 1",
      "main 9 Py body 2 1",
      "main 10 Py then null 1",
      "double 4 Py end 4 2",
      "main 11 Py next null 1",
      "main 9 Py after null 1",
      'main 13 R next {"status":200,"headers":{},"body":"b"} 1',
      'main 13 Py next "b" 1',
      'main 16 Py end [[4],"b"] 1',
    ]);
  });

  it("says where a failure was handled, or that it was not", async () => {
    const handled = told(await traced(SOURCE, fails, { frame: { limit: 9 } }));
    expect(handled).toContain("main 13 RUNTIME_ADAPTER_ERROR main");
    expect(handled.at(-1)).toBe('main 16 Py end [[],"ADAPTER_BUSY"] 1');
    const source = "def inner():\n    return [][0]\n\n\ndef main():\n    return inner()\n";
    expect(told(await traced(source, answers))).toEqual([
      "inner 3 RUNTIME_INDEX_ERROR null",
      "main 7 RUNTIME_INDEX_ERROR null",
    ]);
  });

  it("ends with the steps that were under way where a limit ends the run", async () => {
    const source = "def main():\n    while True:\n        pass\n";
    const trace = await traced(source, answers, { limits: { max_steps: 50 } });
    expect(told(trace).at(-1)).toMatch(/^main \d RUNTIME_MAX_STEPS null$/);
  });

  it("reports repeats and branches", async () => {
    let left = 1;
    const busyOnce: Answering = (url, context) => {
      if (left-- > 0) throw new AdapterError("ADAPTER_BUSY", "not now", { retryable: true });
      return answers(url, context);
    };
    const repeated = await traced('def main():\n    with retry(2):\n        http.Get("u")\n', busyOnce);
    expect(repeated.filter(({ kind }) => kind === "retry")).toMatchObject([{ label: "main", attempt: 1, count: 2 }]);
    const source =
      'def one(u):\n    return http.Get(u).status\n\n\ndef main():\n    return parallel(one, ["a", "b"])\n';
    const branches = await traced(source, answers);
    const inner = branches.filter(({ label }) => label === "one");
    expect(new Set(inner.map(({ in_branch }) => in_branch)).size).toBe(2);
  });

  it("is read as calls with their steps", async () => {
    const source = `
def inner(x):
    y = x + 1
    return y


def main():
    try:
        z = inner(inner(1))
        return http.Get("u")
    except AdapterError:
        return z
`;
    const trace = await traced(source, fails);
    const [, main] = traceTree({ events: trace.filter(({ kind }) => kind !== "end") } as never);
    expect(main).toMatchObject({ label: "main", handler: false });
    const calls = main?.steps.flatMap(({ visits }) => visits) ?? [];
    expect(calls.map(({ label, steps }) => [label, steps.length])).toEqual([
      ["inner", 2],
      ["inner", 2],
    ]);
    expect(main?.steps.at(-1)?.event).toMatchObject({ kind: "step", out: 3 });
    const [, span] = labelVisits(trace);
    expect(span?.label).toBe("main");
    expect(span?.entered.map(({ label }) => label)).toEqual(["inner", "inner"]);
  });

  it("has the names of variables where they are asked for", async () => {
    const trace = await traced(SOURCE, answers, { frame: { limit: 1 }, frame_keys: true });
    expect(trace.findLast(({ label }) => label === "main")?.["frame_keys"]).toEqual(["limit", "got", "x", "answer"]);
  });

  it("changes neither the result nor a count, and cuts large values", async () => {
    const source = "def main(n):\n    many = [i for i in range(n)]\n    return len(many)\n";
    const asked = { frame: { n: 5000 } };
    const plain = await run(source, answers, asked);
    const more = await run(source, answers, { ...asked, trace: true });
    expect([more.ok && more.out, more.usage.steps]).toEqual([plain.ok && plain.out, plain.usage.steps]);
    const cut = more.trace?.findLast(({ lineno, out }) => lineno === 3 && out !== null);
    expect(cut?.["out"]).toMatchObject({ $truncated: expect.any(Number), type: "list" });
  });

  it("has the variables of the function with each step where they are asked for, and of large ones only what they are", async () => {
    const source = `def inner(a):
    b = a + 1
    return b


def main(items: list):
    seen = {}
    for one in items:
        seen[one] = inner(one)
    large = list(range(5000))
    numbers = range(10 ** 9)
    many = ["x" * 1000, "y" * 1000, "z" * 1000]
    odd = {1, 2}
    try:
        1 / 0
    except ZeroDivisionError as e:
        odd = [n for n in [1] if n]
    return len(seen)
`;
    const { trace = [] } = await run(source, answers, { frame: { items: [1] }, trace: { variables: true } } as never);
    const at = (line: number, label = "main") =>
      trace.findLast((event) => event["lineno"] === line + 1 && event["label"] === label)?.["variables"];
    expect(at(2, "inner")).toEqual({ a: 1, b: 2 });
    expect(at(9)).toEqual({ items: [1], seen: { 1: 2 }, one: 1 });
    const large = { $truncated: expect.any(Number), type: "list" };
    expect(at(13)).toMatchObject({ large, numbers: { type: "range" }, many: large, odd: { $python: "{1, 2}" } });
    const failed = trace.find(({ kind }) => kind === "error");
    expect(failed).toMatchObject({ lineno: 16, variables: { odd: { $python: "{1, 2}" } } });
    expect(at(18)).toMatchObject({ odd: [1] });
    for (const { variables = {} } of trace as readonly { readonly variables?: object }[])
      expect(Object.keys(variables).filter((name) => /[$.]/.test(name))).toEqual([]);
    expect((await traced(source, answers, { frame: { items: [1] } })).some((event) => "variables" in event)).toBe(
      false,
    );
  });
});
