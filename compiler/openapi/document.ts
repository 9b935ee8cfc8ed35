/**
 * The OpenAPI 3.1 document of a program, read from its IR: a path for each endpoint, record types as schemas, the inputs that a label can
 * read as body or query. A service that answers the endpoints takes their inputs from here too (`ServedApi`), so that its document says
 * what happens.
 */
import { type IrIndex, indexIr, reachableLabels } from "../ir/analysis.ts";
import { type DeclaredInput, inputsByRun, readDeclaredInputs, requiredInputs, takesAll } from "../ir/frame-inputs.ts";
import type { Ir, IrEndpoint } from "../ir/graph.ts";
import { labelName, programDescription } from "../ir/references.ts";
import { type Json, type JsonObject, setMember } from "../json.ts";
import { type PathTemplate, pathTemplate, serverUrl } from "./paths.ts";
import { readTypes, type Schema, type Types, uniqueNames } from "./types.ts";

/** An endpoint that the document cannot hold. */
type LeftOut = { readonly endpoint: IrEndpoint; readonly reason: string };
export type ProgramApi = {
  readonly document: JsonObject;
  readonly leftOut: readonly LeftOut[];
  /** Names of the inputs that each endpoint of the document takes. */
  readonly inputs: ReadonlyMap<IrEndpoint, readonly string[]>;
};

/** How a service answers the endpoints: inputs may also stand in the query where there is a body. */
export type ServedApi = {
  /** Where the paths begin. */
  readonly base: string;
  /** Inputs that the service sets itself. */
  readonly reserved: ReadonlySet<string>;
  /** The input that is the body where that is not an object. */
  readonly wholeBody: string;
  /** The endpoint takes any members, whatever its label declares. */
  takesAny(endpoint: IrEndpoint): boolean;
  /** Types of bodies that an endpoint takes, JSON first. */
  bodyTypesOf(endpoint: IrEndpoint): readonly string[];
  /** Statuses and shapes of answers besides those of the program. */
  responsesOf(endpoint: IrEndpoint): JsonObject;
};

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
const MAX_WORK = 20_000_000;
const MEMBER_WORK = 100;

/** What services without a path of their own have in its place. */
const NO_BASE = "noop";

type Inputs = ReadonlyMap<string, DeclaredInput>;
type PathItem = { readonly template: PathTemplate; readonly operations: { [method: string]: Json } };

/** null: endpoints, labels and inputs are too many together. */
export function openApiOf(ir: Ir, served: ServedApi | null = null): ProgramApi | null {
  const types = readTypes(ir.declarations);
  const inputs = byName(readDeclaredInputs(ir));
  const ofRun = inputsByRun(ir);
  const index = indexIr(ir);
  const namesFor = createInputNames(index, inputs, (label) =>
    ir.labels[label]?.python === undefined ? null : ofRun(label),
  );
  const operationId = uniqueNames();
  const items = new Map<string, PathItem>();
  const leftOut: LeftOut[] = [];
  const taken = new Map<IrEndpoint, readonly string[]>();
  for (const endpoint of ir.endpoints) {
    const method = endpoint.method.toLowerCase();
    const template = pathTemplate(endpoint.path);
    const item = items.get(template.shape) ?? { template, operations: {} };
    const reason = reasonAgainst(endpoint, item);
    if (reason !== null) {
      leftOut.push({ endpoint, reason });
      continue;
    }
    const all = namesFor(endpoint.label);
    if (all === null) return null;
    const isAny = served?.takesAny(endpoint) === true;
    const names = served === null ? all : isAny ? [] : all.filter((name) => !served.reserved.has(name));
    taken.set(endpoint, names);
    items.set(template.shape, item);
    setMember(item.operations, method, {
      operationId: operationId(`${method}_${item.template.path}`.replace(/[^A-Za-z0-9]+/g, "_")),
      ...described(endpoint.description),
      ...requestOf(endpoint, {
        names,
        required: requiredInputs(ofRun(endpoint.label), index.nodesOf(endpoint.label)),
        isOpen: isAny || takesAll(ir, endpoint.label),
        own: template.parameters,
        shown: item.template.parameters,
        inputs: byName(ofRun(endpoint.label)),
        types,
        served,
      }),
      responses: Object.assign(responsesOf(endpoint, types), served?.responsesOf(endpoint)),
      "x-weft-label": labelName(ir, endpoint.label),
    });
  }
  const paths: { [path: string]: Json } = {};
  for (const { template, operations } of items.values()) setMember(paths, template.path, operations);
  const servers = served === null ? {} : { servers: [{ url: served.base }] };
  const document = { ...headOf(ir), ...servers, paths, components: { schemas: types.components } };
  return { document, leftOut, inputs: taken };
}

/** A first line says what an endpoint is; a longer text stands besides. */
function described(description: string | null): JsonObject {
  if (description === null) return {};
  const [summary = ""] = description.split("\n", 1);
  return summary === description ? { summary } : { summary, description };
}

function byName(inputs: readonly DeclaredInput[]): Inputs {
  return new Map(inputs.map((input) => [input.name, input]));
}

function reasonAgainst({ method, path }: IrEndpoint, { template, operations }: PathItem): string | null {
  if (!METHODS.has(method)) return `OpenAPI 3.1 knows no method ${method}`;
  if (!Object.hasOwn(operations, method.toLowerCase())) return null;
  return `${method} ${path} is ${method} ${template.path}, which was declared before`;
}

/** The first `S` names the program; a later one of the same name has the last word on its base path. */
function headOf(ir: Ir): JsonObject {
  const { declarations, checksum } = ir;
  const description = programDescription(ir);
  const services = declarations.filter(({ op }) => op === "S");
  const name = services[0]?.slots[0];
  const based = services.findLast(({ slots }) => slots[0] === name && slots[1] !== "cron");
  const written = based?.slots[2];
  const base = written === undefined || written === NO_BASE ? null : serverUrl(written);
  const version = declarations.find(({ op }) => op === "Ver")?.slots[0];
  return {
    openapi: "3.1.0",
    info: {
      title: name ?? "Weft program",
      ...(description === null ? {} : { description }),
      version: version ?? "0.0.0",
      "x-weft-checksum": checksum,
    },
    ...(base === null ? {} : { servers: [{ url: base }] }),
  };
}

/**
 * The inputs that a run of a label can read, in the order of their declarations; null when it was all too much. `ownOf`: those of a function that takes its
 * own and no others.
 */
function createInputNames(
  index: IrIndex,
  inputs: Inputs,
  ownOf: (label: string) => readonly DeclaredInput[] | null,
): (label: string) => readonly string[] | null {
  const declared = [...inputs.values()];
  const read = inputsOfLabels(index, inputs);
  const order = new Map([...inputs.keys()].map((name, at) => [name, at]));
  const known = new Map<string, readonly string[]>();
  let work = 0;
  return (label) => {
    let names = known.get(label);
    const own = names === undefined ? ownOf(label) : null;
    if (own !== null) {
      names = own.map(({ name }) => name);
      known.set(label, names);
    } else if (names === undefined) {
      const found = new Set<string>();
      for (const name of requiredInputs(declared, index.nodesOf(label))) found.add(name);
      for (const reached of reachableLabels(index, [label])) {
        const own = read.get(reached) ?? [];
        work += 1 + own.length;
        for (const name of own) found.add(name);
      }
      names = [...found].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
      known.set(label, names);
    }
    work += MEMBER_WORK * (1 + names.length);
    for (const name of names) work += name.length + (inputs.get(name)?.types.join().length ?? 0);
    return work > MAX_WORK ? null : names;
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
  readonly required: ReadonlySet<string>;
  /** Other members are inputs as well. */
  readonly isOpen: boolean;
  /** Names in the braces of the path, as the endpoint spells it and as the document shows it. */
  readonly own: readonly string[];
  readonly shown: readonly string[];
  readonly inputs: Inputs;
  readonly types: Types;
  readonly served: ServedApi | null;
};

/** Inputs are in the body where requests have one, else in the query; those that the path names are in the path. */
function requestOf(
  endpoint: IrEndpoint,
  { names, required, isOpen, own, shown, inputs, types, served }: Asked,
): JsonObject {
  const schemaOf = (name: string): Schema => inputSchema(inputs.get(name), types);
  const parameters: Json[] = shown.map((name, at) => {
    const written = own[at] ?? name;
    const schema = inputs.has(written) ? schemaOf(written) : { type: "string" };
    return { name, in: "path", required: true, schema };
  });
  const inPath = new Set(own);
  const others = names.filter((name) => !inPath.has(name));
  const inBody = METHODS.get(endpoint.method) === true;
  if (!inBody || served !== null)
    for (const name of others) {
      const parameter = queryParameter(name, schemaOf(name));
      parameters.push(required.has(name) && !inBody ? { ...parameter, required: true } : parameter);
    }
  const properties: { [name: string]: Json } = {};
  for (const name of others) setMember(properties, name, schemaOf(name));
  const needed = others.filter((name) => required.has(name));
  const members = {
    type: "object",
    properties,
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(isOpen ? { additionalProperties: true } : {}),
  };
  const whole = served !== null && others.includes(served.wholeBody) ? schemaOf(served.wholeBody) : null;
  const isAlone = others.length === 1;
  const schema = whole === null ? members : isAlone ? whole : { anyOf: [members, whole] };
  const bodyTypes = served?.bodyTypesOf(endpoint) ?? ["application/json"];
  // A form is an object, also where JSON may be anything.
  const content = Object.fromEntries(bodyTypes.map((type, at) => [type, { schema: at === 0 ? schema : members }]));
  const body = { ...(needed.length === 0 ? {} : { required: true }), content };
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(inBody && (others.length > 0 || isOpen) ? { requestBody: body } : {}),
  };
}

/** Of several types that declarations give an input, each is accepted. */
export function inputSchema(input: DeclaredInput | undefined, types: Types): Schema {
  const schemas = (input?.types ?? []).map((type) => types.schemaOf(type));
  const [first] = schemas;
  if (first === undefined) return {};
  return schemas.length === 1 ? first : { anyOf: schemas };
}

/** In a query, values that are not plain words are JSON; a list of anything is a list of words. */
function queryParameter(name: string, schema: Schema): JsonObject {
  const isList = schema["type"] === "array";
  const item = isList ? ((schema["items"] ?? {}) as Schema) : schema;
  const plain = isPlain(item) || (isList && Object.keys(item).length === 0);
  return { name, in: "query", ...(plain ? { schema } : { content: { "application/json": { schema } } }) };
}

function isPlain({ type, enum: words, anyOf: types }: Schema): boolean {
  if (Array.isArray(types)) return types.every((one) => isPlain(one as Schema));
  return words !== undefined || (typeof type === "string" && type !== "array" && type !== "object");
}

function responsesOf({ returns, type }: IrEndpoint, { schemaOf, failure }: Types): { [status: string]: Json } {
  const content = (schema: Schema): Json => ({ "application/json": { schema } });
  return {
    200: {
      description: returns === null ? "What the label ends with" : `The value of ${returns}`,
      content: content(type === null ? {} : schemaOf(type)),
    },
    default: { description: "The program was refused, or failed", content: content(failure) },
  };
}
