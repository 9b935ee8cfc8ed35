/** Failed calls: each that the opcode form can handle is an AdapterError, and one that nothing catches fails a run as it does in the opcode form. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../compiler/catalog/builtin.ts";
import { compile } from "../../compiler/compile.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { JsonObject } from "../../compiler/json.ts";
import { AdapterError } from "../../vm/errors/failures.ts";
import { type Answering, run } from "./support/effects-world.ts";

const unused: Answering = () => null;
const FAILURES: readonly (readonly [string, Answering])[] = [
  [
    "an adapter reported it",
    () => {
      throw new AdapterError("ADAPTER_HTTP_STATUS", "HTTP 503", {
        retryable: true,
        retryAfterMs: 1500,
        data: { status: 503, body: "later" },
      });
    },
  ],
  [
    "an adapter reported it later",
    async () => {
      throw new AdapterError("ADAPTER_NOT_ALLOWED", "not this one", { retryable: false });
    },
  ],
  [
    "an adapter crashed",
    () => {
      throw new Error("secret");
    },
  ],
  [
    "an adapter crashed later",
    async () => {
      throw new Error("secret");
    },
  ],
];

/** Of a program in the opcode form. */
function opcode(source: string): Ir {
  return compile(source, { catalog: builtinCatalog }).ir as Ir;
}

async function failed(source: string | Ir, answer: Answering, asked: JsonObject = {}) {
  const ended = await run(source, answer, asked);
  if (ended.ok) throw new Error("the run did not fail");
  return ended.error;
}

describe("a failed function of core", () => {
  const CAUGHT = `
def main(text):
    try:
        return core.PARSE(text)
    except AdapterError as error:
        return [error.code, error.adapter, error.verb, error.retryable, error.status, error.details, str(error)]
`;

  it("is an AdapterError with the code of the failure", async () => {
    expect(await run(CAUGHT, unused, { frame: { text: "{oops" } })).toMatchObject({
      ok: true,
      out: ["RUNTIME_OP_ERROR", "core", "PARSE", true, null, null, expect.any(String)],
    });
  });

  it("is one where the text is so long that it is read in pieces", async () => {
    const text = `[${"1,".repeat(400_000)}`;
    expect(await run(CAUGHT, unused, { frame: { text } })).toMatchObject({
      ok: true,
      out: ["RUNTIME_OP_ERROR", "core", "PARSE", true, null, null, expect.any(String)],
    });
  });

  it("is repeated, as its failure may be", async () => {
    const source = `
tries = []


def main():
    try:
        with retry(2):
            tries.append(1)
            core.PARSE("{oops")
    except RuntimeError:
        return len(tries)
`;
    expect(await run(source, unused)).toMatchObject({ ok: true, out: 3 });
  });

  it("gives the same when its record answers", async () => {
    const asked = { frame: { text: "{oops" } };
    const first = await run(CAUGHT, unused, { ...asked, record: true });
    const again = await run(CAUGHT, unused, { ...asked, replay: first.record as never });
    expect(again).toMatchObject({ ok: true, out: first.ok && first.out });
  });

  it("fails a run that does not catch it as in the opcode form", async () => {
    const python = await failed('def main():\n    return core.PARSE("{oops")\n', unused);
    const same = await failed(opcode('L1:\n  R core.PARSE "{oops" ->x\n  J x\n'), unused);
    expect(python).toMatchObject({ code: "RUNTIME_OP_ERROR", exception: "AdapterError" });
    expect([python.code, python.data]).toEqual([same.code, { ...same.data, exception: "AdapterError" }]);
  });
});

describe("a failed call of an adapter that nothing catches", () => {
  it.each(FAILURES)("fails the run as in the opcode form: %s", async (_title, answer) => {
    const python = await failed('def main():\n    return http.Get("u")\n', answer);
    const same = await failed(opcode('L1:\n  R http.Get "u" ->x\n  J x\n'), answer);
    expect(python).toMatchObject({ message: `AdapterError: ${same.message}`, exception: "AdapterError" });
    expect([python.code, python.data]).toEqual([same.code, { ...same.data, exception: "AdapterError" }]);
  });

  it("does so from a branch, from a handler and when raised again", async () => {
    const [, [, refused]] = FAILURES as never as [unknown, [string, Answering]];
    for (const source of [
      'def one(u):\n    return http.Get(u)\n\n\ndef main():\n    return parallel(one, ["u"])\n',
      'def main():\n    try:\n        return {}["a"]\n    except KeyError:\n        return http.Get("u")\n',
      'def main():\n    try:\n        return http.Get("u")\n    except AdapterError as error:\n        raise error\n',
    ])
      expect(await failed(source, refused)).toMatchObject({
        code: "RUNTIME_ADAPTER_ERROR",
        data: { adapter_code: "ADAPTER_NOT_ALLOWED", adapter: "http", retryable: false, exception: "AdapterError" },
      });
  });

  it("does so where the program itself found that an answer says so", async () => {
    const source = 'def main():\n    http.Get("u", accept_status="any").raise_for_status()\n';
    const { code, data } = await failed(source, () => ({ status: 503, headers: {}, body: "" }));
    expect([code, data]).toMatchObject([
      "RUNTIME_ADAPTER_ERROR",
      { adapter_code: "ADAPTER_HTTP_STATUS", retryable: true, details: { status: 503 } },
    ]);
  });
});
