/**
 * Bytecode as text, one instruction a line: pc, name, operands by name where they have one, and the node it stands for.
 * Stable, so that golden listings can be compared.
 */
import { writtenLabel } from "../../grammar/text/written-label.ts";
import { INSTRUCTIONS, instructionLength, type WordKind } from "./opcodes.ts";
import type { Program, VariantKind, VariantTables } from "./program.ts";

/** The listing of one variant. Total: unknown opcodes are shown as numbers. */
export function disassemble(program: Program, kind: VariantKind = "fast"): string {
  const tables = program.variant(kind);
  const routineAt = new Map(tables.routines.map((routine, index) => [routine.pc, index]));
  const lines = [
    `${program.format} ${program.version}  entry ${program.entry}  variant ${kind}  ${program.ir_checksum}`,
  ];
  for (let pc = 0; pc < tables.code.length; ) {
    const routine = tables.routines[routineAt.get(pc) ?? -1];
    if (routine !== undefined) {
      lines.push(
        "",
        `routine ${routineAt.get(pc)}  ${writtenLabel(routine.label)}  charge ${routine.charge}  loops ${routine.loops}`,
      );
    }
    lines.push(line(program, tables, pc));
    pc += Math.max(1, instructionLength(tables.code, pc));
  }
  return `${lines.join("\n")}\n`;
}

function line(program: Program, tables: VariantTables, pc: number): string {
  const { code } = tables;
  const instruction = INSTRUCTIONS[code[pc] ?? -1];
  const name = instruction?.name ?? `op${code[pc]}`;
  const words: string[] = [];
  const kinds: WordKind[] = [...(instruction?.words ?? [])];
  const length = instructionLength(code, pc);
  while (kinds.length < length - 1) kinds.push("a");
  kinds.forEach((kind, at) => {
    words.push(word(program, tables, kind, code[pc + 1 + at] ?? 0));
  });
  const site = tables.sites[tables.site_at[pc] ?? -1];
  const place = site === undefined ? "" : `  ; ${writtenLabel(site.label)} ${site.id} ${site.op}`;
  const refund = tables.refund_at[pc] ?? 0;
  const left = refund > 0 ? ` (${refund} more charged)` : "";
  return `${String(pc).padStart(5)}  ${`${name.padEnd(15)}${words.join(" ")}`.padEnd(48)}${place}${left}`.trimEnd();
}

function word(program: Program, tables: VariantTables, kind: WordKind, value: number): string {
  switch (kind) {
    case "d":
    case "D":
    case "a":
      return slotName(program, tables, value);
    case "t":
      return `->${value}`;
    case "n":
      return `+${value}`;
    case "k":
      return `depth${value}`;
    case "l":
      return `loop${value}`;
    case "x":
      return auxText(tables, value);
    case "r":
      return writtenLabel(tables.routines[value]?.label ?? "?");
    case "y":
      return `#${value}`;
    default:
      return String(value);
  }
}

function slotName(program: Program, tables: VariantTables, slot: number): string {
  if (slot < 0) return "-";
  const name = program.names[slot];
  if (name !== undefined) return name;
  const constant = slot - program.names.length;
  if (constant < tables.constants.length) return cut(JSON.stringify(tables.constants[constant]));
  return `t${constant - tables.constants.length}`;
}

function auxText(tables: VariantTables, index: number): string {
  const entry = tables.aux[index];
  if (entry === undefined) return `aux${index}`;
  switch (entry.kind) {
    case "fn":
    case "host":
    case "unknown_fn":
      return entry.name;
    case "path":
      return cut(`.${entry.segments.join(".")}`);
    case "keys":
      return cut(`{${entry.keys.join(",")}}`);
    case "inputs":
      return cut(`(${entry.names.join(",")})`);
    case "filt":
      return cut(`${entry.field} ${entry.cmp}`);
    case "sort":
      return cut(`${entry.field} ${entry.order}`);
    case "fork":
      return `${entry.item ?? "-"} limit ${entry.limit} ${entry.mode} routines ${entry.routines.join(",")}`;
    case "call":
      return `${entry.adapter ?? "?"}.${entry.verb ?? "?"}`;
    default:
      return entry.port ?? "-";
  }
}

function cut(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
