/**
 * A routine as the source of a JavaScript function, which does what the loop would do, instruction by instruction. Variables are read from names of
 * JavaScript and written to the registers of the frame as well, so a run can continue in the loop at any place: where a step is not granted, where a function
 * gives its value to others than a function, where something waits. Text of the program never gets into the source; it has numbers alone.
 */
import type { PyCode } from "../../../compiler/bytecode/python/code.ts";
import { lengthAt, OPERATORS, Py, SHAPES } from "../../../compiler/bytecode/python/instructions.ts";
import { Came } from "../machine/frames.ts";
import { type Jump, type Region, regionsOf } from "./regions.ts";

/** What the function is made of; `entries`: by the place where it may begin, the number that it is entered with. */
export type RoutineText = { readonly source: string; readonly entries: ReadonlyMap<number, number> };

export type Extent = { readonly pc: number; readonly end: number; readonly variables: readonly string[] };

/** null: its jumps do not nest. `mayLeave`: in tests, it asks at each instruction whether it leaves there although it need not. */
export function translate(
  { code, constants }: Pick<PyCode, "code" | "constants">,
  routine: Extent,
  mayLeave = false,
): RoutineText | null {
  const places = reachable(code, routine.pc);
  const jumps = places.flatMap((pc) => jumpsAt(code, pc));
  const after = (pc: number): number => pc + lengthAt(code, pc);
  // The loops, then the ways to their heads: those are blocks that end there.
  const bare = regionsOf(jumps, after);
  if (bare === null) return null;
  const entries = entriesOf(bare.filter(({ kind }) => kind === "loop"));
  const regions = regionsOf([...jumps, ...entries.ways(routine.pc)], after);
  if (regions === null) return null;
  const text = new Text(code, constants, routine);
  text.write(places, regions, entries, mayLeave);
  return { source: text.whole(), entries: new Map([[routine.pc, 0], ...entries.numbers]) };
}

/** Instructions that a call comes to, in their order. What only an exception leads to is left to the loop. */
function reachable(code: Int32Array, first: number): readonly number[] {
  const found = new Set<number>();
  const left = [first];
  for (let pc = left.pop(); pc !== undefined; pc = left.pop()) {
    if (found.has(pc)) continue;
    found.add(pc);
    for (const { to } of jumpsAt(code, pc)) left.push(to);
    if (!ENDS.has(code[pc] as number)) left.push(pc + lengthAt(code, pc));
  }
  return [...found].sort((a, b) => a - b);
}

/** Nothing follows them. */
const ENDS: ReadonlySet<number> = new Set([Py.Jump, Py.Return, Py.Raise, Py.Reraise, Py.Yield]);

function jumpsAt(code: Int32Array, pc: number): readonly Jump[] {
  const at = (SHAPES[code[pc] as number] as string).indexOf("t");
  return at < 0 ? [] : [{ from: pc, to: code[pc + 1 + at] as number }];
}

type Entries = {
  /** By the head of a loop. */
  readonly numbers: ReadonlyMap<number, number>;
  /** Of the head of a loop: the loops right in it, and those in these. */
  inner(head: number | null): readonly { readonly head: number; readonly first: number; readonly last: number }[];
  ways(start: number): readonly Jump[];
};

/** Loops by number, so that those inside of one follow it. */
function entriesOf(loops: readonly Region[]): Entries {
  const numbers = new Map(loops.map(({ start }, at) => [start, at + 1]));
  const parentOf = ({ start, end }: Region): number | null =>
    loops.findLast((one) => one.start < start && end <= one.end)?.start ?? null;
  const lastOf = ({ end }: Region, from: number): number =>
    loops.findLastIndex((one, at) => at >= from && one.start < end) + 1;
  const inner = (head: number | null) =>
    loops.flatMap((loop, at) =>
      parentOf(loop) === head ? [{ head: loop.start, first: at + 1, last: lastOf(loop, at) }] : [],
    );
  const ways = (start: number): readonly Jump[] =>
    loops.flatMap((loop) => {
      const from = parentOf(loop) ?? start;
      return from < loop.start ? [{ from, to: loop.start }] : [];
    });
  return { numbers, inner, ways };
}

class Text {
  readonly #code: Int32Array;
  readonly #constants: PyCode["constants"];
  readonly #routine: Extent;
  readonly #lines: string[] = [];
  readonly #registers = new Set<number>();
  readonly #used = new Set<number>();
  /** Variables that are surely set here. */
  readonly #set = new Set<number>();
  readonly #open: Region[] = [];

  constructor(code: Int32Array, constants: PyCode["constants"], routine: Extent) {
    this.#code = code;
    this.#constants = constants;
    this.#routine = routine;
  }

  whole(): string {
    const constants = [...this.#used].map((at) => `const k${at}=K[${at}];`).join("");
    const registers = [...this.#registers].map((at) => `let r${at}=R[${at}];`).join("");
    return `${constants}return function(s,f,e){const m=s.m;const R=f.registers;const G=s.globals;let p=0;let c=0;let t;
${registers}
try{
${this.#lines.join("\n")}
}catch(thrown){if(s.frame===f)f.pc=p;throw thrown;}
}`;
  }

  write(places: readonly number[], regions: readonly Region[], entries: Entries, mayLeave: boolean): void {
    const first = places[0] as number;
    const startingAt = new Map<number, Region[]>();
    for (const region of regions) startingAt.set(region.start, [...(startingAt.get(region.start) ?? []), region]);
    for (const pc of places) {
      this.#closeUntil(pc);
      const starting = startingAt.get(pc) ?? [];
      const loop = starting.findIndex(({ kind }) => kind === "loop");
      for (const [at, region] of starting.entries()) {
        // The blocks around it end at the heads of other loops.
        if (at === loop && pc === first) this.#choose(entries.inner(null), pc);
        this.#opened(region);
      }
      if (loop >= 0) {
        this.#choose(entries.inner(pc), pc);
        this.#lines.push("e=0;");
      } else if (pc === first) this.#choose(entries.inner(null), pc);
      if (mayLeave) this.#lines.push(`if(leaves()){${this.#left(pc)}}`);
      this.#lines.push(this.#textOf(pc));
    }
    this.#closeUntil(Number.POSITIVE_INFINITY);
  }

  #choose(ways: ReturnType<Entries["inner"]>, at: number): void {
    for (const { head, first, last } of ways) {
      if (head === at) continue;
      this.#lines.push(`if(e>=${first}&&e<=${last})break b${head};`);
    }
  }

  #opened(region: Region): void {
    const { kind, start, end } = region;
    this.#open.push(region);
    if (kind === "block") this.#lines.push(`b${end}:{`);
    else {
      this.#lines.push(`l${start}:for(;;){`);
      this.#set.clear();
    }
  }

  #closeUntil(pc: number): void {
    for (let last = this.#open.at(-1); last !== undefined && last.end <= pc; last = this.#open.at(-1)) {
      this.#open.pop();
      this.#lines.push(last.kind === "loop" ? "break;}" : "}");
      this.#set.clear();
    }
  }

  #jump(from: number, to: number): string {
    return to <= from ? `continue l${to};` : `break b${to};`;
  }

  #textOf(pc: number): string {
    const code = this.#code;
    const word = (at: number): number => code[pc + at] as number;
    const d = word(1);
    switch (code[pc]) {
      case Py.Step:
        return `if(--m.fuel<0||m.spent){m.fuel=m.fuel+1;${this.#left(pc)}}`;
      case Py.Move:
        return `${this.#checked(pc, 2)}${this.#into(d, this.#value(word(2)))}`;
      case Py.Add:
        return this.#sum(pc, "+");
      case Py.Sub:
        return this.#sum(pc, "-");
      case Py.Mul:
        return this.#sum(pc, "*");
      case Py.Lt:
        return this.#compared(pc, "<");
      case Py.Le:
        return this.#compared(pc, "<=");
      case Py.Gt:
        return this.#compared(pc, ">");
      case Py.Ge:
        return this.#compared(pc, ">=");
      case Py.Eq:
        return this.#compared(pc, "===");
      case Py.Ne:
        return this.#compared(pc, "!==");
      case Py.Binary:
        return this.#divided(pc);
      case Py.InPlace: {
        const operator = OPERATORS[word(4)];
        if (operator === "+" || operator === "-") return this.#sum(pc, operator);
        return this.#asked(pc);
      }
      case Py.Is:
      case Py.IsNot: {
        const same = code[pc] === Py.Is ? "===" : "!==";
        return `${this.#checked(pc, 2)}${this.#checked(pc, 3)}${this.#into(d, `${this.#value(word(2))}${same}${this.#value(word(3))}`)}`;
      }
      case Py.Not: {
        const v = this.#value(word(2));
        return `if(isBoolean(${v})){${this.#into(d, `!${v}`)}}else{${this.#performed(pc)}}`;
      }
      case Py.Jump:
        return this.#jump(pc, d);
      case Py.Branch: {
        const v = this.#value(d);
        const no = this.#jump(pc, word(2));
        if (d < 0 && this.#constant(~d) === true) return "";
        return `if(${v}!==true){p=${pc};if(${v}===false||!test(s,f,${pc + 1}))${no}}`;
      }
      case Py.Item:
        return `t=itemOf(${this.#value(word(2))},${this.#value(word(3))});if(t!==undefined){${this.#into(d, "t")}}else{${this.#asked(pc)}}`;
      case Py.SetItem: {
        const [v, c, k] = [this.#value(d), this.#value(word(2)), this.#value(word(3))];
        return `if(!changed(${c},${k},${v})){${this.#performed(pc)}}`;
      }
      case Py.Global:
        return `t=G[${word(2)}];if(t!==undefined){${this.#into(d, "t")}}else{${this.#performed(pc)}}`;
      case Py.LoadCell:
        return `t=f.cells[${word(2)}].value;if(t!==undefined){${this.#into(d, "t")}}else{${this.#performed(pc)}}`;
      case Py.Next: {
        // The engine sees here alone which iterator it is. One that is not asked at once is one for the loop.
        const it = this.#value(word(2));
        const isAsked = `if(${it}===undefined||${it}===null||${it}.isDirect!==true||m.spent){${this.#left(pc)}}`;
        const counted = `if(++${it}.passes>m.iterations)countPasses(s,${it}.passes);if(--m.fuel<0)grant(s,f,${pc});`;
        return `p=${pc};${isAsked}\nt=${it}.next(s);if(t===END)${this.#jump(pc, word(3))}${this.#into(d, "t")}${counted}`;
      }
      case Py.Pass:
        return `p=${pc};pass(s,f,${d});`;
      case Py.Call:
        return this.#asked(pc, "call");
      case Py.Method:
        return this.#asked(pc, "method");
      case Py.In:
      case Py.NotIn:
      case Py.CallNamed:
      case Py.CallSpread:
      case Py.MethodNamed:
      case Py.MethodSpread:
      case Py.Generator:
      case Py.Special:
      case Py.Extend:
      case Py.SetUpdate:
      case Py.Unpack:
      case Py.Adapter:
        return this.#asked(pc);
      case Py.Return:
        return `p=${pc};return give(s,f,${pc});`;
      case Py.Del:
        this.#set.delete(d);
        return this.#performed(pc);
      case Py.Yield:
      case Py.Visit:
      case Py.Leave:
        return this.#left(pc);
      default:
        return this.#performed(pc);
    }
  }

  /** The run continues in the loop, at this instruction. */
  #left(pc: number): string {
    return `f.resume=${pc};return ${Came.InLoop};`;
  }

  #performed(pc: number): string {
    return `p=${pc};perform(s,f,${pc});${this.#reloaded(pc)}`;
  }

  /** What may enter another frame: the run continues here if that has ended already. */
  #asked(pc: number, native = "ask"): string {
    return `p=${pc};c=${native}(s,f,${pc});if(c!==${Came.Back})return c;${this.#reloaded(pc)}`;
  }

  /** The names of what an instruction has written. */
  #reloaded(pc: number): string {
    const shape = SHAPES[this.#code[pc] as number] as string;
    if (shape[0] === "d") return this.#reload(this.#code[pc + 1] as number);
    const many = shape.indexOf("V");
    if (many < 0) return "";
    const from = pc + 1 + many;
    return Array.from({ length: this.#code[from] as number }, (_, at) =>
      this.#reload(this.#code[from + 1 + at] as number),
    ).join("");
  }

  #reload(register: number): string {
    this.#note(register);
    return `r${register}=R[${register}];`;
  }

  /** A sum, difference or product of plain numbers whose result is exact. */
  #sum(pc: number, operator: string): string {
    const a = this.#value(this.#code[pc + 2] as number);
    const b = this.#value(this.#code[pc + 3] as number);
    const d = this.#code[pc + 1] as number;
    // Both are looked at: the sum of an int and a small fraction can be whole.
    const small = [a, b].map((one) => `(${one}|0)===${one}`).join("&&");
    const other = this.#code[pc] === Py.InPlace ? this.#asked(pc) : this.#performed(pc);
    // Minus zero is not a number of the program.
    const result = operator === "*" ? "t+0" : "t";
    return `${this.#ifNumbers(a, b, [`((t=${a}${operator}${b})|0)===t?${small}:isExact(t,${a},${b})`])}{${this.#into(d, result)}}else{${other}}`;
  }

  /** `if(…)`: both are numbers, and what else is asked of them holds. */
  #ifNumbers(a: string, b: string, more: readonly string[] = []): string {
    const asked = [
      ...[a, b].filter((one) => !isDigit(one)).map((one) => `isNumber(${one})`),
      ...more.map((one) => `(${one})`),
    ];
    return asked.length === 0 ? "if(true)" : `if(${asked.join("&&")})`;
  }

  #compared(pc: number, operator: string): string {
    const a = this.#value(this.#code[pc + 2] as number);
    const b = this.#value(this.#code[pc + 3] as number);
    return `${this.#ifNumbers(a, b)}{${this.#into(this.#code[pc + 1] as number, `${a}${operator}${b}`)}}else{${this.#performed(pc)}}`;
  }

  #divided(pc: number): string {
    const a = this.#value(this.#code[pc + 2] as number);
    const b = this.#value(this.#code[pc + 3] as number);
    const d = this.#code[pc + 1] as number;
    const operator = OPERATORS[this.#code[pc + 4] as number];
    const result = operator === "%" ? `modulo(${a},${b})` : operator === "//" ? `${a}/${b}|0` : null;
    if (result === null) return this.#performed(pc);
    const small = `${a}>=0&&${b}>0&&(${a}|0)===${a}&&(${b}|0)===${b}`;
    return `${this.#ifNumbers(a, b, [small])}{${this.#into(d, result)}}else{${this.#performed(pc)}}`;
  }

  #into(register: number, value: string): string {
    this.#note(register);
    this.#set.add(register);
    return `R[${register}]=r${register}=${value};`;
  }

  /** Fails where a variable is not set. What is computed meanwhile always is. */
  #checked(pc: number, at: number): string {
    const word = this.#code[pc + at] as number;
    if (word < 0) return this.#constants[~word]?.k === "unset" ? `p=${pc};unset(s,f,${pc + at});` : "";
    if (word >= this.#routine.variables.length || this.#set.has(word)) return "";
    this.#set.add(word);
    return `if(r${word}===undefined){p=${pc};unset(s,f,${pc + at});}`;
  }

  #constant(at: number): unknown {
    const constant = this.#constants[at];
    return constant?.k === "value" ? constant.v : undefined;
  }

  #value(word: number): string {
    if (word >= 0) {
      this.#note(word);
      return `r${word}`;
    }
    const constant = this.#constant(~word);
    if (typeof constant === "number" && Number.isInteger(constant) && constant >= 0 && constant < 2 ** 31)
      return String(constant);
    if (constant === true || constant === false || constant === null) return String(constant);
    this.#used.add(~word);
    return `k${~word}`;
  }

  #note(register: number): void {
    this.#registers.add(register);
  }
}

function isDigit(text: string): boolean {
  return text >= "0" && text < ":";
}
