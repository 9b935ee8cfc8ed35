/** `/openapi.json`: OpenAPI 3.1 from the schemas of the routes, and from nothing else. */
import swagger from "@fastify/swagger";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { RUNTIME_VERSION } from "../../vm/version.ts";
import { ANSWER_HEADERS, answerHeaders } from "../schemas/answer-headers.ts";
import type { ServiceApp } from "./service-app.ts";

export type OpenApiDocument = {
  readonly openapi: string;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, object>>;
    readonly headers?: Readonly<Record<string, object>>;
  };
  readonly [member: string]: unknown;
};

/** Gives the operations whose body may be left out, as they are registered later. */
export async function registerOpenApi(app: ServiceApp): Promise<ReadonlySet<string>> {
  const optionalBodies = new Set<string>();
  app.addHook("onRoute", ({ config, schema }) => {
    if (config?.bodyOptional === true && schema?.operationId !== undefined) optionalBodies.add(schema.operationId);
  });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Weft runner service",
        version: RUNTIME_VERSION,
        description:
          "Compiles, checks and runs deterministic workflows. A parameter of the query that an operation does not name is refused (400 invalid_request), except where operations only read and have none",
      },
      security: [],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
    convertConstToEnum: false,
  });
  return optionalBodies;
}

type Operation = {
  readonly operationId?: string;
  readonly requestBody?: object;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses?: Readonly<Record<string, object>>;
};
type Paths = { readonly [path: string]: { readonly [method: string]: Operation } };

function mapped(document: OpenApiDocument, change: (operation: Operation) => Operation): OpenApiDocument {
  const paths = Object.entries(document["paths"] as Paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, change(operation)])),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** The generator requires every body. */
export function withOptionalBodies(document: OpenApiDocument, operations: ReadonlySet<string>): OpenApiDocument {
  return mapped(document, (operation) =>
    operation.requestBody !== undefined && operations.has(operation.operationId ?? "")
      ? { ...operation, requestBody: { ...operation.requestBody, required: false } }
      : operation,
  );
}

/** The generator knows no headers of answers that have several media types. */
export function withAnswerHeaders(document: OpenApiDocument): OpenApiDocument {
  const headed = mapped(document, (operation) => {
    const takes = (operation.parameters ?? []).filter((one) => one.in === "header").map(({ name }) => name);
    const responses = Object.entries(operation.responses ?? {}).map(([status, response]) => {
      const names = answerHeaders(Number(status), takes);
      const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
      return [status, { ...response, headers }];
    });
    return { ...operation, responses: Object.fromEntries(responses) };
  });
  return { ...headed, components: { ...headed.components, headers: ANSWER_HEADERS } };
}

/** Every component twice, for requests and for answers: of each pair only what is referred to is kept, under the plain name. */
export function tidied(document: OpenApiDocument): OpenApiDocument {
  const all = document.components?.schemas ?? {};
  let text = JSON.stringify({ ...document, components: { ...document.components, schemas: {} } });
  const used = new Set<string>();
  const walk = (from: string): void => {
    for (const [, name = ""] of from.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name) || !Object.hasOwn(all, name)) continue;
      used.add(name);
      walk(JSON.stringify(all[name]));
    }
  };
  walk(text);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  let components = JSON.stringify(schemas);
  for (const name of Object.keys(schemas)) {
    const plain = name.replace(/Input$/, "");
    if (plain === name) continue;
    // One that is the same both ways stays one: whether the generator makes two of it depends on what was loaded before.
    const differs = Object.hasOwn(schemas, plain) && JSON.stringify(schemas[plain]) !== JSON.stringify(schemas[name]);
    if (differs) continue;
    const rename = (given: string): string =>
      given
        .replaceAll(`"#/components/schemas/${name}"`, `"#/components/schemas/${plain}"`)
        .replaceAll(`"${name}":`, `"${plain}":`);
    text = rename(text);
    components = rename(components);
  }
  const whole: OpenApiDocument = JSON.parse(text);
  // By name: the generator's order is the one in which modules happened to be loaded.
  const named = Object.entries<object>(JSON.parse(components)).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...whole, components: { ...whole.components, schemas: Object.fromEntries(named) } };
}
