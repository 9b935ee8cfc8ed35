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

export async function registerOpenApi(app: ServiceApp): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Weft runner service",
        version: RUNTIME_VERSION,
        description: "Compiles, checks and runs deterministic workflows",
      },
      security: [],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
    convertConstToEnum: false,
  });
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
