/**
 * Names that C, Q, Txn and Pol declare, as steps see them: a module's own declarations first, then the main file's, then
 * those of the other modules (docs/language.md, includes). Knows the meaning of these four declarations and no others.
 */
import type { DeclarationLine, Slot } from "../../../grammar/ast.ts";
import type { IrOperand } from "../../ir/graph.ts";
import type { FindingSink } from "../findings.ts";
import type { Module } from "../lowered.ts";
import { numberOperand, textOperand } from "../operands.ts";

type DeclaredCache = { readonly ttl_s: number | null; readonly fallback: IrOperand | null };
type DeclaredTransaction = { readonly resource: string | null; readonly mode: string | null };
/** Constraints in written order. */
type DeclaredPolicy = readonly (readonly [string, string])[];

export type DeclaredNames = {
  cache(name: string, module: Module): DeclaredCache | undefined;
  queue(name: string, module: Module): true | undefined;
  transaction(name: string, module: Module): DeclaredTransaction | undefined;
  policy(name: string, module: Module): DeclaredPolicy | undefined;
};

const CODES = { C: "WF3007", Q: "WF3008", Txn: "WF3009", Pol: "WF3010" } as const;
type NamingOp = keyof typeof CODES;

/** How an added declaration would read, where the name alone is enough. */
const ADDED_LINES: Partial<Record<NamingOp, (name: string) => string>> = {
  Q: (name) => `Q ${name}`,
  Txn: (name) => `Txn ${name}`,
};

const NUMBER = /^-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const CONSTANTS: Readonly<Record<string, IrOperand>> = {
  true: { k: "bool", v: true },
  false: { k: "bool", v: false },
  null: { k: "null" },
};

export function collectDeclaredNames(modules: readonly Module[]): DeclaredNames {
  const lines = new Map<Module, Map<string, DeclarationLine>>(modules.map((module) => [module, namesOfFile(module)]));
  /** The first module, in merge order, that declares a name. */
  const anywhere = new Map<string, DeclarationLine>();
  for (const names of lines.values()) {
    for (const [key, line] of names) if (!anywhere.has(key)) anywhere.set(key, line);
  }
  const find = <T>(op: NamingOp, name: string, module: Module, read: (line: DeclarationLine) => T): T | undefined => {
    const key = `${op} ${name}`;
    const line = lines.get(module)?.get(key) ?? anywhere.get(key);
    return line === undefined ? undefined : read(line);
  };
  return {
    cache: (name, module) => find("C", name, module, readCache),
    queue: (name, module) => find("Q", name, module, () => true),
    transaction: (name, module) => find("Txn", name, module, readTransaction),
    policy: (name, module) => find("Pol", name, module, readPolicy),
  };
}

/** WF3007 to WF3010: a step names something that no declaration gives. */
export function reportUndeclared(op: NamingOp, name: Slot, module: Module, sink: FindingSink): void {
  const added = /^[^\s"'#]+$/.test(name.text) ? ADDED_LINES[op]?.(name.text) : undefined;
  const first = module.file.lines[0]?.span;
  const fix =
    added === undefined || first === undefined
      ? null
      : {
          title: `add ${added}`,
          edits: [
            {
              span: { ...first, end_line: first.line, end_column: first.column, end: first.start },
              new_text: `${added}\n`,
            },
          ],
        };
  sink.report(CODES[op], name.span, { words: { name: name.text }, fix });
}

/** The first declaration of a name counts. */
function namesOfFile(module: Module): Map<string, DeclarationLine> {
  const names = new Map<string, DeclarationLine>();
  for (const line of module.file.lines) {
    if (line.kind !== "declaration" || line.too_short || !Object.hasOwn(CODES, line.op)) continue;
    const key = `${line.op} ${line.slots[0]?.text ?? ""}`;
    if (!names.has(key)) names.set(key, line);
  }
  return names;
}

function readCache(line: DeclarationLine): DeclaredCache {
  const [, , ttl, fallback] = line.slots;
  return {
    ttl_s: ttl === undefined ? null : wholeNumber(ttl.text),
    fallback: fallback === undefined ? null : readConstant(fallback),
  };
}

function readTransaction(line: DeclarationLine): DeclaredTransaction {
  return { resource: line.slots[1]?.text ?? null, mode: line.slots[2]?.text ?? null };
}

/** `key=value` words; a repeated key keeps its last value. */
function readPolicy(line: DeclarationLine): DeclaredPolicy {
  const constraints = new Map<string, string>();
  for (const slot of line.slots.slice(1)) {
    const equals = slot.text.indexOf("=");
    if (equals > 0) constraints.set(slot.text.slice(0, equals), slot.text.slice(equals + 1));
  }
  return [...constraints];
}

/** A bare number, `true`, `false` or `null` is that constant, everything else text. */
function readConstant(slot: Slot): IrOperand {
  if (slot.quoted) return textOperand(slot.text);
  if (Object.hasOwn(CONSTANTS, slot.text)) return CONSTANTS[slot.text] ?? textOperand(slot.text);
  const value = NUMBER.test(slot.text) ? Number(slot.text) : Number.NaN;
  return Number.isFinite(value) ? numberOperand(value) : textOperand(slot.text);
}

/** The value of DIGITS, null for anything else. */
export function wholeNumber(text: string): number | null {
  if (!/^[0-9]+$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}
