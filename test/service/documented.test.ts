/** docs/http.md names exactly what there is: error codes with their status, endpoints, variables. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SERVICE_VARIABLES } from "../../service/config.ts";
import { ERRORS, type ErrorCode, errorRow } from "../../service/wire/errors.ts";
import { type Serving, serving } from "./serving.ts";

const PAGE = readFileSync(new URL("../../docs/http.md", import.meta.url), "utf8");

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service.stop());

describe("docs/http.md", () => {
  it("lists every error code with its status, and no other", () => {
    const listed = [...PAGE.matchAll(/^\| (\d{3}) \| `([a-z_]+)`/gm)].map(([, status, code]) => `${code} ${status}`);
    const codes = Object.keys(ERRORS) as ErrorCode[];
    expect(listed).toEqual(codes.map((code) => `${code} ${errorRow(code).status}`));
  });

  it("lists every endpoint", async () => {
    for (const { method, path } of (await service.call("GET", "/")).body.endpoints)
      expect(PAGE).toContain(`\`${method} ${path}\``);
  });

  it("names every variable of the service except those of jobs", () => {
    const jobs = /^WF_(QUEUE|RESULT_TTL|RESULT_MAX$|MAX_WAITERS|JOBS)/;
    for (const name of SERVICE_VARIABLES.filter((one) => !jobs.test(one))) expect(PAGE).toContain(`\`${name}\``);
  });
});
