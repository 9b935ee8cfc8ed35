import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { bounds, callCycles, indexIr, reachableLabels } from "../../../compiler/ir/analysis.ts";
import type { ProgramGraph } from "../../../compiler/ir/ir-index.ts";
import { requirements } from "../../../compiler/policy/requirements.ts";
import {
  branch,
  during,
  exampleIr,
  give,
  handler,
  invoke,
  ir,
  list,
  loop,
  num,
  request,
  retry,
  type SampleProgram,
  set,
  str,
  variable,
} from "./samples.ts";

const boundsOf = (program: SampleProgram, label = "1", options = {}) => {
  const found = bounds(indexIr(ir(program)), options).get(label);
  return found === undefined
    ? null
    : [found.min_steps, found.max_steps, found.min_adapter_calls, found.max_adapter_calls];
};
const get = request("http", "Get", [str("https://a.example/x")]);
const advice = (program: SampleProgram, more: Record<string, unknown> = {}) => ir(program, more).execution_requirements;

describe("index", () => {
  it("finds nodes, chains, edges and targets", () => {
    const index = indexIr(exampleIr());
    expect(index.labelIds).toEqual(["1", "_big", "_down"]);
    expect(index.chainOf("1").map((node) => node.op)).toEqual(["R", "Err", "Set", "If"]);
    expect(index.node("1", "n3")?.op).toBe("Set");
    expect(index.targetOf("1", "n4", "then")).toBe("_big");
    expect(index.edgesTo("1", "n2").map((edge) => edge.port)).toEqual(["err", "next"]);
    expect(index.successorsOf("1")).toEqual(["_down", "_big"]);
    expect(index.label("constructor")).toBeUndefined();
    expect(index.nodesOf("nowhere")).toEqual([]);
  });

  it("takes nodes that are numbered with gaps and out of order, and edges that begin nowhere", () => {
    const { labels, entry, nodes, edges }: ProgramGraph = exampleIr();
    const numbers: Readonly<Record<string, string>> = { n1: "n3", n2: "n10", n3: "n40", n4: "n100" };
    const renumbered = (id: string): string => numbers[id] ?? id;
    const inFirst = (label: string): boolean => label === "1";
    const index = indexIr({
      entry,
      labels: { ...labels, "1": { entry: "n3", exits: [] } },
      nodes: nodes.map((node) => (inFirst(node.label) ? { ...node, id: renumbered(node.id) } : node)).reverse(),
      edges: [
        ...edges.map((edge) => {
          const to = edge.to_kind === "node" ? renumbered(edge.to) : edge.to;
          return inFirst(edge.label) ? { ...edge, from: renumbered(edge.from), to } : edge;
        }),
        { label: "1", from: "n7", to: "_big", to_kind: "label", port: "then" },
      ],
    });
    expect(index.nodesOf("1").map((node) => node.id)).toEqual(["n3", "n10", "n40", "n100"]);
    expect(index.chainOf("1").map((node) => node.op)).toEqual(["R", "Err", "Set", "If"]);
    expect(index.node("1", "n2")).toBeUndefined();
    expect(index.targetOf("1", "n100", "then")).toBe("_big");
    expect(index.targetOf("1", "n7", "then")).toBe("_big");
    expect(index.edgesTo("1", "n10").map((edge) => edge.port)).toEqual(["err", "next"]);
    expect(index.successorsOf("1")).toEqual(["_down", "_big"]);
  });

  it("knows what a label can run, and what leads back to itself", () => {
    const index = indexIr(
      ir({ "1": [invoke("2"), give()], "2": [branch("3", "1")], "3": [give()], "4": [branch("4")], "5": [give()] }),
    );
    expect([...reachableLabels(index, ["1"])].sort()).toEqual(["1", "2", "3"]);
    expect(reachableLabels(index, ["ghost"]).size).toBe(0);
    expect(callCycles(index).map((cycle) => [...cycle].sort())).toEqual([["1", "2"], ["4"]]);
  });

  it("walks long call chains without recursion", () => {
    const program: Record<string, ReturnType<typeof give>[]> = {};
    for (let label = 1; label < 5000; label += 1) program[`a${label}`] = [invoke(`a${label + 1}`), give()];
    program["a5000"] = [give()];
    const index = indexIr(ir(program));
    expect(callCycles(index)).toEqual([]);
    expect(bounds(index).get("a1")).toMatchObject({ min_steps: 9999, max_steps: 9999 });
  });
});

describe("bounds", () => {
  it.each<[string, SampleProgram, (number | null)[]]>([
    ["a chain", { "1": [get, set(), give()] }, [3, 3, 1, 1]],
    ["a branch with both ways", { "1": [branch("2", "3")], "2": [get, give()], "3": [give()] }, [2, 3, 0, 1]],
    ["a branch with one way", { "1": [branch("2")], "2": [get, give()] }, [1, 3, 0, 1]],
    ["a call", { "1": [invoke("2"), invoke("2"), give()], "2": [get, give()] }, [7, 7, 2, 2]],
    [
      "a loop over a literal list",
      { "1": [loop(list(num(1), num(2), num(3)), "2", "3")], "2": [get, give()], "3": [give()] },
      [8, 8, 3, 3],
    ],
    [
      "a loop over a variable",
      { "1": [loop(variable("xs"), "2", "3")], "2": [get, give()], "3": [give()] },
      [2, null, 0, null],
    ],
    ["a while", { "1": [during(5, "2", "3")], "2": [get, give()], "3": [give()] }, [2, 12, 0, 5]],
    ["a retry", { "1": [{ ...get, retry: "n2" }, retry(num(4)), give()] }, [3, 7, 1, 5]],
    ["a retry of unknown count", { "1": [{ ...get, retry: "n2" }, retry(variable("k")), give()] }, [3, 1003, 1, 1001]],
    ["a handler", { "1": [{ ...get, err: "n2" }, handler("2"), set(), set(), give()], "2": [give()] }, [2, 6, 1, 1]],
    ["a standing handler", { "1": [handler("2"), get, give()], "2": [get, get, give()] }, [3, 6, 1, 3]],
    ["recursion", { "1": [branch("1", "2")], "2": [give()] }, [2, null, 0, 0]],
    ["recursion that calls", { "1": [get, branch("1", "2")], "2": [give()] }, [3, null, 1, null]],
    ["steps after the end", { "1": [give(), get] }, [1, 1, 0, 0]],
    ["auth.enforce, which never counts", { "1": [request("auth", "enforce", [str("p")]), give()] }, [2, 2, 0, 0]],
  ])("%s", (_title, program, expected) => {
    expect(boundsOf(program)).toEqual(expected);
  });

  it("uses the grant's loop bound where the program gives none", () => {
    const program = { "1": [loop(variable("xs"), "2", "3")], "2": [get, give()], "3": [give()] };
    expect(boundsOf(program, "1", { max_loop_iters: 10 })).toEqual([2, 22, 0, 10]);
    expect(boundsOf({ "1": [during(500, "2", "2")], "2": [give()] }, "1", { max_loop_iters: 10 })).toEqual([
      2, 12, 0, 0,
    ]);
  });

  it("calls figures beyond exact whole numbers unbounded", () => {
    const program: Record<string, ReturnType<typeof give>[]> = { e: [give()] };
    for (let level = 0; level < 8; level += 1)
      program[`w${level}`] = [during(10_000, level === 0 ? "e" : `w${level - 1}`, "e")];
    expect(boundsOf(program, "w7")).toEqual([2, null, 0, 0]);
  });
});

describe("execution requirements", () => {
  it("are those of the worked example", () => {
    const { execution_requirements, checksum: _checksum, ...rest } = exampleIr();
    expect(requirements(rest, builtinCatalog)).toEqual(execution_requirements);
  });

  it("asks for nothing where nothing is used", () => {
    expect(advice({ "1": [set(), give()] })).toMatchObject({
      isolation_level: "none",
      required_capabilities: [],
      network: { required: false, hosts: [], dynamic: false },
      filesystem: { required: false, paths: [], dynamic: false },
      resource_profile: "small",
      ephemeral: true,
      sandbox_policy_fragment: { forbidden_privilege_tiers: ["local_state", "network", "operator_sensitive"] },
    });
  });

  it.each<[string, SampleProgram, Record<string, unknown>]>([
    [
      "a computed URL",
      { "1": [request("http", "Get", [variable("u")]), give()] },
      { network: { required: true, hosts: [], dynamic: true } },
    ],
    [
      "a computed host",
      { "1": [request("extras", "tls_expiry", [variable("h")]), give()] },
      { network: { required: true, hosts: [], dynamic: true } },
    ],
    [
      "mail, which names no host",
      { "1": [request("email", "G"), give()] },
      { network: { required: true, hosts: [], dynamic: true } },
    ],
    [
      "files",
      { "1": [request("fs", "read", [str("b")]), request("fs", "read", [str("a")]), give()] },
      { filesystem: { required: true, paths: ["a", "b"], dynamic: false }, ephemeral: false, isolation_level: "none" },
    ],
    [
      "a queue",
      { "1": [request("queue", "Put", [str("q"), num(1)]), give()] },
      { ephemeral: false, isolation_level: "container" },
    ],
    [
      "an unknown adapter",
      { "1": [request("ghost", "x"), give()] },
      {
        isolation_level: "container",
        required_capabilities: ["ghost"],
        network: { required: true, hosts: [], dynamic: true },
        ephemeral: true,
      },
    ],
    [
      "core, called or by host function",
      { "1": [set("t", { k: "call", fn: "now", args: [] }), give()] },
      { required_capabilities: ["core"], isolation_level: "none" },
    ],
    [
      "a loop over a literal list",
      { "1": [loop(list(num(1)), "2", "2")], "2": [give()] },
      { resource_profile: "standard" },
    ],
    [
      "a loop over something else",
      { "1": [loop(variable("xs"), "2", "2")], "2": [give()] },
      { resource_profile: "large" },
    ],
    ["a while", { "1": [during(3, "2", "2")], "2": [give()] }, { resource_profile: "standard" }],
    ["recursion", { "1": [branch("1", "2")], "2": [give()] }, { resource_profile: "large" }],
  ])("%s", (_title, program, expected) => {
    expect(advice(program)).toMatchObject(expected);
  });

  it.each<[string, SampleProgram, Record<string, unknown>]>([
    ["a literal path", { "1": [request("fs", "read", [str("a")])] }, { required: true, paths: ["a"], dynamic: false }],
    [
      "a computed path",
      { "1": [request("fs", "read", [variable("p")])] },
      { required: true, paths: [], dynamic: true },
    ],
    [
      "a literal path next to a computed one",
      { "1": [request("fs", "read", [str("a")]), request("fs", "read", [variable("p")])] },
      { required: true, paths: ["a"], dynamic: true },
    ],
    [
      "a literal path next to an unknown verb",
      { "1": [request("fs", "read", [str("a")]), request("fs", "ghost", [])] },
      { required: true, paths: ["a"], dynamic: true },
    ],
    ["a verb that is not known", { "1": [request("fs", "ghost", [])] }, { required: true, paths: [], dynamic: true }],
    [
      "a path of another adapter",
      { "1": [request("extras", "file_exists", [str("a")])] },
      { required: true, paths: ["a"], dynamic: false },
    ],
    ["no file", { "1": [get] }, { required: false, paths: [], dynamic: false }],
  ])("lists files: %s", (_title, program, filesystem) => expect(advice(program).filesystem).toEqual(filesystem));

  it("calls a program small up to 50 calls", () => {
    const calls = (count: number): SampleProgram => ({ "1": [...Array.from({ length: count }, () => get), give()] });
    expect(advice(calls(50)).resource_profile).toBe("small");
    expect(advice(calls(51)).resource_profile).toBe("standard");
  });

  it("sizes limits by where runs begin, which is anywhere without an entry", () => {
    const long = [...Array.from({ length: 600 }, () => get), give()];
    const program: SampleProgram = { "1": [branch("2", "3")], "2": [give()], "3": long };
    const callsOf = (more: object) => advice(program, { ...more }).suggested_limits.max_adapter_calls;
    expect(callsOf({})).toBe(500);
    expect(callsOf({ entry: null })).toBe(1200);
    expect(callsOf({ endpoints: [{ method: "GET", path: "/", label: "3" }] })).toBe(1200);
    expect(callsOf({ declarations: [{ op: "Cr", slots: ["L3", "@hourly"] }] })).toBe(1200);
  });

  it("counts a declared input as bounded", () => {
    const program = { "1": [loop(variable("xs"), "2", "2")], "2": [give()] };
    expect(advice(program, { declarations: [{ op: "frame", slots: ["xs", "list"], line: 1 }] }).resource_profile).toBe(
      "standard",
    );
  });

  it("raises a figure to twice the static lower bound", () => {
    const steps = Array.from({ length: 120 }, () => get);
    const found = advice({ "1": [...steps, give()] });
    expect(found.resource_profile).toBe("standard");
    expect(advice({ "1": [...Array.from({ length: 600 }, () => get), give()] }).suggested_limits).toMatchObject({
      max_adapter_calls: 1200,
      max_steps: 5000,
    });
    expect(found.suggested_limits.max_adapter_calls).toBe(500);
  });

  it("says that a program waits, where a label that is reached does, and grants no adapter of that name", () => {
    const wait = request("signal", "wait", [str("go")]);
    const found = advice({ "1": [wait, give()] });
    expect(found.required_capabilities).toEqual(["signal", "waits"]);
    expect(found.sandbox_policy_fragment.allowed_adapters).toEqual(["signal"]);
    expect(advice({ "1": [request("signal", "send", [str("go")]), give()] }).required_capabilities).toEqual(["signal"]);
    expect(advice({ "1": [give()], "2": [wait, give()] }).required_capabilities).toEqual([]);
  });

  it("looks at labels that the entry, an endpoint or a schedule reaches", () => {
    const program = { "1": [give()], "2": [get, give()], "3": [request("svc", "list"), give()] };
    expect(advice(program).required_capabilities).toEqual([]);
    expect(advice(program, { entry: null }).required_capabilities).toEqual(["http", "svc"]);
    expect(advice(program, { endpoints: [{ method: "GET", path: "/", label: "2" }] }).required_capabilities).toEqual([
      "http",
    ]);
    expect(advice(program, { declarations: [{ op: "Cr", slots: ["L3", "@hourly"] }] }).required_capabilities).toEqual([
      "svc",
    ]);
    expect(advice(program, { declarations: [{ op: "S", slots: ["3"] }] }).required_capabilities).toEqual([]);
    // The validator reads unreachable labels too: the fragment must not forbid what they hold.
    expect(advice(program).sandbox_policy_fragment.forbidden_privilege_tiers).toEqual([]);
  });

  it("looks at the label that a schedule of an included file names without the alias", () => {
    const main: SampleProgram = {
      "1": [give()],
      "m/2": [get, give()],
      "n/2": [give()],
      "m/3": [request("svc", "list"), give()],
    };
    const used = (program: SampleProgram, ...slots: string[]) =>
      advice(program, { entry: "1", declarations: [{ op: "Cr", slots }] }).required_capabilities;
    expect(used(main, "L2", "@hourly")).toEqual(["http"]);
    expect(used(main, "m/2", "@hourly")).toEqual(["http"]);
    expect(used(main, "L4", "@hourly")).toEqual([]);
    expect(used(main)).toEqual([]);
    expect(used({ "1": [give()], "m/x/2": [get, give()] }, "x/2", "@hourly")).toEqual(["http"]);
    expect(used({ ...main, "2": [give()] }, "L2", "@hourly")).toEqual([]);
  });
});
