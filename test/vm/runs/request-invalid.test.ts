/** What a host refuses of those who embed it without its types: with a stable code and a place, before anything runs. */
import { describe, expect, it } from "vitest";
import { type BatchOptions, runBatch } from "../../../vm/batch.ts";
import { createLimiter } from "../../../vm/grant/limits.ts";
import { createHost, type HostDeps, type HostRunRequest } from "../../../vm/host.ts";
import { RequestInvalid } from "../../../vm/inputs/request-invalid.ts";
import { fakeClock, fakeFacts } from "../../support/mock-adapters.ts";
import { compileForTest, testCatalog } from "../../support/run-case.ts";

const hostWith = (more: Partial<HostDeps> = {}) =>
  createHost({
    clock: fakeClock(),
    facts: fakeFacts(),
    catalog: testCatalog,
    adapters: new Map(),
    traceId: () => "t",
    ...more,
  });
const host = hostWith();
const ir = compileForTest("# frame: a\nL1:\n  J a\n", true, []);
/** A request as it comes from code without types. */
const untyped = (request: object) => ({ ir, frame: { a: 1 }, ...request }) as HostRunRequest;

const REFUSED: readonly (readonly [object, string, string, string])[] = [
  [{ ir: null }, "/ir", "type", "expected IR; where compile gives null, its diagnostics say why"],
  [{ ir: undefined }, "/ir", "type", "expected IR; where compile gives null, its diagnostics say why"],
  [{ ir: "L1:" }, "/ir", "type", "expected IR; where compile gives null, its diagnostics say why"],
  [{ label: 1 }, "/label", "type", "expected a text"],
  [{ limits: 5 }, "/limits", "type", "expected an object"],
  [{ limits: [5] }, "/limits", "type", "expected an object"],
  [
    { limits: { max_step: 5 } },
    "/limits/max_step",
    "unknown_member",
    "unknown limit 'max_step'; did you mean max_steps?",
  ],
  [{ limits: { max_steps: Number.NaN } }, "/limits/max_steps", "type", "expected a whole number"],
  [{ limits: { max_steps: Number.POSITIVE_INFINITY } }, "/limits/max_steps", "type", "expected a whole number"],
  [{ limits: { max_steps: 2.5 } }, "/limits/max_steps", "type", "expected a whole number"],
  [{ limits: { max_steps: "5" } }, "/limits/max_steps", "type", "expected a whole number"],
  [{ limits: { max_steps: null } }, "/limits/max_steps", "type", "expected a whole number"],
  [{ frame: [1] }, "/frame", "type", "expected an object"],
  [{ frame: "a" }, "/frame", "type", "expected an object"],
  [{ allowedAdapters: "core" }, "/allowedAdapters", "type", "expected a list or a set of names"],
  [{ allowedAdapters: {} }, "/allowedAdapters", "type", "expected a list or a set of names"],
];

it.each([[5], [true], [[]], [""]])("limits that are %j are refused also after a run without any", async (limits) => {
  const own = hostWith();
  expect(own.runSync(untyped({}))).toMatchObject({ ok: true });
  await expect(own.run(untyped({ limits }))).rejects.toMatchObject({
    code: "invalid_request",
    issues: [{ path: "/limits", code: "type", message: "expected an object" }],
  });
});

it.each(REFUSED)("%j is refused at %s", async (request, path, code, message) => {
  const expected = {
    name: "RequestInvalid",
    code: "invalid_request",
    message: `invalid request: ${path}: ${message}`,
    issues: [{ path, code, message }],
  };
  await expect(host.run(untyped(request))).rejects.toMatchObject(expected);
  expect(() => host.runSync(untyped(request))).toThrow(RequestInvalid);
  if (path === "/frame") return;
  const options = { host, ...request } as BatchOptions;
  expect(() => runBatch(untyped(request).ir, [{ a: 1 }], options)).toThrow(RequestInvalid);
});

it("all faults of limits are reported at once", () => {
  expect(() => host.runSync(untyped({ limits: { max_depths: 1, max_steps: "5" } }))).toThrow(
    "invalid request: /limits/max_depths: unknown limit 'max_depths'; did you mean max_depth?; /limits/max_steps: expected a whole number",
  );
});

it("limits of the server are checked when the host is created", () => {
  const serverLimits = { max_step: 5 } as object;
  expect(() => hostWith({ serverLimits })).toThrow("/serverLimits/max_step: unknown limit 'max_step'");
});

it("the other calls of a host also refuse what is not IR", () => {
  const none = null as unknown as HostRunRequest["ir"];
  expect(() => host.program(none)).toThrow(RequestInvalid);
  expect(() => host.resolveLabel(none, "1")).toThrow(RequestInvalid);
  expect(() => host.checkPolicy(none, {})).toThrow(RequestInvalid);
});

describe("limits", () => {
  const limitsOf = createLimiter({});

  it("are checked even after equal valid ones", () => {
    expect(limitsOf({ max_steps: 5 }).limits).toEqual({ max_steps: 5 });
    expect(() => limitsOf({ max_steps: 5, max_step: 5 } as object)).toThrow(RequestInvalid);
    limitsOf({});
    expect(() => limitsOf({ max_step: 5 } as object)).toThrow(RequestInvalid);
    expect(limitsOf({ max_depth: undefined } as object).limits).toEqual({});
    expect(() => limitsOf({ max_step: 5 } as object)).toThrow(RequestInvalid);
  });

  it("are kept where the same ones come again, as the same object or another", () => {
    const asked = { max_steps: 5 };
    const first = limitsOf(asked);
    expect(limitsOf(asked)).toBe(first);
    expect(limitsOf({ max_steps: 5 })).toBe(first);
    expect(limitsOf({ max_steps: 5, max_depth: undefined } as object)).toBe(first);
  });

  it("below 1 count as not given, with a warning, as on the other surfaces", () => {
    expect(host.runSync(untyped({ limits: { max_steps: -1, max_adapter_calls: -1, max_depth: 0 } }))).toMatchObject({
      ok: true,
      limits: {},
      warnings: [
        "limit_ignored: max_steps -1 is below 1 and counts as not given",
        "limit_ignored: max_depth 0 is below 1 and counts as not given",
        "limit_ignored: max_adapter_calls -1 is below 0 and counts as not given",
      ],
    });
  });
});

describe("what has no value", () => {
  it("is absent in a request", () => {
    const request = untyped({ label: null, frame: null, limits: null, allowedAdapters: null });
    expect(host.runSync(request)).toMatchObject({ ok: true, out: "a", warnings: [] });
  });

  it("is absent in a frame, and null in a list", () => {
    const read = (value: unknown) =>
      host.runSync(untyped({ frame: { a: value, b: undefined }, limits: { max_frame_bytes: 1000 } }));
    expect(read(undefined)).toMatchObject({ out: "a", usage: { frame_bytes: 2 } });
    expect(read({ b: undefined, c: 1 })).toMatchObject({
      out: { c: 1 },
      usage: { frame_bytes: '{"a":{"c":1}}'.length },
    });
    expect(read([undefined, 1])).toMatchObject({ out: [null, 1], usage: { frame_bytes: '{"a":[null,1]}'.length } });
    let deep: unknown = { b: undefined, list: [undefined] };
    for (let level = 0; level < 200; level++) deep = [deep];
    expect(JSON.stringify(read(deep))).toContain('{"list":[null]}');
  });
});
