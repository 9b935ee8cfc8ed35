/**
 * The OpenAPI 3.1 document of a program, read from its IR: a path for each endpoint, record types as schemas, the inputs that a label can
 * read as body or query. It says what the declarations say; that somebody serves the endpoints is not for it to know.
 */
import { writtenLabel } from "../../grammar/written-label.ts";
import { type IrIndex, indexIr, reachableLabels } from "../ir/analysis.ts";
import type { Ir, IrDeclaration, IrEndpoint } from "../ir/graph.ts";
import { type Json, type JsonObject, setMember } from "../json.ts";
import { type PathTemplate, pathTemplate, serverUrl } from "./paths.ts";
import { readTypes, type Schema, type Types, uniqueNames } from "./types.ts";

/** An endpoint that the document cannot hold. */
type LeftOut = { readonly endpoint: IrEndpoint; readonly reason: string };
export type ProgramApi = { readonly document: JsonObject; readonly leftOut: readonly LeftOut[] };

/** Methods of a path, and whether requests have a body there. */
const METHODS: ReadonlyMap<string, boolean> = new Map([
  ["GET", false],
  ["PUT", true],
  ["POST", true],
  ["DELETE", false],
  ["OPTIONS", false],
  ["HEAD", false],
  ["PATCH", true],
  ["TRACE", false],
]);
/** Labels that are looked at, and characters of what is written, over all endpoints. */
const MOST_WORK = 20_000_000;
const MEMBER_WORK = 100;

/** What services without a path of their own have in its place, those of the indented form too. */
const NO_BASE = "noop";

type Inputs = ReadonlyMap<string, string>;
type PathItem = { readonly template: PathTemplate; readonly operations: { [method: string]: Json } };

/** null: endpoints, labels and inputs are too many together. */
export function openApiOf(ir: Ir): ProgramApi | null {
  const types = readTypes(ir.declarations);
  const inputs = declaredInputs(ir.declarations);
  const namesFor = createInputNames(ir, inputs);
  const operationId = uniqueNames();
  const items = new Map<string, PathItem>();
  const leftOut: LeftOut[] = [];
  for (const endpoint of ir.endpoints) {
    const method = endpoint.method.toLowerCase();
    const template = pathTemplate(endpoint.path);
    const item = items.get(template.shape) ?? { template, operations: {} };
    const reason = reasonAgainst(endpoint, item);
    if (reason !== null) {
      leftOut.push({ endpoint, reason });
      continue;
    }
    const names = namesFor(endpoint.label);
    if (names === null) return null;
    items.set(template.shape, item);
    setMember(item.operations, method, {
      operationId: operationId(`${method}_${item.template.path}`.replace(/[^A-Za-z0-9]+/g, "_")),
      ...(endpoint.description === null ? {} : { summary: endpoint.description }),
      ...requestOf(endpoint, { names, own: template.parameters, shown: item.template.parameters, inputs, types }),
      responses: responsesOf(endpoint, types),
      "x-weft-label": writtenLabel(endpoint.label),
    });
  }
  const paths: { [path: string]: Json } = {};
  for (const { template, operations } of items.values()) setMember(paths, template.path, operations);
  const document = { ...headOf(ir), paths, components: { schemas: types.components } };
  return { document, leftOut };
}

function reasonAgainst({ method, path }: IrEndpoint, { template, operations }: PathItem): string | null {
  if (!METHODS.has(method)) return `OpenAPI 3.1 knows no method ${method}`;
  if (!Object.hasOwn(operations, method.toLowerCase())) return null;
  return `${method} ${path} is ${method} ${template.path}, which was declared before`;
}

/** The first `S` names the program; a later one of the same name has the last word on its base path. */
function headOf({ declarations, checksum }: Ir): JsonObject {
  const services = declarations.filter(({ op }) => op === "S");
  const name = services[0]?.slots[0];
  const based = services.findLast(({ slots }) => slots[0] === name && slots[1] !== "cron");
  const written = based?.slots[2];
  const base = written === undefined || written === NO_BASE ? null : serverUrl(written);
  const version = declarations.find(({ op }) => op === "Ver")?.slots[0];
  return {
    openapi: "3.1.0",
    info: { title: name ?? "Weft program", version: version ?? "0.0.0", "x-weft-checksum": checksum },
    ...(base === null ? {} : { servers: [{ url: base }] }),
  };
}

/** The first declaration of an input gives its type. */
function declaredInputs(declarations: readonly IrDeclaration[]): Inputs {
  const inputs = new Map<string, string>();
  for (const { op, slots } of declarations) {
    const [name, type = "any"] = slots;
    if (op === "frame" && name !== undefined && !inputs.has(name)) inputs.set(name, type);
  }
  return inputs;
}

/** The inputs that a run of a label can read, in the order of their declarations; null when it was all too much. */
function createInputNames(ir: Ir, inputs: Inputs): (label: string) => readonly string[] | null {
  const index = indexIr(ir);
  const read = inputsOfLabels(index, inputs);
  const order = new Map([...inputs.keys()].map((name, at) => [name, at]));
  const known = new Map<string, readonly string[]>();
  let work = 0;
  return (label) => {
    let names = known.get(label);
    if (names === undefined) {
      const found = new Set<string>();
      for (const reached of reachableLabels(index, [label])) {
        const own = read.get(reached) ?? [];
        work += 1 + own.length;
        for (const name of own) found.add(name);
      }
      names = [...found].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
      known.set(label, names);
    }
    work += MEMBER_WORK * (1 + names.length);
    for (const name of names) work += name.length + (inputs.get(name)?.length ?? 0);
    return work > MOST_WORK ? null : names;
  };
}

function inputsOfLabels(index: IrIndex, inputs: Inputs): ReadonlyMap<string, readonly string[]> {
  return new Map(
    index.labelIds.map((id) => {
      const names = new Set<string>();
      for (const { reads } of index.nodesOf(id)) for (const name of reads) if (inputs.has(name)) names.add(name);
      return [id, [...names]];
    }),
  );
}

type Asked = {
  readonly names: readonly string[];
  /** Names in the braces of the path, as the endpoint spells it and as the document shows it. */
  readonly own: readonly string[];
  readonly shown: readonly string[];
  readonly inputs: Inputs;
  readonly types: Types;
};

/** Inputs are in the body where requests have one, else in the query; those that the path names are in the path. */
function requestOf({ method }: IrEndpoint, { names, own, shown, inputs, types }: Asked): JsonObject {
  const schemaOf = (name: string): Schema => types.schemaOf(inputs.get(name) ?? "any");
  const parameters: Json[] = shown.map((name, at) => {
    const written = own[at] ?? name;
    const schema = inputs.has(written) ? schemaOf(written) : { type: "string" };
    return { name, in: "path", required: true, schema };
  });
  const inPath = new Set(own);
  const others = names.filter((name) => !inPath.has(name));
  const inBody = METHODS.get(method) === true;
  if (!inBody) for (const name of others) parameters.push(queryParameter(name, schemaOf(name)));
  const properties: { [name: string]: Json } = {};
  for (const name of others) setMember(properties, name, schemaOf(name));
  const body = { content: { "application/json": { schema: { type: "object", properties } } } };
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(inBody && others.length > 0 ? { requestBody: body } : {}),
  };
}

/** What is no plain word in a query is JSON there. */
function queryParameter(name: string, schema: Schema): Json {
  const item = schema["type"] === "array" ? (schema["items"] as Schema) : schema;
  return { name, in: "query", ...(isPlain(item) ? { schema } : { content: { "application/json": { schema } } }) };
}

function isPlain({ type, enum: words }: Schema): boolean {
  return words !== undefined || (typeof type === "string" && type !== "array" && type !== "object");
}

function responsesOf({ returns, type }: IrEndpoint, { schemaOf, failure }: Types): Json {
  const content = (schema: Schema): Json => ({ "application/json": { schema } });
  return {
    200: {
      description: returns === null ? "What the label ends with" : `The value of ${returns}`,
      content: content(type === null ? {} : schemaOf(type)),
    },
    default: { description: "The program was refused, or failed", content: content(failure) },
  };
}
