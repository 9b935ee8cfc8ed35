/** WF_PUBLIC_PORT: a second listener that has only what programs offer to the public (E-7). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../jobs/serving-jobs.ts";
import { exchange } from "../serving.ts";

let service: JobServing;
let port = 0;
beforeAll(async () => {
  service = await servingJobs({ variables: { WF_PUBLIC_PORT: "0" } });
  port = (await service.app.publicListener?.listen("127.0.0.1", 0)) ?? 0;
  await exchange(service.port, "PUT", "/programs/greeter", { code: 'E /hello G ->L1\nL1:\n  J "hello"\n' });
});
afterAll(() => service.stop());

describe("a public listener (E-7)", () => {
  it.each([
    ["/app/greeter/hello", 200, 404],
    ["/app/greeter/openapi.json", 200, 404],
    ["/app/nosuch/x", 404, 404],
    ["/health", 200, 200],
    ["/", 404, 200],
    ["/ready", 404, 200],
    ["/programs", 404, 200],
    ["/openapi.json", 404, 200],
    ["/jobs", 404, 200],
    ["/%61pp/greeter/hello", 200, 404],
    ["/app/../programs", 404, 404],
  ])("and the first one share nothing but /health: %s", async (path, onPublic, onFirst) => {
    expect((await exchange(port, "GET", path)).status).toBe(onPublic);
    expect((await exchange(service.port, "GET", path)).status).toBe(onFirst);
  });

  it("runs nothing that a caller brings along", async () => {
    expect((await exchange(port, "POST", "/run", { code: "L1:\n  J 1\n" })).status).toBe(404);
    expect((await exchange(port, "PUT", "/programs/x", { code: "L1:\n  J 1\n" })).status).toBe(404);
  });
});
