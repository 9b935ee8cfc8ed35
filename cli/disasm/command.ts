/** `wf disasm FILE`: the bytecode of a program as a listing. */

import { disassemble } from "../../compiler/bytecode/disassemble.ts";
import { loadBytecode } from "../../compiler/bytecode/load.ts";
import type { Program } from "../../compiler/bytecode/program.ts";
import { Command, Option } from "../argv/clipanion.ts";
import { WeftCommand } from "../commands/base.ts";
import { isStrict, modeFlag } from "../commands/flags/compile-mode.ts";
import { includeRootsFor } from "../commands/flags/include-roots.ts";
import { lines } from "../compile/command.ts";
import { listOf } from "../grant/limit-flags.ts";
import { type ProgramInput, readProgram } from "../input/input.ts";
import { visibleLines } from "../output/terminal/columns.ts";
import { bytecodeFault, bytecodeOf, compileInput } from "../run/load-program.ts";
import { EXIT } from "../session/faults.ts";
import type { Session } from "../session/session.ts";

export class DisasmCommand extends WeftCommand {
  static override paths = [["disasm"]];
  static override usage = Command.Usage({
    description: "Print the bytecode of a program as a listing.",
    details: "FILE",
    examples: [
      ["a program", "wf disasm hello.wf"],
      ["compiled IR", "wf disasm hello.json"],
      ["a bytecode file", "wf disasm hello.wfb"],
      ["machine output", "wf disasm hello.wf --json"],
    ],
  });
  static override readonly notes = ["FILE is source, IR, or bytecode that `wf compile --format bytecode -o` wrote."];
  static override readonly pages = ["bytecode.md"];

  file = Option.String({ required: false });
  strict = modeFlag("strict", "strict");
  loose = modeFlag("loose", "strict");
  input = Option.Array("--input", { description: "<NAME> variable that the frame will contain (repeatable)" });
  includeRoot = Option.Array("--include-root", { description: "<DIR> additional folder for includes (repeatable)" });

  async execute(): Promise<number> {
    const session = this.session();
    const input = await readProgram(session.io, session.cwd, this.file);
    const program = this.bytecode(session, input);
    const text = disassemble(program);
    if (this.json) session.screen.document({ ok: true, checksum: program.ir_checksum, text });
    else session.screen.out(visibleLines(lines(text)));
    return EXIT.success;
  }

  private bytecode(session: Session, input: ProgramInput): Program {
    if (input.content.kind === "bytecode") {
      const loaded = loadBytecode(input.content.bytes);
      if (!loaded.ok) throw bytecodeFault(input.name, `fails verification: ${loaded.reason}`);
      return loaded.program;
    }
    const options = {
      strict: isStrict(this, "strict"),
      inputs: listOf(this.input),
      includeRoots: includeRootsFor(session, input.path, this.includeRoot),
    };
    return bytecodeOf(session, compileInput(session, input, options).ir);
  }
}
