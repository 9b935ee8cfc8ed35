/**
 * The instruction set, once, as data: name, words after the opcode, and what each word is. Assembler, verifier,
 * disassembler and the loop's register pictures are checked against this table. Numbers are dense, frequent ones first,
 * and part of the bytecode version. Pictures: docs/bytecode.md.
 */

/**
 * A word of an instruction.
 * `d` destination slot (variable or temporary) · `D` destination or -1 for none · `a` operand slot · `v` number of operand
 * slots that follow · `t` jump target · `n` steps charged · `k` static depth · `l` loop register · `x` aux index ·
 * `r` routine · `i` plain integer · `y` node index
 */
export type WordKind = "d" | "D" | "a" | "v" | "t" | "n" | "k" | "l" | "x" | "r" | "i" | "y";

export const enum Op {
  Set = 0,
  Add = 1,
  Sub = 2,
  Mul = 3,
  Lt = 4,
  Branch = 5,
  Get = 6,
  Push = 7,
  Put = 8,
  LoopNext = 9,
  WhileNext = 10,
  WhileNextLt = 11,
  AddWhileNextLt = 12,
  BranchLt = 13,
  Call = 14,
  Ret = 15,
  Concat = 16,
  Charge = 17,
  Jump = 18,
  Div = 19,
  IDiv = 20,
  Mod = 21,
  Lte = 22,
  Gt = 23,
  Gte = 24,
  Eq = 25,
  Ne = 26,
  TextEq = 27,
  Present = 28,
  Not = 29,
  Truthy = 30,
  And = 31,
  Or = 32,
  Select = 33,
  Len = 34,
  Path = 35,
  Obj = 36,
  List = 37,
  Object = 38,
  Fn = 39,
  CoreCall = 40,
  Filt = 41,
  Sort = 42,
  Enter = 43,
  CallValue = 44,
  CallResult = 45,
  Last = 46,
  LoopInit = 47,
  WhileInit = 48,
  Invoke = 49,
  Host = 50,
  Fail = 51,
  Visit = 52,
  Leave = 53,
  /** Continues further ahead when the operand is truthy (1) or not (0), in the same block. */
  Skip = 54,
  /** Opens a frame of variables for a call, with its inputs. */
  Begin = 55,
  /** Goes back to the caller's frame with the result. */
  End = 56,
  /** Ends a loop after this pass when the operand is truthy. */
  Stop = 57,
  /** Runs branches, each with a copy of the variables. Only in bytecode version 2. */
  Fork = 58,
}

export type Instruction = {
  readonly name: string;
  readonly op: number;
  /** Kinds of the words after the opcode; after `v` that many `a` words follow. */
  readonly words: readonly WordKind[];
  /** What follows: the next instruction, only the targets, or nothing. */
  readonly flow: "next" | "branch" | "jump" | "end";
};

function row(op: number, name: string, words: string, flow: Instruction["flow"] = "next"): Instruction {
  return { op, name, words: words === "" ? [] : (words.split(" ") as WordKind[]), flow };
}

/** Indexed by opcode. */
export const INSTRUCTIONS: readonly Instruction[] = [
  row(Op.Set, "Set", "d a"),
  row(Op.Add, "Add", "d a a"),
  row(Op.Sub, "Sub", "d a a"),
  row(Op.Mul, "Mul", "d a a"),
  row(Op.Lt, "Lt", "d a a"),
  row(Op.Branch, "Branch", "a t n n k", "branch"),
  row(Op.Get, "Get", "d a a"),
  row(Op.Push, "Push", "d a a"),
  row(Op.Put, "Put", "d a a a"),
  row(Op.LoopNext, "LoopNext", "d l t n", "branch"),
  row(Op.WhileNext, "WhileNext", "a l t n y", "branch"),
  row(Op.WhileNextLt, "WhileNextLt", "d a a l t n y", "branch"),
  row(Op.AddWhileNextLt, "AddWhileNextLt", "d a a d a a l t n y y", "branch"),
  row(Op.BranchLt, "BranchLt", "d a a t n n k y", "branch"),
  row(Op.Call, "Call", "d r k n i n"),
  row(Op.Ret, "Ret", "a", "end"),
  row(Op.Concat, "Concat", "d v"),
  row(Op.Charge, "Charge", "n"),
  row(Op.Jump, "Jump", "t", "jump"),
  row(Op.Div, "Div", "d a a"),
  row(Op.IDiv, "IDiv", "d a a"),
  row(Op.Mod, "Mod", "d a a"),
  row(Op.Lte, "Lte", "d a a"),
  row(Op.Gt, "Gt", "d a a"),
  row(Op.Gte, "Gte", "d a a"),
  row(Op.Eq, "Eq", "d a a"),
  row(Op.Ne, "Ne", "d a a"),
  row(Op.TextEq, "TextEq", "d a a"),
  row(Op.Present, "Present", "d a"),
  row(Op.Not, "Not", "d a"),
  row(Op.Truthy, "Truthy", "d a"),
  row(Op.And, "And", "d a a"),
  row(Op.Or, "Or", "d a a"),
  row(Op.Select, "Select", "d a a a"),
  row(Op.Len, "Len", "d a"),
  row(Op.Path, "Path", "d a x"),
  row(Op.Obj, "Obj", "d a a"),
  row(Op.List, "List", "d v"),
  row(Op.Object, "Object", "d x v"),
  row(Op.Fn, "Fn", "d x v"),
  row(Op.CoreCall, "CoreCall", "D x v"),
  row(Op.Filt, "Filt", "d a x a"),
  row(Op.Sort, "Sort", "d a x"),
  row(Op.Enter, "Enter", "k"),
  row(Op.CallValue, "CallValue", "d r k n i"),
  row(Op.CallResult, "CallResult", "d a"),
  row(Op.Last, "Last", "d a"),
  row(Op.LoopInit, "LoopInit", "d l a t n k", "branch"),
  row(Op.WhileInit, "WhileInit", "a l t n k i", "branch"),
  row(Op.Invoke, "Invoke", "D x v"),
  row(Op.Host, "Host", "D x v"),
  row(Op.Fail, "Fail", "x", "next"),
  row(Op.Visit, "Visit", "y"),
  row(Op.Leave, "Leave", "y a i"),
  row(Op.Skip, "Skip", "a i t"),
  row(Op.Begin, "Begin", "x v"),
  row(Op.End, "End", "d a"),
  row(Op.Stop, "Stop", "a l"),
  row(Op.Fork, "Fork", "d x k v"),
];

/** Length in words of the instruction at `pc`, the opcode included. */
export function instructionLength(code: Int32Array, pc: number): number {
  const instruction = INSTRUCTIONS[code[pc] ?? -1];
  if (instruction === undefined) return 0;
  const fixed = 1 + instruction.words.length;
  const last = instruction.words.at(-1);
  return last === "v" ? fixed + Math.max(0, code[pc + fixed - 1] ?? 0) : fixed;
}
