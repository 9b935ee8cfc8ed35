/** `wf disasm FILE`: the bytecode of a program as a listing. */

import { disassemble } from "../../compiler/bytecode/disassemble.ts";
import { Command, Option } from "../clipanion.ts";
import { EXIT } from "../faults.ts";
import { visibleLines } from "../output/columns.ts";
import { bytecodeOf, loadProgram } from "../program.ts";
import { WeftCommand } from "./base.ts";
import { lines } from "./compile.ts";

export class DisasmCommand extends WeftCommand {
  static override paths = [["disasm"]];
  static override usage = Command.Usage({
    description: "Prints the bytecode of a program as a listing.",
    details: "FILE",
    examples: [
      ["a program", "wf disasm hello.wf"],
      ["compiled IR", "wf disasm hello.json"],
      ["machine output", "wf disasm hello.wf --json"],
    ],
  });

  file = Option.String({ required: false });
  loose = Option.Boolean("--loose", false, { description: "non-strict mode" });
  includeRoot = Option.Array("--include-root", { description: "<DIR> a further folder for includes (repeatable)" });

  async execute(): Promise<number> {
    const session = this.session();
    const program = await loadProgram(session, this.file, {
      strict: !this.loose,
      includeRoots: this.includeRoot ?? [],
    });
    const text = disassemble(bytecodeOf(session, program.ir));
    if (this.json) session.screen.document({ ok: true, checksum: program.ir.checksum, text });
    else session.screen.out(visibleLines(lines(text)));
    return EXIT.success;
  }
}
