/** The endpoints of a deployment with their settings, as they are served, or what keeps them from being served. */
import type { Ir, IrEndpoint } from "../../../compiler/ir/graph.ts";
import type { RequestIssue } from "../../wire/errors.ts";
import type { DeploymentSettings } from "../deployment-settings.ts";
import { Endpoint, type EndpointSettings } from "./endpoint-settings.ts";
import { readTemplate, type Segment } from "./path-template.ts";

export type ServedEndpoint = {
  readonly endpoint: IrEndpoint;
  readonly segments: readonly Segment[];
  readonly settings: EndpointSettings;
};

const METHODS: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const MAX_ISSUES = 100;
/** The document of the program is there. */
const RESERVED = "/openapi.json";

export function servedEndpoints(
  ir: Pick<Ir, "endpoints">,
  { endpoints: settings = {} }: Pick<DeploymentSettings, "endpoints">,
): { readonly endpoints: readonly ServedEndpoint[]; readonly issues: readonly RequestIssue[] } {
  const issues: RequestIssue[] = [];
  const endpoints: ServedEndpoint[] = [];
  const taken = new Map<string, IrEndpoint>();
  const used = new Set<string>();
  for (const endpoint of ir.endpoints) {
    const { method, path } = endpoint;
    const template = readTemplate(path);
    const found = (code: string, message: string): void => {
      issues.push({ path: "", code, message: `line ${endpoint.line}: endpoint ${method} ${path}: ${message}` });
    };
    for (const key of [path, `${method} ${path}`]) if (Object.hasOwn(settings, key)) used.add(key);
    if (!template.ok) {
      found("path_template", template.message);
      continue;
    }
    if (!METHODS.includes(method)) {
      found("method", `the service answers ${METHODS.join(", ")}`);
      continue;
    }
    if (path === RESERVED) {
      found("reserved_path", "the OpenAPI document of the program is at this path");
      continue;
    }
    const shape = `${method} ${template.segments.map((one) => ("literal" in one ? encodeURIComponent(one.literal) : "{}")).join("/")}`;
    const other = taken.get(shape);
    if (other !== undefined) {
      found("duplicate_endpoint", `the endpoint of line ${other.line} has the same path`);
      continue;
    }
    taken.set(shape, endpoint);
    const written = writtenSettings(endpoint);
    if ("fault" in written) {
      found("settings", written.fault);
      continue;
    }
    const own = { ...written.settings, ...settings[path], ...settings[`${method} ${path}`] };
    if (own.dedupe !== undefined && own.mode !== "job") found("dedupe", 'dedupe needs mode "job"');
    const { verify } = own;
    if (
      verify?.kind === "hmac" &&
      verify.signed?.includes("{timestamp}") === true &&
      verify.timestamp_header === undefined
    )
      found("timestamp_header", "signed has {timestamp}: name its header in timestamp_header");
    if (verify?.kind === "hmac" && verify.signed?.includes("{timestamp}") === false && own.dedupe === undefined)
      found("dedupe", "what is signed has no {timestamp}, so an old delivery could be sent again: set dedupe");
    endpoints.push({ endpoint, segments: template.segments, settings: own });
  }
  for (const key of Object.keys(settings)) {
    if (issues.length >= MAX_ISSUES) break;
    if (!used.has(key)) {
      const path = `/endpoints/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`.slice(0, 300);
      issues.push({ path, code: "unknown_endpoint", message: "the program declares no such endpoint" });
    }
  }
  return { endpoints, issues: issues.slice(0, MAX_ISSUES) };
}

/** What the program itself sets, by `@api`. */
function writtenSettings({
  settings,
}: IrEndpoint): { readonly settings: EndpointSettings } | { readonly fault: string } {
  if (settings === undefined) return { settings: {} };
  const read = Endpoint.safeParse(settings);
  if (read.success) return { settings: read.data };
  const [first] = read.error.issues;
  const place = (first?.path ?? []).map(String).join(".");
  return { fault: `${place === "" ? "its settings" : place}: ${first?.message ?? "not valid"}` };
}
