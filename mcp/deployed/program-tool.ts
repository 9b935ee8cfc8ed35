/**
 * A deployed program as hosts see it: name, description, schemas and hints. What its author wrote becomes an instruction to another agent, so it
 * is cut and cleaned, and what the program reaches is said by us (docs/mcp.md, programs as tools).
 */
import type { AdapterCatalog } from "../../compiler/catalog.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { programDescription, resolveReference } from "../../compiler/ir/references.ts";
import type { Json, JsonObject } from "../../compiler/json.ts";
import { toolSchemas } from "../../compiler/openapi/tool.ts";
import { securityReport } from "../../compiler/policy/report.ts";
import type { ReportSummary } from "../../compiler/policy/report-shape.ts";
import type { ToolListing } from "../tool/sdk.ts";

/** A version, as the service has it. */
export type DeployedProgram = {
  readonly name: string;
  readonly version: number;
  readonly description: string | null;
  readonly ir: Ir;
  /** Entry label as written; undefined: that of the program. */
  readonly label: string | undefined;
  /** Inputs with a value of the deployment. */
  readonly defaults: readonly string[];
};

export type ProgramTool = {
  readonly program: string;
  readonly version: number;
  readonly listing: ToolListing;
  /** Its runs may wait for a time, a signal or people, so they are jobs. */
  readonly waits: boolean;
};

const PREFIX = "p_";
/** As hosts take names of tools. */
const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;
/** Characters that are not shown, or that turn the direction of what is; line ends become blanks. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu;
const RESERVED: ReadonlySet<string> = new Set(["_request", "_due_at", "_schedule"]);

export const toolNameOf = (program: string): string => `${PREFIX}${program}`;

/** Null for a name that hosts would not take. */
export function programTool(of: DeployedProgram, catalog: AdapterCatalog): ProgramTool | null {
  const { name, version, ir, defaults } = of;
  if (toolNameOf(name).length > MAX_NAME) return null;
  const { summary } = securityReport(ir, catalog);
  const label = of.label === undefined ? ir.entry : resolveReference(of.label, (id) => Object.hasOwn(ir.labels, id));
  const { input, result } = toolSchemas(ir, label, { defaults: new Set(defaults), reserved: RESERVED });
  const isReadOnly = summary.effect_tiers.every((tier) => tier !== "io-write") && !summary.destructive;
  const annotations = {
    title: name,
    readOnlyHint: isReadOnly,
    destructiveHint: summary.destructive,
    idempotentHint: isReadOnly,
    openWorldHint: summary.network_facing,
  };
  return {
    program: name,
    version,
    waits: summary.waits.length > 0 || summary.unknown.some(({ what }) => what === "waits"),
    listing: {
      name: toolNameOf(name),
      title: name,
      description: descriptionOf(of, summary),
      inputSchema: input,
      outputSchema: outputSchema(result),
      annotations,
    },
  };
}

/** What the author says, then what it reaches. */
function descriptionOf({ name, version, description, ir }: DeployedProgram, summary: ReportSummary): string {
  const adapters = Object.keys(summary.adapters).filter((one) => one !== "core");
  const hosts = summary.egress.dynamic ? [...summary.egress.hosts, "hosts that it computes"] : summary.egress.hosts;
  const reached = [...adapters, ...hosts].slice(0, 20).map(clean).join(", ");
  const facts = `Program ${name}, version ${version}; reaches ${reached === "" ? "nothing outside" : reached}.`;
  const said = clean(description ?? programDescription(ir) ?? "");
  const room = MAX_DESCRIPTION - facts.length - 1;
  const text = said.length > room ? `${said.slice(0, Math.max(0, room - 1)).trimEnd()}…` : said;
  return text === "" ? facts.slice(0, MAX_DESCRIPTION) : `${text} ${facts}`;
}

function clean(text: string): string {
  return text.replace(HIDDEN, " ").replace(/ {2,}/g, " ").trim();
}

/** Of successes and failures alike: only `ok` is always there. */
function outputSchema(result: JsonObject): { readonly [member: string]: unknown } {
  const { $defs, ...out } = result as { readonly $defs?: Json };
  const text = { type: "string" };
  return {
    type: "object",
    properties: {
      ok: { type: "boolean" },
      out,
      error: text,
      message: text,
      job_id: text,
      state: text,
      waits_for: { type: "array", items: { type: "object", properties: {} } },
    },
    required: ["ok"],
    ...($defs === undefined ? {} : { $defs }),
  };
}
