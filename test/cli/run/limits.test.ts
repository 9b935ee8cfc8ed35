/** Every `--max-` flag stops a run exactly where the same key of a request does. */
import { describe, expect, it } from "vitest";
import { flagOf } from "../../../cli/grant/limit-flags.ts";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { surfaceWord } from "../../../vm/errors/error-codes.ts";
import { RESOURCE_FLOOR } from "../../../vm/grant/limits.ts";
import { createHost } from "../../../vm/host.ts";
import { LIMIT_KEYS, type LimitKey } from "../../../vm/run.ts";
import { verifies } from "../../support/requirements.ts";
import { documentOf, tickingClock, wf } from "../console.ts";

const PROGRAM = `L1:
  Set xs [1, 2, 3, 4]
  Call L2 ->r
  Loop xs item ->L3 ->L4
L2:
  R core.ADD 1 2 ->y
  Call L5 ->q
  J y
L3:
  R core.ADD item 1 ->z
  J z
L4:
  J "done"
L5:
  J 5
`;

/** Values around every place where the program meets the limit. */
const VALUES: Readonly<Record<string, readonly number[]>> = {
  max_steps: [1, 2, 3, 6, 7, 14, 15, 16, 17, 18, 19, 20, 40],
  max_depth: [1, 2, 3, 4],
  max_adapter_calls: [0, 1, 4, 5, 6],
  max_time_ms: [1, 2, 5, 10, 20, 1000],
  max_frame_bytes: [1, 16, 40, 60, 80, 100, 500],
  max_loop_iters: [1, 3, 4, 5],
};

async function direct(key: LimitKey, value: number) {
  const clock = tickingClock(0.5);
  const host = createHost({
    clock,
    facts: { uuid: () => "u", env: () => undefined },
    catalog: builtinCatalog,
    adapters: new Map(),
    traceId: () => "t",
  });
  const { ir } = host.compile(PROGRAM, { strict: false });
  if (ir === null) throw new Error("the program must compile");
  return host.run({ ir, limits: { ...RESOURCE_FLOOR, [key]: value }, allowedAdapters: null, trace: false });
}

describe.each(LIMIT_KEYS.filter((key) => key in VALUES))("%s", (key) => {
  it("stops a run where the same key of a request does", async () => {
    verifies(
      "limit.flags",
      "cli.flag.max-steps",
      "cli.flag.max-depth",
      "cli.flag.max-adapter-calls",
      "cli.flag.max-time-ms",
      "cli.flag.max-frame-bytes",
      "cli.flag.max-loop-iters",
    );
    const outcomes = new Set<boolean>();
    for (const value of VALUES[key] ?? []) {
      const expected = await direct(key, value);
      const result = await wf(["run", "-", "--json", `${flagOf(key)}=${value}`], {
        stdin: PROGRAM,
        clock: tickingClock(0.5),
      });
      const document = documentOf(result);
      expect(document["limits"]).toEqual({ ...RESOURCE_FLOOR, [key]: value });
      expect(result.code).toBe(expected.ok ? 0 : 1);
      const { time_ms: _time, ...usage } = expected.usage;
      expect(document["usage"]).toMatchObject(usage);
      if (expected.ok) expect(document).toMatchObject({ ok: true, out: expected.out });
      else {
        expect(document).toMatchObject({
          ok: false,
          error: surfaceWord(expected.error.code, expected.error.data),
          error_structured: { code: expected.error.code, label: expected.error.label, line: expected.error.line },
        });
        expect(document["error"]).toBe(`${key}_exceeded`);
      }
      outcomes.add(expected.ok);
    }
    expect([...outcomes].sort()).toEqual([false, true]);
  });
});

it("takes the limits of the cleanup of a cancelled run", async () => {
  const result = await wf(["run", "-", "--json", "--cleanup-calls=0", "--cleanup-ms=200"], { stdin: PROGRAM });
  expect(documentOf(result)["limits"]).toEqual({ ...RESOURCE_FLOOR, cleanup_calls: 0, cleanup_ms: 200 });
});
