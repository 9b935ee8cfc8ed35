/** The OpenAPI document of a program: what it holds, what it leaves out, and names that would break it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { openApiOf } from "../../../compiler/openapi/document.ts";
import "../../support/property-seed.ts";
import { irOf, lines } from "../compiling.ts";
import { type ApiDocument, expectOpenApi } from "./shape.ts";

const SHOP = irOf(
  lines(
    "S shop api /shop",
    "Ver 2.1",
    "D Order id:I total:F note:S? placed:D state:E[open,paid] lines:A[Line]",
    "D Line sku:S! count:I",
    'E /orders G ->L_list ->rows A[Order] "all orders"',
    "E /orders P ->L_add ->added I",
    "E /orders/{id} G ->L_one",
    "# frame: state: E[open,paid], page: map, tags: A[text], order: Order, id: integer, unread",
    "L_list:",
    '  R db.F Order {"state": state, "p": page, "t": tags} ->rows',
    "  J rows",
    "L_add:",
    "  R db.C Order order ->added",
    "  J added",
    "L_one:",
    '  R db.F Order {"id": id} ->row',
    "  J row",
  ),
);

/** A program of one label and what is given. */
function programOf(
  endpoints: readonly (readonly [method: string, path: string])[],
  declared: readonly string[][] = [],
): Ir {
  const base = irOf(lines("# frame: a, b: text", "L1:", '  J {"a": a, "b": b}'));
  return {
    ...base,
    endpoints: endpoints.map(([method, path], at) => {
      return { method, path, label: "1", returns: null, type: null, description: null, line: at + 1 };
    }),
    declarations: [...base.declarations, ...declared.map(([op = "", ...slots]) => ({ op, slots, line: 1 }))],
  };
}

function documentOf(ir: Ir): ApiDocument {
  const api = openApiOf(ir);
  // As it is read by others.
  const document: ApiDocument = JSON.parse(JSON.stringify(api?.document));
  expectOpenApi(document);
  return document;
}

const leftOut = (ir: Ir): readonly string[] => openApiOf(ir)?.leftOut.map(({ reason }) => reason) ?? [];

describe("the OpenAPI document of a program", () => {
  it("has a path for each endpoint, inputs where their methods have them, and types", () => {
    const order = { $ref: "#/components/schemas/Order" };
    const json = (schema: object) => ({ "application/json": { schema } });
    const failed = {
      description: "The program was refused, or failed",
      content: json({ $ref: "#/components/schemas/Error" }),
    };
    expect(documentOf(SHOP)).toEqual({
      openapi: "3.1.0",
      info: { title: "shop", version: "2.1", "x-weft-checksum": SHOP.checksum },
      servers: [{ url: "/shop" }],
      paths: {
        "/orders": {
          get: {
            operationId: "get_orders",
            summary: "all orders",
            parameters: [
              { name: "state", in: "query", schema: { enum: ["open", "paid"] } },
              { name: "page", in: "query", content: json({ type: "object" }) },
              { name: "tags", in: "query", schema: { type: "array", items: { type: "string" } } },
            ],
            responses: {
              200: { description: "The value of rows", content: json({ type: "array", items: order }) },
              default: failed,
            },
            "x-weft-label": "L_list",
          },
          post: {
            operationId: "post_orders",
            requestBody: { content: json({ type: "object", properties: { order } }) },
            responses: {
              200: { description: "The value of added", content: json({ type: "integer" }) },
              default: failed,
            },
            "x-weft-label": "L_add",
          },
        },
        "/orders/{id}": {
          get: {
            operationId: "get_orders_id_",
            parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
            responses: { 200: { description: "What the label ends with", content: json({}) }, default: failed },
            "x-weft-label": "L_one",
          },
        },
      },
      components: {
        schemas: {
          Order: {
            type: "object",
            properties: {
              id: { type: "integer" },
              total: { type: "number" },
              note: { anyOf: [{ type: "string" }, { type: "null" }] },
              placed: { type: "string", format: "date" },
              state: { enum: ["open", "paid"] },
              lines: { type: "array", items: { $ref: "#/components/schemas/Line" } },
            },
            required: ["id", "total", "placed", "state", "lines"],
          },
          Line: {
            type: "object",
            properties: { sku: { type: "string" }, count: { type: "integer" } },
            required: ["sku", "count"],
          },
          Error: expect.objectContaining({ required: ["ok", "error", "message"] }),
        },
      },
    });
  });

  it("is the same text for the same program", () => {
    expect(JSON.stringify(openApiOf(structuredClone(SHOP)))).toBe(JSON.stringify(openApiOf(SHOP)));
  });

  it("of a program without endpoints has no paths, and a name of its own", () => {
    expect(documentOf(irOf("L1:\n  J 1\n"))).toMatchObject({
      info: { title: "Weft program", version: "0.0.0" },
      paths: {},
    });
  });

  it.each([
    ["/a b", "/a%20b"],
    ["orders", "/orders"],
    ["", "/"],
    ["/a?b=1#c", "/a%3Fb=1%23c"],
    ["/é/%41/%zz", "/%C3%A9/%41/%25zz"],
    ["/{id}", "/{id}"],
    ["/{id}/x/{id}", "/{id}/x/%7Bid%7D"],
    ["/{}/{a/b}/}{", "/%7B%7D/%7Ba/b%7D/%7D%7B"],
    ["/{a?}/{a#}", "/%7Ba%3F%7D/%7Ba%23%7D"],
    ["/{{id}}", "/%7B{id}%7D"],
    ["/{__proto__}", "/{__proto__}"],
    ["/\ud800", "/%EF%BF%BD"],
  ])("the path %j is %s", (written, path) => {
    expect(Object.keys(documentOf(programOf([["GET", written]])).paths)).toEqual([path]);
  });

  it.each([
    ["/shop/", [{ url: "/shop" }]],
    ["shop", [{ url: "/shop" }]],
    ["https://example.com/a{b}/", [{ url: "https://example.com/a%7Bb%7D" }]],
    ["///", undefined],
    ["noop", undefined],
  ])("the base %j is %j", (base, servers) => {
    expect(documentOf(programOf([], [["S", "x", "api", base]])).servers).toEqual(servers);
  });

  it("takes the base path of the last declaration of the first service, never of its schedule", () => {
    const declared = [
      ["S", "x", "api", "/one"],
      ["S", "other", "api", "/no"],
      ["S", "x", "web", "/two"],
      ["S", "x", "cron", "@daily"],
    ];
    expect(documentOf(programOf([], declared)).servers).toEqual([{ url: "/two" }]);
  });

  it("leaves out what OpenAPI has no place for, and says so", () => {
    const ir = programOf([
      ["GET", "/a/{x}"],
      ["PURGE", "/a"],
      ["__PROTO__", "/a"],
      ["GET", "a/{y}"],
      ["PUT", "/a/{y}"],
    ]);
    expect(leftOut(ir)).toEqual([
      "OpenAPI 3.1 knows no method PURGE",
      "OpenAPI 3.1 knows no method __PROTO__",
      "GET a/{y} is GET /a/{x}, which was declared before",
    ]);
    expect(Object.entries(documentOf(ir).paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ["/a/{x}", ["get", "put"]],
    ]);
  });

  it("an input that the path names is not a second parameter", () => {
    const { paths } = documentOf(
      programOf([
        ["GET", "/{x}"],
        ["DELETE", "/{a}"],
      ]),
    );
    const named = Object.values(paths["/{x}"] ?? {}).map(({ parameters }) =>
      parameters?.map((one) => `${one.in} ${one.name}`),
    );
    expect(named).toEqual([
      ["path x", "query a", "query b"],
      ["path x", "query b"],
    ]);
  });

  it("names of types are data", () => {
    const ir = programOf(
      [["GET", "/"]],
      [
        ["D", "__proto__", "__proto__:I", "constructor:__proto__", "toString:nothing"],
        ["D", "Error", "a:I"],
        ["D", "Ä", "a:Ä"],
        ["D", "Ö", "a:A[Ö?]"],
        ["D", "I", "a:S"],
        ["D", "Error", "a:S", "b:S", "noColon", ":I"],
      ],
    );
    const { schemas } = documentOf(ir).components;
    expect(Object.keys(schemas)).toEqual(["__proto__", "Error", "_", "__2", "I", "Error_2"]);
    expect(Object.entries(schemas)[0]?.[1]).toEqual(
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"integer"},"constructor":{"$ref":"#/components/schemas/__proto__"},"toString":{}},"required":["__proto__","constructor","toString"]}',
      ),
    );
    expect(schemas["Error"]).toEqual({
      type: "object",
      properties: { a: { type: "integer" }, b: { type: "string" } },
      required: ["a", "b"],
    });
    expect(schemas["__2"]).toMatchObject({
      title: "Ö",
      properties: { a: { type: "array", items: { anyOf: [{ $ref: "#/components/schemas/__2" }, { type: "null" }] } } },
    });
  });

  it("types nested too deeply are any value", () => {
    const deep = `${"A[".repeat(5000)}I${"]".repeat(5000)}`;
    const text = JSON.stringify(
      documentOf(programOf([["GET", "/"]], [["D", "T", `a:${deep}`]])).components.schemas["T"],
    );
    expect(text.match(/"array"/g)).toHaveLength(64);
  });

  it("is refused when it would be too long", () => {
    const many = Array.from({ length: 3000 }, (_, at): [string, string] => ["POST", `/${at}`]);
    const wide = irOf(
      `# frame: ${Array.from({ length: 300 }, (_, at) => `v${at}`).join(", ")}\nL1:\n  J [${Array.from({ length: 300 }, (_, at) => `v${at}`).join(", ")}]\n`,
    );
    expect(openApiOf({ ...wide, endpoints: programOf(many).endpoints })).toBeNull();
    expect(openApiOf({ ...wide, endpoints: programOf(many.slice(0, 100)).endpoints })).not.toBeNull();
  });

  it("is a document of OpenAPI whatever the names are", { timeout: 120_000 }, () => {
    const part = fc.oneof(
      fc.constantFrom(
        "/",
        "{",
        "}",
        "{a}",
        "{b}",
        "a",
        "%",
        "?",
        "__proto__",
        "é",
        "\ud800",
        " ",
        "I",
        "A[",
        "]",
        "?",
        "!",
      ),
      fc.string({ maxLength: 3 }),
    );
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(""));
    const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "HEAD", "PURGE", "");
    const field = fc.tuple(text, text).map(([name, type]) => `${name}:${type}`);
    const declared = fc.tuple(fc.constantFrom("D", "S", "frame", "Ver"), text, fc.array(field, { maxLength: 3 }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(method, text), { maxLength: 6 }),
        fc.array(declared, { maxLength: 5 }),
        (endpoints, declarations) => {
          documentOf(
            programOf(
              endpoints,
              declarations.map(([op, name, rest]) => [op, name, ...rest]),
            ),
          );
        },
      ),
      { numRuns: 150 },
    );
  });
});
