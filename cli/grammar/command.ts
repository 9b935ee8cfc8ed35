/** `wf grammar`: the language as a generated grammar, and what may come next after a prefix. */

import type { AdapterCatalog } from "../../compiler/catalog.ts";
import { grammarShape } from "../../compiler/grammar-shape.ts";
import { complete } from "../../grammar/complete.ts";
import { ebnfOf } from "../../grammar/generate/ebnf.ts";
import { pythonCharacters, pythonRules } from "../../grammar/generate/forms/python.ts";
import { gbnfOf } from "../../grammar/generate/gbnf.ts";
import { jsonSchemaOf } from "../../grammar/generate/json-schema.ts";
import { railroadOf } from "../../grammar/generate/railroad.ts";
import { rulesOf } from "../../grammar/generate/rules.ts";
import type { ClosedNames, GrammarShape } from "../../grammar/generate/shape.ts";
import { textMateOf } from "../../grammar/generate/textmate.ts";
import { isName } from "../../grammar/operands/tokens.ts";
import { plausible } from "../../grammar/plausible.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { oneOf, WeftCommand } from "../commands/base.ts";
import { listOf } from "../grant/limit-flags.ts";
import { writeAtomically } from "../input/files.ts";
import { decode, readStdin } from "../input/input.ts";
import { visibleLines } from "../output/terminal/columns.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

const FORMS = ["python", "opcode"] as const;
const FORMATS = ["ebnf", "gbnf", "json-schema", "textmate", "railroad"] as const;
type Format = (typeof FORMATS)[number];

export class GrammarCommand extends WeftCommand {
  static override paths = [["grammar"]];
  static override readonly idleFlags = ["--color", "--no-color"];
  static override usage = Command.Usage({
    description: "Print the grammar of programs, or what may follow a prefix of one.",
    examples: [
      ["for readers", "wf grammar --format ebnf"],
      ["for constrained decoding", "wf grammar --format gbnf"],
      [
        "of the opcode form, over two labels and a variable",
        "wf grammar --form opcode --format gbnf --labels 1,2 --names city",
      ],
      ["diagrams", "wf grammar --format railroad -o grammar.html"],
      ["what may come next", "printf 'L1:\\n  R http.' | wf grammar --next"],
    ],
  });
  static override readonly notes = [
    "The grammar is made from the rules of the parser. With `--labels` and `--names` that of the opcode form is closed: it writes the lines that declare names, caches and queues, then each label once, so that nearly every text it admits passes `wf check`.",
    "`--next` reads the beginning of a program, in either form. It prints which slot the text ends in, which classes of words fit there and which words are available, and exits with 1 when no program can begin like this. With `--json`: `{ok, plausible, state, op, slot, classes, items, from}`; an item is `{text, class, detail}` and replaces the prefix from offset `from` on.",
  ];
  static override readonly pages = ["grammars.md"];

  format = Option.String("--format", { description: "<ebnf|gbnf|json-schema|textmate|railroad> output format" });
  form = Option.String("--form", { description: "<python|opcode> of which form (default: python)" });
  next = Option.Boolean("--next", false, {
    description: "read the beginning of a program on stdin and list what may follow",
  });
  adapters = Option.Array("--adapters", {
    description: "<NAME> of the opcode form: include only these adapters (repeatable; default: all)",
  });
  declarations = Option.Array("--declarations", {
    description: "<OP> of the opcode form: include these declarations (repeatable; default: S, E, D, Q, C, Cr)",
  });
  labels = Option.Array("--labels", {
    description: "<ID> of the opcode form, with gbnf or ebnf: exactly these labels, each once (repeatable)",
  });
  names = Option.Array("--names", { description: "<NAME> with --labels: only these variables (repeatable)" });
  caches = Option.Array("--caches", { description: "<NAME> with --labels: caches to declare (repeatable)" });
  queues = Option.Array("--queues", { description: "<NAME> with --labels: queues to declare (repeatable)" });
  out = Option.String("-o,--out", { description: "<FILE> write to a file instead of stdout" });

  async execute(): Promise<number> {
    const session = this.session();
    if (this.next === (this.format !== undefined)) throw usageFault("missing flag; give either --format or --next");
    const isPython = oneOf("--form", this.form ?? "python", FORMS) === "python";
    if (isPython && !this.next) this.checkPython();
    const shape = this.shape(session.host.catalog);
    if (this.next) return this.printNext(session, shape);
    const format = oneOf("--format", this.format ?? "", FORMATS);
    const content = this.printed(format, shape, isPython);
    if (this.out !== undefined) {
      writeAtomically(session.cwd, this.out, content);
      session.screen.note(`${this.out} written`);
    }
    if (session.screen.json)
      session.screen.document({
        ok: true,
        format,
        ...(this.out === undefined ? { text: content } : { path: this.out }),
      });
    else if (this.out === undefined) session.screen.text(content);
    return EXIT.success;
  }

  /** Names and lines of the opcode form are its own. */
  private checkPython(): void {
    if (this.format === "json-schema")
      throw usageFault("--format json-schema is for the opcode form; add --form opcode");
    const { adapters, declarations, labels, names, caches, queues } = this;
    const own = Object.entries({ adapters, declarations, labels, names, caches, queues });
    const given = own.find(([, value]) => value !== undefined)?.[0];
    if (given !== undefined) throw usageFault(`--${given} is for the opcode form; add --form opcode`);
  }

  private printed(format: Format, shape: GrammarShape, isPython: boolean): string {
    switch (format) {
      case "ebnf":
        return ebnfOf(isPython ? pythonRules() : rulesOf(shape));
      case "gbnf":
        return gbnfOf(isPython ? pythonCharacters() : rulesOf(shape));
      case "json-schema":
        return `${JSON.stringify(this.schema(shape), null, 2)}\n`;
      case "textmate":
        return `${JSON.stringify(textMateOf(), null, 2)}\n`;
      case "railroad":
        return railroadOf(isPython ? pythonRules() : rulesOf(shape));
    }
  }

  private schema({ declarations }: GrammarShape): object {
    return jsonSchemaOf(this.declarations === undefined ? null : declarations);
  }

  private shape(catalog: AdapterCatalog): GrammarShape {
    const adapters = this.adapters === undefined ? null : listOf(this.adapters);
    for (const name of adapters ?? [])
      if (catalog.adapter(name) === undefined)
        throw usageFault(`option --adapters names the unknown adapter '${name}'`);
    return grammarShape(catalog, {
      adapters,
      ...(this.declarations === undefined ? {} : { declarations: listOf(this.declarations) }),
      closed: this.closed(),
    });
  }

  private closed(): ClosedNames | null {
    const labels = listOf(this.labels);
    const closed = {
      labels,
      names: listOf(this.names),
      caches: listOf(this.caches),
      queues: listOf(this.queues),
    };
    for (const name of [...closed.names, ...closed.caches, ...closed.queues])
      if (!isName(name)) throw usageFault(`'${name}' is not a name; use letters, digits and underscores`);
    for (const id of labels)
      if (!/^[A-Za-z0-9_.~-]+$/.test(id)) throw usageFault(`'${id}' is not a label id; use letters, digits, _ . ~ -`);
    if (labels.length > 0 && closed.names.length === 0)
      throw usageFault("--labels needs --names: the variables of the frame");
    if (labels.length > 0) return closed;
    if (closed.names.length + closed.caches.length + closed.queues.length > 0)
      throw usageFault("--names, --caches and --queues need --labels");
    return null;
  }

  private async printNext({ io, screen }: Session, shape: GrammarShape): Promise<number> {
    const prefix = decode("<stdin>", await readStdin(io));
    const next = complete(prefix, shape);
    const document = { ok: true, plausible: plausible(prefix), ...next };
    if (screen.json) screen.document(document);
    else {
      const place = [next.state, next.op, next.slot].filter((part) => part !== null).join(" ");
      const lines = [
        `${place}${document.plausible ? "" : "  (this cannot become a program)"}`,
        `classes  ${next.classes.join(" ")}`,
      ];
      for (const { text, detail } of next.items)
        lines.push(`  ${JSON.stringify(text).slice(1, -1)}${detail === "" ? "" : `  ${detail}`}`);
      screen.out(visibleLines(`${lines.join("\n")}\n`));
    }
    return document.plausible ? EXIT.success : EXIT.failed;
  }
}
