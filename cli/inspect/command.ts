/** `wf inspect FILE`: labels, endpoints, adapters, inputs and bounds of a program. */

import { hasSourceLines } from "../../compiler/diagram/label-names.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import { labelName } from "../../compiler/ir/references.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { isStrict, modeFlag } from "../commands/flags/compile-mode.ts";
import { includeRootsFor } from "../commands/flags/include-roots.ts";
import { listOf } from "../grant/limit-flags.ts";
import { boundText, loopsText, mostText, placesText, unknownLines, waitsText } from "../output/static-bounds.ts";
import { stepNames } from "../output/step-names.ts";
import { visible } from "../output/terminal/columns.ts";
import { jsonIndented } from "../output/terminal/json.ts";
import { table } from "../output/terminal/table.ts";
import { labelId } from "../run/labels.ts";
import { loadProgram } from "../run/load-program.ts";
import { EXIT } from "../session/faults.ts";
import type { Screen } from "../session/screen.ts";
import type { Session } from "../session/session.ts";
import { inspectProgram, type LabelFacts, type ProgramFacts } from "./inspect-program.ts";

export class InspectCommand extends WeftCommand {
  static override paths = [["inspect"]];
  static override usage = Command.Usage({
    description: "Show the structure of a program and what a run of it can cost.",
    details: "FILE",
    examples: [
      ["a program", "wf inspect hello.wf"],
      ["one function in detail", "wf inspect hello.wf --label main"],
      ["its IR", "wf inspect hello.wf --ir"],
    ],
  });
  static override readonly notes = [
    "It shows the entry, adapters and inputs; the minimum and maximum number of steps, adapter calls and nested labels of a run; the maximum of each loop; the hosts, files, tables, tools and environment names that the program may use; the checksum; and every label with its exits, reach and bounds. What is known only at run time is listed with its line and the reason; in JSON it is `unknown`.",
  ];
  static override readonly pages = ["policy.md#what-is-known-before-a-run", "ir.md"];

  file = Option.String({ required: false });
  strict = modeFlag("strict", "strict");
  loose = modeFlag("loose", "strict");
  ir = Option.Boolean("--ir", false, { description: "print the IR" });
  label = Option.String("--label", { description: "<NAME> show one label in detail" });
  input = Option.Array("--input", { description: "<NAME> variable that the frame will contain (repeatable)" });
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });

  async execute(): Promise<number> {
    const session = this.session();
    const { ir, input } = await loadProgram(session, this.file, {
      strict: isStrict(this, "strict"),
      inputs: listOf(this.input),
      includeRoots: includeRootsFor(session, this.file, this.includeRoot),
    });
    if (this.ir) {
      session.screen.out(`${jsonIndented(ir)}\n`);
      return EXIT.success;
    }
    const facts = inspectProgram(ir, session.host.catalog);
    if (this.label !== undefined) return this.showLabel(session, ir, facts, this.label);
    if (this.json) session.screen.document({ ...facts, path: input.name });
    else session.screen.out(humanFacts(facts, ir, session.screen));
    return EXIT.success;
  }

  private showLabel(session: Session, ir: Ir, facts: ProgramFacts, label: string): number {
    const id = labelId(session, ir, label);
    const nodes = ir.nodes.filter((node) => node.label === id);
    const of = facts.labels.find((candidate) => candidate.label === labelName(ir, id));
    if (this.json) {
      session.screen.document({
        ok: true,
        label: of ?? null,
        nodes,
        edges: ir.edges.filter((edge) => edge.label === id),
      });
      return EXIT.success;
    }
    const rows = nodes.map((node) => [
      node.id,
      node.op,
      node.line === undefined ? "" : `line ${node.line}`,
      node.effect_tier,
      node.reads.length === 0 ? "" : `reads ${node.reads.join(" ")}`,
      node.writes.length === 0 ? "" : `writes ${node.writes.join(" ")}`,
    ]);
    const { screen } = session;
    screen.out(
      `${screen.paint.hint(visible(labelName(ir, id)))}  ${of === undefined ? "" : costOf(of)}\n${indented(table(rows, screen.tableWidth - 2))}`,
    );
    return EXIT.success;
  }
}

function costOf(facts: LabelFacts): string {
  const cost = `steps ${boundText(facts.min_steps, facts.max_steps)}, calls ${boundText(facts.min_adapter_calls, facts.max_adapter_calls)}`;
  return facts.reason === null ? cost : `${cost}: ${visible(facts.reason)}`;
}

function humanFacts(facts: ProgramFacts, ir: Ir, screen: Screen): string {
  const names = stepNames(ir);
  const isPython = hasSourceLines(ir);
  const { paint } = screen;
  const sections = [
    ["entry", facts.entry === null ? "none" : visible(facts.entry)],
    ["adapters", facts.adapters.length === 0 ? "none" : visible(facts.adapters.join(" "))],
    [
      "inputs",
      facts.inputs.length === 0
        ? "none"
        : visible(
            facts.inputs
              .map(
                ({ name, type, annotation = type, required }) =>
                  `${name}${required === true ? "!" : ""}: ${annotation}`,
              )
              .join(", "),
          ),
    ],
  ];
  if (facts.bounds !== null) {
    const reason = facts.labels.find(({ label }) => label === facts.entry)?.reason ?? null;
    sections.push([
      "steps",
      `${boundText(facts.bounds.min_steps, facts.bounds.max_steps)}${reason === null ? "" : `: ${visible(reason)}`}`,
    ]);
    sections.push(["calls", boundText(facts.bounds.min_adapter_calls, facts.bounds.max_adapter_calls)]);
    sections.push(["depth", mostText(facts.max_depth)]);
  }
  if (facts.loops.length > 0) sections.push(["loops", visible(loopsText(facts.loops, names))]);
  if (facts.waits.length > 0) sections.push(["waits", visible(waitsText(facts.waits, names))]);
  if (facts.frames_at_once > 1) sections.push(["memory", `at most ${facts.frames_at_once} times max_frame_bytes`]);
  for (const [title, places] of placesText(facts)) sections.push([title, visible(places)]);
  sections.push(["checksum", facts.checksum]);
  const width = Math.max(...sections.map(([name = ""]) => name.length));
  const head = sections.map(([name = "", value = ""]) => `${paint.dim(name.padEnd(width))}  ${value}\n`).join("");
  const rows = facts.labels.map((label) => [
    isPython ? names.label(label.label) : label.label,
    ...(isPython
      ? [label.line === null ? "" : String(label.line)]
      : [String(label.steps), label.exits.join(" ") || "-"]),
    label.reachable ? "yes" : "no",
    boundText(label.min_steps, label.max_steps),
    boundText(label.min_adapter_calls, label.max_adapter_calls),
  ]);
  const labels = table(
    [[...(isPython ? ["function", "line"] : ["label", "nodes", "exits"]), "reachable", "steps", "calls"], ...rows],
    screen.tableWidth,
  );
  const endpoints = facts.endpoints.map((endpoint) => [
    endpoint.method,
    endpoint.path,
    names.label(endpoint.label),
    endpoint.description ?? "",
  ]);
  const tail =
    endpoints.length === 0
      ? ""
      : `\n${table([["method", "path", "label", ""], ...endpoints], screen.tableWidth).join("\n")}\n`;
  const unknown = unknownLines(facts.unknown, names, screen.tableWidth);
  const open = unknown.length === 0 ? "" : `\n${unknown.join("\n")}\n`;
  return `${head}\n${labels.join("\n")}\n${tail}${open}`;
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `  ${line}\n`).join("");
}
