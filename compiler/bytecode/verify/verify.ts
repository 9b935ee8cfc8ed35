/**
 * Whether a program may run: linear in its size, never throws. A program that passes cannot make the machine read outside of
 * its arrays, run on without being charged, or fail in any other way than with a coded error (docs/bytecode.md, verification).
 * Types of the tables are `compiler/bytecode/tables.ts`'s business; only what positions and numbers mean is proved here.
 */
import { VARIANTS } from "../encode.ts";
import { FIXED_VARIABLES, type Program, type VariantKind, type VariantTables } from "../program.ts";
import { checkCharges, type SitePlaces } from "./charges.ts";
import { checkFlow } from "./flow.ts";
import { type Scan, scanVariant } from "./scan.ts";
import { checkExchange, checkTables } from "./tables.ts";
import { checkWords } from "./words.ts";

export type Verified = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const MAX_WORDS = 4_000_000;
const MAX_ROUTINES = 262_144;

type Placed = { readonly scan: Scan; readonly places: SitePlaces };

export function verifyProgram(program: Program): Verified {
  const named = checkNames(program);
  if (named !== null) return { ok: false, reason: named };
  const placed = new Map<VariantKind, Placed>();
  for (const kind of VARIANTS) {
    const found = verifyVariant(program, kind, program.variant(kind));
    if (typeof found === "string") return { ok: false, reason: `${kind}: ${found}` };
    placed.set(kind, found);
  }
  const fast = placed.get("fast");
  const stepped = placed.get("stepped");
  const wrong = fast === undefined || stepped === undefined ? "no code" : checkExchange(fast, stepped, program);
  return wrong === null ? { ok: true } : { ok: false, reason: wrong };
}

/** The same for one variant alone, which is all that a reader of its code needs. */
export function verifyCode(program: Program, kind: VariantKind): Verified {
  const found = checkNames(program) ?? verifyVariant(program, kind, program.variant(kind));
  return typeof found === "string" ? { ok: false, reason: found } : { ok: true };
}

/** The machine writes its own variables by number, and finds the caller's by name. */
function checkNames({ names, slots }: Program): string | null {
  if (!FIXED_VARIABLES.every((name, slot) => names[slot] === name)) return "the machine's variables are misplaced";
  if (slots.size !== names.length || !names.every((name, slot) => slots.get(name) === slot))
    return "variables share a name";
  return names.length > MAX_WORDS ? "too many variables" : null;
}

function verifyVariant(program: Program, kind: VariantKind, tables: VariantTables): Placed | string {
  const wrong = checkSize(tables);
  if (wrong !== null) return wrong;
  if (tables.routines[0]?.label !== program.entry) return "the first routine is not the entry";
  const scan = scanVariant(program, kind, tables);
  if (typeof scan === "string") return scan;
  const refused = checkWords(scan) ?? checkFlow(scan);
  if (refused !== null) return refused;
  const places = checkCharges(scan);
  return typeof places === "string" ? places : (checkTables(scan, places) ?? { scan, places });
}

function checkSize({
  code,
  routines,
  site_at,
  refund_at,
  unset_at,
  temporaries,
  ...rest
}: VariantTables): string | null {
  if (code.length > MAX_WORDS) return "more than four million words";
  if (routines.length === 0 || routines.length > MAX_ROUTINES) return "no routine, or too many";
  const lengths = [site_at.length, refund_at.length, unset_at.length];
  if (lengths.some((length) => length !== code.length)) return "tables of places differ in length from the code";
  const { marks, blocks, constants, aux, labels, sites, retries, handlers } = rest;
  const sizes = [temporaries, marks.length, constants.length, aux.length, labels.length, sites.length];
  // Each of them is there for an instruction or a node.
  if (sizes.some((size) => size > MAX_WORDS)) return "a table is too large";
  return [blocks, retries, handlers].some((table) => table.length > MAX_WORDS) ? "a table is too large" : null;
}
