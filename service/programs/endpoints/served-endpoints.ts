/** The endpoints of a deployment with their settings, as they are served, or what keeps them from being served. */
import type { Ir, IrEndpoint } from "../../../compiler/ir/graph.ts";
import { flowIn } from "../../jobs/flow/members.ts";
import type { RequestIssue } from "../../wire/errors.ts";
import type { DeploymentSettings } from "../deployment-settings.ts";
import { challengeFault } from "./challenges.ts";
import { corsFault } from "./cors.ts";
import { Endpoint, type EndpointSettings } from "./endpoint-settings.ts";
import { readTemplate, type Segment } from "./path-template.ts";
import { templateFault } from "./verify/settings.ts";

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
  const shapes: string[] = [];
  for (const endpoint of ir.endpoints) {
    const { method, path } = endpoint;
    const read = readTemplate(path);
    const found = (code: string, message: string): void => {
      issues.push(issueOf(endpoint, code, message));
    };
    for (const key of [path, `${method} ${path}`]) if (Object.hasOwn(settings, key)) used.add(key);
    if (!read.ok) {
      found("path_template", read.message);
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
    const shape = `${method} ${read.segments.map((one) => ("literal" in one ? encodeURIComponent(one.literal) : "{}")).join("/")}`;
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
    const [rule] = Object.keys(flowIn(own));
    if (rule !== undefined && own.mode !== "job") found("flow", `${rule} is about jobs: it needs mode "job"`);
    const template = own.verify === undefined ? null : templateFault(own.verify, own.dedupe !== undefined);
    if (template !== null) found(...template);
    const cors = own.cors === undefined ? null : corsFault(own.cors);
    if (cors !== null) found("cors", cors);
    if (own.files === true && own.verify === undefined && own.body !== "form")
      found("files", 'files come in forms, which are read with verify or body "form"');
    endpoints.push({ endpoint, segments: read.segments, settings: own });
    shapes.push(shape);
  }
  for (const [at, { endpoint, settings: own }] of endpoints.entries()) {
    const fault = challengeFault(endpoint.method, own, taken.has((shapes[at] ?? "").replace(/^\S+/, "GET")));
    if (fault !== null) issues.push(issueOf(endpoint, "challenge", fault));
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

function issueOf({ line, method, path }: IrEndpoint, code: string, message: string): RequestIssue {
  return { path: "", code, message: `line ${line}: endpoint ${method} ${path}: ${message}` };
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
