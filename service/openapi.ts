/** `/openapi.json`: OpenAPI 3.1 from the schemas of the routes, and from nothing else. */
import swagger from "@fastify/swagger";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { RUNTIME_VERSION } from "../vm/version.ts";
import type { ServiceApp } from "./app.ts";

export type OpenApiDocument = {
  readonly openapi: string;
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> };
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

type Operation = { readonly operationId?: string; readonly requestBody?: object };
type Paths = { readonly [path: string]: { readonly [method: string]: Operation } };

/** The generator requires every body. */
export function withOptionalBodies(document: OpenApiDocument, operations: ReadonlySet<string>): OpenApiDocument {
  const relaxed = ([method, operation]: [string, Operation]): [string, Operation] =>
    operation.requestBody !== undefined && operations.has(operation.operationId ?? "")
      ? [method, { ...operation, requestBody: { ...operation.requestBody, required: false } }]
      : [method, operation];
  const paths = Object.entries(document["paths"] as Paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(relaxed)),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Every component twice, for requests and for answers: of each pair only what is referred to is kept, under the plain name. */
export function tidied(document: OpenApiDocument): OpenApiDocument {
  const schemas = { ...document.components?.schemas };
  let text = JSON.stringify({ ...document, components: { ...document.components, schemas: {} } });
  const refers = (name: string): boolean => {
    const mark = `"#/components/schemas/${name}"`;
    return (
      text.includes(mark) ||
      Object.entries(schemas).some(([other, one]) => other !== name && JSON.stringify(one).includes(mark))
    );
  };
  for (let dropped = true; dropped; ) {
    const unused = Object.keys(schemas).filter((name) => !refers(name));
    for (const name of unused) delete schemas[name];
    dropped = unused.length > 0;
  }
  let components = JSON.stringify(schemas);
  for (const name of Object.keys(schemas)) {
    const plain = name.replace(/Input$/, "");
    if (plain === name || Object.hasOwn(schemas, plain)) continue;
    const rename = (given: string): string =>
      given
        .replaceAll(`"#/components/schemas/${name}"`, `"#/components/schemas/${plain}"`)
        .replaceAll(`"${name}":`, `"${plain}":`);
    text = rename(text);
    components = rename(components);
  }
  const whole: OpenApiDocument = JSON.parse(text);
  return { ...whole, components: { ...whole.components, schemas: JSON.parse(components) } };
}
