/**
 * The endpoints of a deployed version, ready to answer: which one a path leads to, the inputs that each takes, and the OpenAPI document. All
 * three come from one reading of the program (`compiler/openapi/document.ts`), so that what the document says is what happens.
 */
import { takesAll } from "../../../compiler/ir/frame-inputs.ts";
import type { IrEndpoint } from "../../../compiler/ir/graph.ts";
import type { JsonObject } from "../../../compiler/json.ts";
import { openApiOf, type ServedApi } from "../../../compiler/openapi/document.ts";
import { isGathered } from "../../jobs/flow/gathered.ts";
import type { DeploymentSettings } from "../deployment-settings.ts";
import type { LoadedProgram } from "../loaded-programs.ts";
import { EndpointTable } from "./endpoint-table.ts";
import { type ServedEndpoint, servedEndpoints } from "./served-endpoints.ts";

/** The request itself, for programs that declare it. */
export const REQUEST_INPUT = "_request";
/** The input that a body goes to which is not an object. */
export const BODY_INPUT = "body";
const JSON_BODY = "application/json";
const FORM_BODIES = ["application/x-www-form-urlencoded", "multipart/form-data"];
const RESERVED: ReadonlySet<string> = new Set([REQUEST_INPUT, "_due_at", "_schedule"]);

export type ReadyEndpoint = ServedEndpoint & {
  /** Declared inputs that a run of the label can read, without those that the service sets. */
  readonly inputs: ReadonlySet<string>;
  /** The program takes every other member as well. */
  readonly isOpen: boolean;
  /** What is sent becomes an item of a list (`batch`). */
  readonly isGathered: boolean;
};
export type ServedProgram = { readonly table: EndpointTable<ReadyEndpoint>; readonly document: JsonObject };

const known = new WeakMap<LoadedProgram, ServedProgram>();

/** Made once for a version that is kept. */
export function servedProgram(program: LoadedProgram): ServedProgram {
  const made = known.get(program);
  if (made !== undefined) return made;
  const { name, ir, settings } = program;
  const { endpoints } = servedEndpoints(ir, settings);
  const lists = gatheredIn(ir, settings, endpoints);
  const api = openApiOf(ir, servedApi(name, endpoints, lists));
  const ready = endpoints.map((one) => ({
    ...one,
    inputs: new Set(api?.inputs.get(one.endpoint) ?? []),
    isOpen: takesAll(ir, one.endpoint.label) || lists.has(one.endpoint),
    isGathered: lists.has(one.endpoint),
  }));
  const served = { table: new EndpointTable(ready), document: api?.document ?? {} };
  known.set(program, served);
  return served;
}

/** Whether all endpoints fit into a document. */
export function hasDocument(name: string, ir: LoadedProgram["ir"], settings: DeploymentSettings): boolean {
  const { endpoints } = servedEndpoints(ir, settings);
  return openApiOf(ir, servedApi(name, endpoints, gatheredIn(ir, settings, endpoints))) !== null;
}

/** Endpoints whose jobs take lists of what is sent. */
function gatheredIn(
  ir: LoadedProgram["ir"],
  deployed: DeploymentSettings,
  endpoints: readonly ServedEndpoint[],
): ReadonlySet<IrEndpoint> {
  const lists = endpoints.filter(
    ({ endpoint: { label }, settings }) =>
      settings.mode === "job" && isGathered({ prepared: { ir }, entry: label }, [deployed, settings]),
  );
  return new Set(lists.map(({ endpoint }) => endpoint));
}

function servedApi(name: string, endpoints: readonly ServedEndpoint[], lists: ReadonlySet<IrEndpoint>): ServedApi {
  const settings = new Map<IrEndpoint, ServedEndpoint["settings"]>(
    endpoints.map((one) => [one.endpoint, one.settings]),
  );
  return {
    base: `/app/${name}`,
    reserved: RESERVED,
    wholeBody: BODY_INPUT,
    takesAny: (endpoint) => lists.has(endpoint),
    bodyTypesOf(endpoint) {
      const { verify, body } = settings.get(endpoint) ?? {};
      return [JSON_BODY, ...(verify !== undefined || body === "form" ? FORM_BODIES : [])];
    },
    responsesOf(endpoint) {
      const { mode, verify, dedupe } = settings.get(endpoint) ?? {};
      if (mode !== "job") return verify === undefined ? {} : { 401: described("The signature is not valid") };
      return {
        200: described(dedupe === undefined ? "Answers 202" : "The delivery was taken before; its job"),
        202: described("The job that runs the label"),
        ...(verify === undefined ? {} : { 401: described("The signature is not valid") }),
      };
    },
  };
}

function described(description: string): JsonObject {
  return { description, content: { "application/json": { schema: { type: "object" } } } };
}
