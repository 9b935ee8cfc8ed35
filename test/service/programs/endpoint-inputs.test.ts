/** How requests become the inputs of an endpoint: lists, the types of each endpoint, whole bodies, and HEAD. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Services } from "../../../service/services.ts";
import { logRefusal } from "../../../service/telemetry/log-refusal.ts";
import { ServiceFault } from "../../../service/wire/errors.ts";
import { type JobServing, servingJobs } from "../jobs/serving-jobs.ts";
import { exchange } from "../serving.ts";

const PROGRAMS = {
  list: `@api("/find", method="GET")
def main(tags: list):
    return {"tags": tags}
`,
  typ: `from typing import Literal

@api("/f", method="GET")
def main(
    tags: list[str] | None = None,
    nums: list[float] | None = None,
    flags: list[bool] | None = None,
    kind: Literal["a", "b"] | None = None,
    n: int | None = None,
):
    return {"tags": tags, "nums": nums, "flags": flags, "kind": kind, "n": n}
`,
  two: `@api("/a/{id}", method="GET")
def a(id: str):
    return {"id": id}

@api("/b", method="POST")
def b(id: float):
    return {"id": id}

@api("/c", method="POST")
def c(id):
    return {"id": id}
`,
  file: '# frame: id: number\nE /a P ->L1 ->data\nL1:\n  Set data {"id": id}\n  J data\n',
  body: `@api("/hook", method="POST")
def main(body=None):
    return body

@api("/named/{id}", method="POST")
def named(id: str, body):
    return {"id": id, "body": body}

@api("/mail", method="POST")
def mail(body, to=None):
    return {"to": to, "body": body}
`,
};

let service: JobServing;
beforeAll(async () => {
  service = await servingJobs({});
  for (const [name, code] of Object.entries(PROGRAMS)) {
    const { status, text } = await service.call("PUT", `/programs/${name}`, { code });
    if (status !== 201) throw new Error(text);
  }
});
afterAll(() => service.stop());

const app = (method: string, path: string, body?: unknown) => exchange(service.port, method, `/app/${path}`, body);

describe("a list in the query", () => {
  const none = { tags: null, nums: null, flags: null, kind: null, n: null };
  it.each([
    ["list/find?tags=a", { tags: ["a"] }],
    ["list/find?tags=a&tags=b", { tags: ["a", "b"] }],
    ["list/find?tags=%5B1%2C2%5D", { tags: [1, 2] }],
    ["list/find?tags=", { tags: [""] }],
    ["typ/f?tags=a", { ...none, tags: ["a"] }],
    ["typ/f?tags=1&tags=2", { ...none, tags: ["1", "2"] }],
    ["typ/f?nums=1", { ...none, nums: [1] }],
    ["typ/f?nums=1&nums=2", { ...none, nums: [1, 2] }],
    ["typ/f?flags=true&flags=false&kind=b&n=3", { ...none, flags: [true, false], kind: "b", n: 3 }],
  ])("%s", async (path, out) => {
    const { status, body } = await app("GET", path);
    expect([status, body]).toEqual([200, out]);
  });

  it.each(["typ/f?nums=x", "typ/f?nums=1&nums=x", "typ/f?flags=1", "typ/f?n=1.5"])("%s is refused", async (path) => {
    expect((await app("GET", path)).body).toMatchObject({ error: "input_invalid" });
  });

  it("is a repeated parameter in the document", async () => {
    const { paths } = (await app("GET", "list/openapi.json")).body;
    const [parameter] = paths["/find"].get.parameters;
    expect(parameter).toMatchObject({ name: "tags", in: "query", schema: { type: "array" } });
  });
});

describe("inputs that an endpoint does not take", () => {
  it("are not failed runs: callers cannot raise the alert of failing runs", async () => {
    const before = (await service.call("GET", "/metrics")).body;
    for (const n of ["x", "1.5", "true"])
      expect((await app("GET", `typ/f?n=${n}`)).body).toMatchObject({ error: "input_invalid" });
    expect((await app("GET", "typ/f?n=3")).status).toBe(200);
    const after = (await service.call("GET", "/metrics")).body;
    expect([after.runs_total - before.runs_total, after.failures_total - before.failures_total]).toEqual([1, 0]);
    expect(after.failures_by_error.input_invalid).toBeUndefined();
  });

  it("are a failed run in a job, whose program was changed since it was queued", () => {
    const counted: string[] = [];
    const metrics = { runRefused: (error: string) => counted.push(error) };
    const services = { metrics, clock: { now: () => 0 }, events: { runFailed: () => {} } } as unknown as Services;
    const fault = new ServiceFault("input_invalid", "input /n: expected number, found text");
    logRefusal(services, { trace_id: "t" }, 0, fault);
    logRefusal(services, { trace_id: "t", job_id: "j" }, 0, fault);
    expect(counted).toEqual(["input_invalid"]);
  });
});

describe("the types of an input", () => {
  it.each([
    ["GET", "two/a/5", undefined, "5"],
    ["POST", "two/b", { id: 5 }, 5],
    ["POST", "two/c", { id: 5 }, 5],
    ["POST", "two/c", { id: "x" }, "x"],
    ["POST", "two/c?id=5", undefined, "5"],
    ["POST", "two/b?id=5", undefined, 5],
  ])("%s %s %j: are those of its endpoint", async (method, path, given, id) => {
    const { status, body } = await app(method, path, given);
    expect([status, body]).toEqual([200, { id }]);
  });

  it.each([
    ["two/b", { id: "5" }],
    ["file/a", { id: "5" }],
  ])("%s %j: are enforced, those of the whole file too", async (path, given) => {
    expect((await app("POST", path, given)).body).toMatchObject({ error: "input_invalid" });
  });

  it("are in the document of each endpoint", async () => {
    const { paths } = (await app("GET", "two/openapi.json")).body;
    const typeOf = (path: string) => paths[path].post.requestBody.content["application/json"].schema.properties.id.type;
    expect(paths["/a/{id}"].get.parameters[0].schema.type).toBe("string");
    expect([typeOf("/b"), typeOf("/c")]).toEqual(["number", undefined]);
  });
});

describe("the input body", () => {
  it.each([
    ["is an object as a whole where nothing else is asked for", "body/hook", { a: 1 }, { a: 1 }],
    ["is an object with a member of its name as a whole, too", "body/hook", { body: 1 }, { body: 1 }],
    ["is whole where the path fills the other inputs", "body/named/7", { a: 1 }, { id: "7", body: { a: 1 } }],
    ["is whole where the query fills the other inputs", "body/mail?to=x", { body: 1 }, { to: "x", body: { body: 1 } }],
    ["is a member where other members are asked for", "body/mail", { to: "x", body: "y" }, { to: "x", body: "y" }],
    ["is null without a body", "body/hook", undefined, null],
  ])("%s", async (_what, path, given, out) => {
    const { status, body } = await app("POST", path, given);
    expect([status, body]).toEqual([200, out]);
  });

  it("is whole where the settings of the endpoint say so", async () => {
    const code = PROGRAMS.body;
    await service.call("PUT", "/programs/whole", { code, endpoints: { "/mail": { body: "whole" } } });
    expect((await app("POST", "whole/mail", { to: "x", body: "y" })).body).toEqual({
      to: null,
      body: { to: "x", body: "y" },
    });
  });
});

describe("HEAD", () => {
  it.each(["list/find?tags=a", "list/openapi.json"])("of %s is what GET is, without the body", async (path) => {
    const [head, get] = [await app("HEAD", path), await app("GET", path)];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["content-type", "content-length"]) expect(head.headers[name]).toBe(get.headers[name]);
  });

  it("is refused without a GET, and named next to one", async () => {
    expect((await app("HEAD", "body/hook")).status).toBe(405);
    expect((await app("DELETE", "list/find")).headers["allow"]).toBe("GET, HEAD");
    expect((await app("DELETE", "body/hook")).headers["allow"]).toBe("POST");
  });
});
