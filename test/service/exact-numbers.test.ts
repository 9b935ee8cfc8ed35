/** Whole numbers beyond 2^53 in requests: a warning at every door, a refusal under `strict: true`, and other requests under a key. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "./jobs/serving-jobs.ts";
import { exchange } from "./serving.ts";

const BIG = "9007199254740993";
const CODE = JSON.stringify("L1:\n  J n\n");
const said = (at: string, n = BIG): string =>
  `number_precision: ${at}: ${n} is beyond 2^53 and becomes ${Number(n)}; give it as text to keep its digits`;
const json = { "content-type": "application/json" };

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs();
});
afterAll(() => service.stop());

/** A body as text: `JSON.stringify` has lost the digits already. */
const post = (path: string, text: string, headers = {}) =>
  service.call("POST", path, Buffer.from(text), { ...json, ...headers });

describe("a whole number beyond 2^53", () => {
  it("is warned about by /run, with its place", async () => {
    const { status, body } = await post("/run", `{"code":${CODE},"frame":{"n":[1,${BIG}]}}`);
    expect([status, body.out, body.warnings]).toEqual([200, [1, 9007199254740992], [said("/frame/n/1")]]);
    expect((await post("/run", `{"code":${CODE},"frame":{"n":9007199254740992}}`)).body.warnings).toEqual([]);
    expect((await post("/run", `{"code":${CODE},"frame":{"n":"${BIG}"}}`)).body.warnings).toEqual([]);
  });

  it("is warned about by /enqueue, in the answer and in the result", async () => {
    const { body } = await post("/enqueue", `{"code":${CODE},"frame":{"n":${BIG}}}`);
    expect(body.warnings).toEqual([said("/frame/n")]);
    expect((await service.over(body.job_id)).body.result.warnings).toEqual([said("/frame/n")]);
    const many = await post("/enqueue", `{"code":${CODE},"frames":[{"n":1},{"n":${BIG}}]}`);
    expect(many.body.warnings).toEqual([said("/frames/1/n")]);
  });

  it("is warned about by /batch, for a document in its answer and for a line with its frame", async () => {
    const document = await post("/batch", `{"code":${CODE},"frames":[{"n":1},{"n":${BIG}}]}`);
    expect(document.body.warnings).toEqual([said("/frames/1/n")]);
    const lines = `{"code":${CODE},"order":"input"}\n{"n":1}\n{"n":${BIG}}\n`;
    const { text } = await post("/batch", lines, { "content-type": "application/x-ndjson" });
    const [first, second, summary] = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([first.warnings, second.out, second.warnings]).toEqual([undefined, 9007199254740992, [said("/n")]]);
    expect(summary).toMatchObject({ ok: true, count: 2 });
  });

  it.each([
    ["/run", `"frame":{"n":${BIG}}`, "/frame/n"],
    ["/enqueue", `"frame":{"n":${BIG}}`, "/frame/n"],
    ["/enqueue", `"frames":[{"n":${BIG}}]`, "/frames/0/n"],
    ["/batch", `"frames":[{"n":${BIG}}]`, "/frames/0/n"],
  ])("is refused by %s with strict: true and %s", async (path, frames, at) => {
    const { status, body } = await post(path, `{"code":${CODE},"strict":true,${frames}}`);
    expect([status, body.error]).toEqual([400, "invalid_request"]);
    expect(body.issues).toEqual([{ path: at, code: "number_precision", message: said(at).slice(20 + at.length) }]);
  });

  it("fails its line alone in a batch of lines with strict: true", async () => {
    const lines = `{"code":${CODE},"order":"input","strict":true}\n{"n":${BIG}}\n{"n":1}\n`;
    const { text } = await post("/batch", lines, { "content-type": "application/x-ndjson" });
    const [first, second] = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(first).toMatchObject({ ok: false, error: "invalid_request", message: said("/n") });
    expect(second).toMatchObject({ ok: true, out: 1 });
  });

  it("makes a different request under an Idempotency-Key, unless the text is equal", async () => {
    const key = { "idempotency-key": "big" };
    const of = (n: string) => post("/run", `{"code":${CODE},"frame":{"n":${n}}}`, key);
    const first = await of(BIG);
    expect((await of(BIG)).headers["idempotent-replayed"]).toBe("true");
    expect((await of(BIG)).text).toBe(first.text);
    for (const n of ["9007199254740992", "9007199254740992.5", "9.007199254740992e15"])
      expect((await of(n)).body.error).toBe("idempotency_key_reused");
    const reordered = await post("/run", ` {"frame": {"n": ${BIG}}, "code": ${CODE}}`, key);
    expect(reordered.headers["idempotent-replayed"]).toBe("true");
  });

  it("makes a different request of an endpoint, in a list and next to its query", async () => {
    const code = "# frame: body: any\n# frame: n: any\nE /list P ->L1\nE /item P ->L2\nL1:\n  J body\nL2:\n  J n\n";
    await service.call("PUT", "/programs/exact", { code });
    const of = async (path: string, text: string) =>
      (
        await exchange(service.port, "POST", `/app/exact${path}`, text, {
          ...json,
          "idempotency-key": path.slice(0, 5),
        })
      ).body;
    expect(await of("/list", `[${BIG}]`)).toEqual([9007199254740992]);
    expect((await of("/list", "[9007199254740992]")).error).toBe("idempotency_key_reused");
    expect(await of("/item?n=1", `{"x": ${BIG}}`)).toBe("1");
    expect((await of("/item?n=2", `{"x": ${BIG}}`)).error).toBe("idempotency_key_reused");
  });
});
