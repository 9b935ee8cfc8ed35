/** Values of Python programs at the doors of the service: `5.0`, long integers and the order of members come in and go out as they are written. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs, temporaryFolder } from "./jobs/serving-jobs.ts";

const EXACT = '{"10":5.0,"9":12345678901234567890123,"a":[1,-0.0,1e+16,2.5]}';
const HEAD = "# surface: python\n";
const ECHO = JSON.stringify(`${HEAD}def main(x):\n    return x\n`);
const PRINTS = JSON.stringify(`${HEAD}def main(x):\n    print('got', x)\n    return {}[x]\n`);
const OPCODE = JSON.stringify("L1:\n  J x\n");
const json = { "content-type": "application/json" };
const lines = { "content-type": "application/x-ndjson" };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let service: JobServing;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await servingJobs({ stateDir: folder.path });
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const post = (path: string, text: string, headers = {}) =>
  service.call("POST", path, Buffer.from(text), { ...json, ...headers });

describe("a value that says more as text", () => {
  it("passes /run as it is, without a warning about digits", async () => {
    const { text, body } = await post("/run", `{"code":${ECHO},"frame":{"x":${EXACT}}}`);
    expect(text).toContain(`"out":${EXACT},`);
    expect(body.warnings).toEqual([]);
    expect((await post("/run", `{"code":${ECHO},"strict":true,"frame":{"x":${EXACT}}}`)).text).toContain(EXACT);
    expect((await post("/run", `{"code":${ECHO},"frame":{"x":5.0}}`)).text).toContain('"out":5.0,');
  });

  it("is for an opcode program what it was before", async () => {
    const { text } = await post("/run", `{"code":${OPCODE},"frame":{"x":{"b":5.0,"10":1,"9":2}}}`);
    expect(text).toContain('"out":{"9":2,"10":1,"b":5},');
  });

  it("passes /batch, as a document and as lines, with warnings too", async () => {
    const document = await post("/batch", `{"code":${ECHO},"frames":[{"x":1},{"x":${EXACT}},{"x":5.0}]}`);
    expect(document.text).toContain(`"out":${EXACT},`);
    expect(document.text).toContain('"out":5.0,');
    const given = `{"code":${ECHO},"order":"input"}\n{"x":${EXACT}}\n{"x":5.0,"y":1}\n{"x":7}\n`;
    const { text } = await post("/batch", given, lines);
    const [first, second, third] = text.split("\n");
    expect(first).toContain(`"out":${EXACT},`);
    expect(second).toMatch(/"out":5\.0,.*"warnings":\["input_unknown/);
    expect(third).toContain('"out":7,');
  });

  it("passes a job, and many of them", async () => {
    const { body } = await post("/enqueue", `{"code":${ECHO},"frame":{"x":${EXACT}}}`);
    const over = await service.over(body.job_id);
    expect(over.text).toContain(`"out":${EXACT},`);
    const many = await post("/enqueue", `{"code":${ECHO},"frames":[{"x":1},{"x":5.0}]}`);
    expect((await service.over(many.body.job_ids[1])).text).toContain('"out":5.0,');
  });

  it("passes a durable job that is parked and continues", async () => {
    const code = JSON.stringify(
      `${HEAD}def main(x):\n    print('before')\n    timer.sleep(1)\n    print('after')\n    return [x, x]\n`,
    );
    const { body } = await post("/enqueue", `{"code":${code},"durable":true,"frame":{"x":${EXACT}}}`);
    const over = await service.over(body.job_id);
    expect(over.text).toContain(`"out":[${EXACT},${EXACT}],`);
    expect(over.body.result.printed).toBe("before\nafter\n");
  });
});

describe("what a program prints", () => {
  it("is in the answer of its run and never in the log", async () => {
    const { body } = await post("/run", `{"code":${PRINTS},"frame":{"x":"alice@example.com"}}`);
    expect(body).toMatchObject({
      ok: false,
      printed: "got alice@example.com\n",
      error_structured: { code: "RUNTIME_KEY_ERROR", exception: "KeyError", line: 4 },
    });
    const failed = await service.logged("run_failed", ({ trace_id }) => trace_id === body.trace_id);
    expect(failed["message"]).toMatch(/^KeyError at L?main, line 4$/);
    expect(service.lines.join("")).not.toContain("alice@example.com");
  });

  it("is left out of the rows of a batch", async () => {
    const code = JSON.stringify(`${HEAD}def main(x):\n    print(x)\n    return x\n`);
    expect((await post("/batch", `{"code":${code},"frames":[{"x":1}]}`)).text).not.toContain("printed");
  });
});
