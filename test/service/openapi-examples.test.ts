/** The examples of the OpenAPI document: every body has some, they are what their schemas say, requests run, and answers look like real ones. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs, temporaryFolder } from "./jobs/serving-jobs.ts";

type Schema = {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
};
type Content = Readonly<Record<string, { readonly schema: Schema }>>;
type Operation = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
type Body = { readonly where: string; readonly schema: Schema; readonly pointer: string };

let service: JobServing;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let document: Document;
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await servingJobs({ stateDir: folder.path, variables: { WF_DEPLOY: "on" } });
  document = (await service.call("GET", "/openapi.json")).body;
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const escaped = (part: string): string => part.replaceAll("~", "~0").replaceAll("/", "~1");

function bodies(): readonly Body[] {
  const found: Body[] = [];
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { requestBody, responses }] of Object.entries(operations)) {
      const add = (content: Content, where: readonly string[]): void => {
        for (const [type, { schema }] of Object.entries(content)) {
          const pointer = ["paths", path, method, ...where, "content", type, "schema"].map(escaped).join("/");
          found.push({ where: `${method} ${path} ${where.join(" ")} ${type}`, schema, pointer });
        }
      };
      if (requestBody !== undefined) add(requestBody.content, ["requestBody"]);
      for (const [status, { content = {} }] of Object.entries(responses)) add(content, ["responses", status]);
    }
  }
  return found;
}

/** Examples of a schema, or of every schema that it may be. */
function examplesOf({ $ref, anyOf, examples = [] }: Schema): readonly (readonly unknown[])[] {
  if ($ref !== undefined) return examplesOf(document.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {});
  return anyOf === undefined ? [examples] : anyOf.flatMap(examplesOf);
}

function requestOf(operationId: string): readonly object[] {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const content = operations.find((one) => one.operationId === operationId)?.requestBody?.content;
  return examplesOf(content?.["application/json"]?.schema ?? {}).flat() as object[];
}

function answerOf(name: string): object {
  return (document.components.schemas[name]?.examples?.[0] ?? {}) as object;
}

describe("the OpenAPI document", () => {
  it("has examples of every body, and they are valid", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    ajv.addSchema({ $id: "api", ...document } as object);
    const all = bodies();
    expect(all.length).toBeGreaterThan(100);
    const checked = new Set<string>();
    for (const { where, schema, pointer } of all) {
      const examples = examplesOf(schema);
      expect(
        examples.every((some) => some.length > 0),
        where,
      ).toBe(true);
      const once = JSON.stringify(schema);
      if (checked.has(once)) continue;
      checked.add(once);
      const check = ajv.compile({ $ref: `api#/${pointer}` });
      for (const example of examples.flat()) expect(check(example) ? [] : check.errors, where).toEqual([]);
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const check = ajv.compile({ $ref: `api#/components/schemas/${name}` });
      for (const example of schema.examples ?? []) expect(check(example) ? [] : check.errors, name).toEqual([]);
    }
  });

  it("has requests that are taken, and answers with the members of real ones", async () => {
    const sent = async (path: string, operation: string, status: number) => {
      const requests = requestOf(operation);
      expect(requests.length).toBeGreaterThan(0);
      const replies = [];
      for (const request of requests) replies.push(await service.call("POST", path, request));
      expect(replies.map((reply) => reply.status)).toEqual(requests.map(() => status));
      return replies[0]?.body;
    };
    const alike = (real: object, name: string): void => {
      expect(Object.keys(answerOf(name)), name).toEqual(Object.keys(real));
    };
    const run = await sent("/run", "run", 200);
    expect(run.out).toBe(42);
    alike(run, "RunSuccess");
    const batch = await sent("/batch", "batch", 200);
    alike(batch, "BatchAnswer");
    alike(batch.results[0], "BatchLine");
    const accepted = await sent("/enqueue", "enqueue", 202);
    alike(accepted, "JobAccepted");
    alike((await service.over(accepted.job_id)).body, "Job");
    alike((await service.call("GET", `/result/${accepted.job_id}?summary=1`)).body.summary, "ResultSummary");
    alike((await service.call("GET", "/jobs")).body, "JobList");
    alike((await service.call("DELETE", `/result/${accepted.job_id}`)).body, "JobChanged");
    alike((await service.call("GET", "/metrics")).body, "Metrics");
    const capabilities = (await service.call("GET", "/capabilities")).body;
    alike(capabilities, "Capabilities");
    const [[name, entry] = []] = Object.entries((answerOf("Capabilities") as typeof capabilities).adapters);
    expect(entry).toMatchObject({ ...capabilities.adapters[String(name)], settings: expect.anything() });
    const code = 'L1:\n  R ext.Fail "no" ->x\n  J x\n';
    expect((await service.call("PUT", "/programs/fails", { code })).status).toBeLessThan(300);
    const failed = await service.queued({ program: "fails", record_calls: true });
    await service.over(failed);
    await sent(`/result/${failed}/retry`, "retryJob", 202);
  });
});
