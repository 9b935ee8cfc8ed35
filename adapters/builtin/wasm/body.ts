/**
 * Walks through the code of a function: whether all of its instructions are admitted, and how much work it is to compile. The engine
 * keeps a picture of all locals and operands for every place that code can jump to, and looks through them at every call; so a few
 * thousand bytes that have many of both would take gigabytes, on a thread that nothing can end meanwhile.
 */
import { blockType, instructionAt, known, type Signature, skipOperands, valueType } from "./instructions.ts";
import { refused, type WasmReader } from "./reader.ts";

/**
 * Locals and operands that are alive, summed over all places where the engine looks at them; each costs about 12 bytes. Compilers that
 * optimize stay below a million in the largest functions of interpreters and parsers.
 */
const MAX_EFFORT = 10_000_000;
/** Of such a place itself. */
const PLACE_EFFORT = 16;

/** What functions and blocks refer to by number. */
export type ModuleTypes = {
  readonly types: readonly Signature[];
  /** Types of functions, imported ones first. */
  readonly functions: readonly number[];
};

type Block = { readonly base: number; readonly type: Signature };

/** Throws when the body of a function, locals first, holds anything that is not admitted, or is too much work. */
export function checkBody(reader: WasmReader, type: Signature, module: ModuleTypes): void {
  let locals = type.params.length;
  reader.list(() => {
    locals += reader.u32();
    valueType(reader);
  });
  const body = new Body(reader, locals, type, module);
  while (!reader.done) body.step();
}

class Body {
  readonly #reader: WasmReader;
  readonly #locals: number;
  readonly #module: ModuleTypes;
  readonly #blocks: Block[];
  /** Operands on the stack; after a jump, in unreachable code, as if empty. */
  #height = 0;
  #effort = 0;

  constructor(reader: WasmReader, locals: number, type: Signature, module: ModuleTypes) {
    this.#reader = reader;
    this.#locals = locals;
    this.#module = module;
    this.#blocks = [{ base: 0, type: { params: [], results: type.results } }];
  }

  step(): void {
    const { operands, net, flow } = instructionAt(this.#reader);
    const block = this.#blocks.at(-1);
    if (block === undefined) throw refused("malformed");
    switch (flow) {
      case "block":
        this.#enter(block, net);
        return;
      case "else":
        this.#height = block.base + block.type.params.length;
        this.#charge(1);
        return;
      case "end":
        this.#height = block.base + block.type.results.length;
        this.#blocks.pop();
        return;
      case "jumps":
        this.#charge(Math.min(this.#jumps(), this.#blocks.length));
        this.#move(block, net);
        return;
      case "call":
      case "call_type":
        this.#charge(1);
        this.#call(block, flow, net);
        return;
      default:
        skipOperands(this.#reader, operands);
        if (flow === "spill") this.#charge(1);
        this.#move(block, net);
    }
  }

  #enter(around: Block, net: number): void {
    const type = blockType(this.#reader, this.#module.types);
    this.#move(around, net);
    this.#charge(1);
    this.#blocks.push({ base: Math.max(around.base, this.#height - type.params.length), type });
  }

  #call(block: Block, flow: "call" | "call_type", net: number): void {
    const { types, functions } = this.#module;
    const number = this.#reader.u32();
    if (flow === "call_type") this.#reader.u32();
    const { params, results } = known(types[flow === "call" ? (functions[number] ?? -1) : number]);
    this.#move(block, net - params.length);
    this.#move(block, results.length);
  }

  /** How many targets a jump table has. */
  #jumps(): number {
    const targets = this.#reader.each(() => this.#reader.u32());
    this.#reader.u32();
    return targets + 1;
  }

  #move({ base }: Block, net: number): void {
    this.#height = Math.max(base, this.#height + net);
  }

  #charge(places: number): void {
    this.#effort += places * (this.#locals + this.#height + PLACE_EFFORT);
    if (this.#effort > MAX_EFFORT) throw refused("too_complex");
  }
}
