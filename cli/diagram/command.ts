/** `wf diagram FILE`: the graph of a program as Mermaid or Graphviz text, or drawn as SVG or a web page. */

import { extname } from "node:path";
import { toDot } from "../../compiler/diagram/dot.ts";
import { diagramOf } from "../../compiler/diagram/draw.ts";
import { hasSourceLines } from "../../compiler/diagram/label-names.ts";
import { toMermaid } from "../../compiler/diagram/mermaid.ts";
import { type DiagramOptions, stepKey } from "../../compiler/diagram/model.ts";
import { lineDiagramOf } from "../../compiler/diagram/source-lines.ts";
import type { Ir } from "../../compiler/ir/graph.ts";
import type { Diagnostic } from "../../grammar/diagnostic.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { oneOf, WeftCommand } from "../commands/base.ts";
import { isStrict, modeFlag } from "../commands/flags/compile-mode.ts";
import { includeRootsFor } from "../commands/flags/include-roots.ts";
import { listOf } from "../grant/limit-flags.ts";
import { checkOutputs, writeAtomically } from "../input/files.ts";
import { readProgram } from "../input/input.ts";
import { counted } from "../output/terminal/table.ts";
import { labelId } from "../run/labels.ts";
import { checkSource, compileInput, type LoadOptions } from "../run/load-program.ts";
import { CompileFault, EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";
import { readTraceFile } from "../trace/trace-events.ts";
import { countVisits } from "../trace/visits.ts";
import { drawSvg } from "./graphviz.ts";
import { diagramPage } from "./page.ts";

const FORMATS = ["mermaid", "dot", "svg", "html"] as const;
type Format = (typeof FORMATS)[number];
const FORMAT_OF_ENDING: Readonly<Record<string, Format>> = {
  ".mmd": "mermaid",
  ".mermaid": "mermaid",
  ".dot": "dot",
  ".gv": "dot",
  ".svg": "svg",
  ".html": "html",
};

type Subject = {
  readonly name: string;
  readonly ir: Ir;
  /** Of a program in one file; null: it is IR. */
  readonly source: string | null;
  readonly errors: readonly Diagnostic[];
};

export class DiagramCommand extends WeftCommand {
  static override paths = [["diagram"], ["visualize"], ["graph"]];
  static override usage = Command.Usage({
    description:
      "Draw the graph of a program: its functions or labels, and how their lines or steps lead to each other.",
    details: "FILE",
    examples: [
      ["as Mermaid text", "wf diagram hello.wf"],
      ["as a drawing", "wf diagram hello.wf -o hello.svg"],
      ["how functions or labels hang together", "wf diagram hello.wf --labels-only"],
      ["what the compiler made of it", "wf diagram hello.wf --steps"],
      ["with what a run did", "wf diagram hello.wf --trace hello.trace.json -o hello.html"],
    ],
  });
  static override readonly notes = [
    "Without `--format` the extension of `-o` decides (`.mmd`, `.mermaid`, `.dot`, `.gv`, `.svg`, `.html`), and `mermaid` without one. SVG and HTML need the optional package `@hpcc-js/wasm-graphviz`; without it the command ends with exit 2 and `package_missing`, and prints the command that installs it.",
    "FILE of `--trace` is what `wf run --trace-out` or `--trace-jsonl` wrote, or a JSON answer with `trace`. With `--errors`, a program that strict mode refuses is drawn as loose mode reads it. `--label` draws the steps of one function, with boxes for those it leads to.",
    "With `--json`: `{ok, format, text, checksum, errors}`, with `-o` `path` in place of `text`.",
  ];
  static override readonly pages = ["diagrams.md"];

  file = Option.String({ required: false });
  format = Option.String("--format", {
    description: "<mermaid|dot|svg|html> output format (default: the extension of --out, or mermaid)",
  });
  out = Option.String("-o,--out", { description: "<FILE> write to a file instead of stdout" });
  label = Option.String("--label", { description: "<NAME> draw only this label" });
  labelsOnly = Option.Boolean("--labels-only", false, { description: "draw one box per function or label" });
  steps = Option.Boolean("--steps", false, {
    description: "draw the steps that the compiler made of a program in Python, in place of its lines",
  });
  noClusters = Option.Boolean("--no-clusters", false, { description: "draw no frames around labels" });
  traceFile = Option.String("--trace", {
    description: "<FILE> highlight the path of a recorded run, with counts and timings",
  });
  errors = Option.Boolean("--errors", false, { description: "highlight steps that have compiler errors" });
  strict = modeFlag("strict", "strict");
  loose = modeFlag("loose", "strict");
  input = Option.Array("--input", { description: "<NAME> variable that the frame will contain (repeatable)" });
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });

  async execute(): Promise<number> {
    const session = this.session();
    const format = this.chosenFormat();
    const subject = await this.subject(session);
    const { ir, errors } = subject;
    const text = await this.drawn(session, subject, format);
    const { screen } = session;
    if (this.out !== undefined) writeAtomically(session.cwd, this.out, text);
    if (screen.json) {
      const place = this.out === undefined ? { text } : { path: this.out };
      screen.document({ ok: true, format, ...place, checksum: ir.checksum, errors: errors.length });
    } else if (this.out === undefined) screen.text(text);
    if (this.errors && !screen.json) screen.note(`${counted(errors.length, "error")} marked`);
    return EXIT.success;
  }

  private chosenFormat(): Format {
    if (this.format !== undefined) return oneOf("--format", this.format, FORMATS);
    const ending = extname(this.out ?? "").toLowerCase();
    if (ending === "") return "mermaid";
    const format = FORMAT_OF_ENDING[ending];
    if (format === undefined) {
      const known = Object.keys(FORMAT_OF_ENDING).join(", ");
      throw usageFault(`unknown extension ${ending}; use ${known}`, [
        "--format writes any of these formats to the file",
      ]);
    }
    return format;
  }

  /** With `--errors` a program that strict mode refuses is drawn too, as loose mode reads it. */
  private async subject(session: Session): Promise<Subject> {
    const input = await readProgram(session.io, session.cwd, this.file);
    checkOutputs(session.cwd, input, this.out);
    const options: LoadOptions = {
      strict: isStrict(this, "strict"),
      inputs: listOf(this.input),
      includeRoots: includeRootsFor(session, input.path, this.includeRoot),
    };
    const { content, name } = input;
    const source = content.kind === "source" ? content.text : null;
    if (!this.errors || content.kind !== "source")
      return { name, ir: compileInput(session, input, options).ir, source, errors: [] };
    const { ir, diagnostics, textOf } = checkSource(session, input, content.text, options);
    const read = ir ?? checkSource(session, input, content.text, { ...options, strict: false }).ir;
    if (read === null) throw new CompileFault(diagnostics, name, textOf);
    return { name, ir: read, source, errors: diagnostics.filter(({ severity }) => severity === "error") };
  }

  private async drawn(session: Session, { name, ir, source, errors }: Subject, format: Format): Promise<string> {
    const options: DiagramOptions = {
      label: this.label === undefined ? null : labelId(session, ir, this.label),
      labelsOnly: this.labelsOnly,
      clusters: !this.noClusters,
      marked: markedSteps(ir, errors),
      visits: this.traceFile === undefined ? null : countVisits([readTraceFile(session.cwd, this.traceFile)], ir),
    };
    const { catalog } = session.host;
    const isOfSteps = this.steps || this.labelsOnly || this.noClusters || this.label !== undefined;
    const diagram =
      isOfSteps || !hasSourceLines(ir) ? diagramOf(ir, catalog, options) : lineDiagramOf(ir, source, catalog, options);
    if (format === "mermaid") return toMermaid(diagram);
    if (format === "dot") return toDot(diagram);
    const svg = await drawSvg(diagram);
    return format === "svg" ? svg : diagramPage(name, ir, svg);
  }
}

/** The steps on the lines that diagnostics name. */
function markedSteps(ir: Ir, errors: readonly Diagnostic[]): ReadonlySet<string> {
  const lines = new Set(errors.flatMap(({ span }) => (span === null ? [] : [`${span.file ?? ""}:${span.line}`])));
  const marked = ir.nodes.filter(({ file = "", line = 0 }) => lines.has(`${file}:${line}`));
  return new Set(marked.map(({ label, id }) => stepKey(label, id)));
}
