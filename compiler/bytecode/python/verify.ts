/** Whether the bytecode of a routine is what an emitter makes: every word names something that exists. Generated code is made of nothing else. */
import type { PyCode, PyRoutine } from "./code.ts";
import { lengthAt, OPERATORS, Py, SHAPES, SPECIAL, UNARY_OPERATORS } from "./instructions.ts";

/** Why it is not; null: it is. Linear in its length. */
export function pythonFault(code: PyCode, routine: PyRoutine): string | null {
  const { pc: first, end, handlers } = routine;
  const starts = new Set<number>();
  for (let pc = first; pc < end; ) {
    if (SHAPES[code.code[pc] as number] === undefined) return `no instruction at ${pc}`;
    const after = pc + lengthAt(code.code, pc);
    if (!(after > pc && after <= end)) return `the instruction at ${pc} does not end`;
    starts.add(pc);
    pc = after;
  }
  for (const pc of starts) {
    const fault = wordsFault(code, routine, pc, starts);
    if (fault !== null) return `${fault} at ${pc}`;
  }
  for (let row = 0; row < handlers.length; row += 3)
    if (!starts.has(handlers[row + 2] as number)) return `a handler begins nowhere`;
  return null;
}

function wordsFault(code: PyCode, routine: PyRoutine, pc: number, starts: ReadonlySet<number>): string | null {
  const words = code.code;
  const shape = SHAPES[words[pc] as number] as string;
  const isRegister = (word: number): boolean => word >= 0 && word < routine.registers;
  const isOperand = (word: number): boolean => isRegister(word) || (word < 0 && ~word < code.constants.length);
  for (const [at, kind] of [...shape].entries()) {
    const word = words[pc + 1 + at] as number;
    switch (kind) {
      case "d":
        if (!isRegister(word)) return "no register";
        break;
      case "a":
        if (!isOperand(word)) return "no operand";
        break;
      case "t":
        if (!starts.has(word)) return "no target";
        break;
      case "w":
        if (!isPlain(words[pc] as number, word)) return "no such number";
        break;
      case "v":
      case "V": {
        const given = words.subarray(pc + 2 + at, pc + 2 + at + word);
        if (!given.every(kind === "v" ? isOperand : isRegister)) return "no operand";
        break;
      }
      default:
        if (!(word >= 0 && word < amountOf(code, routine, kind))) return "nothing of that number";
    }
  }
  return null;
}

/** Plain numbers of operators are bounded; those of loops and of places of `*` are not read by generated code. */
function isPlain(op: number, word: number): boolean {
  if (op === Py.Binary || op === Py.InPlace) return OPERATORS[word] !== undefined;
  if (op === Py.Unary) return UNARY_OPERATORS[word] !== undefined;
  return op === Py.Special ? SPECIAL[word] !== undefined : Number.isInteger(word);
}

function amountOf(code: PyCode, { cells, free }: PyRoutine, kind: string): number {
  switch (kind) {
    case "n":
      return code.names.length;
    case "g":
      return code.globals.length;
    case "c":
      return cells.length + free.length;
    case "r":
      return code.routines.length;
    case "k":
      return code.keywords.length;
    default:
      return code.stubs.length;
  }
}
