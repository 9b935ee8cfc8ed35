/**
 * Steps: walks the code in order and counts what is charged and not visited yet. Every node must be charged on every way
 * before it acts, exactly once, and what a failure or a repeated visit gives back or takes must be what is left of the block.
 */
import { instructionLength, Op } from "../opcodes.ts";
import { goesOn, isFused, isWhileNext, type Scan, wordAt } from "./scan.ts";

/** Where the nodes are: filled while the code is walked. */
export type SitePlaces = { readonly routine: Int32Array; readonly region: Int32Array };

type Walk = {
  readonly scan: Scan;
  /** pc → steps of the block that starts there. */
  readonly steps: Int32Array;
  /** pc → row of `blocks`. */
  readonly rows: Int32Array;
  /** pc → 1: reached without a charge other than from the instruction before. */
  readonly joined: Uint8Array;
  readonly places: SitePlaces;
  /** The next node to be visited. */
  site: number;
  /** Steps charged but after this place. */
  left: number;
  /** Whether control comes from the instruction before, and whether that one has charged what starts here. */
  live: boolean;
  charged: boolean;
};

/** Where the sites are, or why the variant is refused. */
export function checkCharges(scan: Scan): SitePlaces | string {
  const { site_pc, site_charge, sites } = scan.tables;
  if (site_pc.length !== sites.length || site_charge.length !== sites.length) return "tables of sites differ in length";
  const rows = new Int32Array(scan.tables.code.length).fill(-1);
  const steps = new Int32Array(scan.tables.code.length);
  const wrong = readBlocks(scan, steps, rows);
  if (wrong !== null) return wrong;
  const places = { routine: new Int32Array(sites.length), region: new Int32Array(sites.length) };
  const joined = joinedPlaces(scan, steps);
  const walk: Walk = { scan, steps, rows, joined, places, site: 0, left: 0, live: false, charged: true };
  for (let at = 0; at < scan.count; at++) {
    const pc = scan.heads[at] as number;
    const fault = arrive(walk, at, pc) ?? pass(walk, at, pc);
    if (fault !== null) return `${fault} at ${pc}`;
  }
  return walk.site === sites.length ? places : "a site lies after the code";
}

function readBlocks(scan: Scan, steps: Int32Array, rows: Int32Array): string | null {
  const { blocks, marks, routines } = scan.tables;
  if (blocks.length % 4 !== 0) return "a block row is cut off";
  let before = -1;
  for (let row = 0; row < blocks.length; row += 4) {
    const pc = blocks[row] as number;
    const charge = blocks[row + 1] as number;
    const mark = blocks[row + 2] as number;
    if (pc <= before || (scan.indexAt[pc] ?? -1) < 0 || charge <= 0) return `the block at ${pc} is misplaced`;
    if (mark !== -1 && marks[mark] !== pc) return `the block at ${pc} has another mark`;
    // Elsewhere only a Charge counts, so that the place it charges for is known.
    if (mark !== -1 && scan.kind !== "fast") return `the block at ${pc} is charged from outside`;
    steps[pc] = charge;
    rows[pc] = row;
    before = pc;
  }
  for (const { pc, charge } of routines) if (steps[pc] !== charge) return `the routine at ${pc} has another charge`;
  return null;
}

/** Targets of jumps, and of charging jumps that charge nothing. */
function joinedPlaces(scan: Scan, steps: Int32Array): Uint8Array {
  const { code } = scan.tables;
  const joined = new Uint8Array(code.length);
  for (const { exit } of scan.regions) joined[exit] = 1;
  for (let at = 0; at < scan.count; at++) {
    const pc = scan.heads[at] as number;
    const op = code[pc] as number;
    const target = code[pc + wordAt(op, "t")] as number;
    if (op === Op.Jump || ((op === Op.Branch || op === Op.BranchLt) && steps[target] === 0)) joined[target] = 1;
  }
  return joined;
}

/** The state at the instruction, and the nodes that are visited there. */
function arrive(walk: Walk, at: number, pc: number): string | null {
  const { scan, steps, rows } = walk;
  const { code, blocks } = scan.tables;
  const charge = steps[pc] as number;
  if (charge > 0) {
    if (walk.live && !walk.charged) return "a block is entered without its charge";
    walk.left = charge;
    const row = rows[pc] as number;
    if (blocks[row + 3] !== walk.site) return "the block starts with another site";
    if (blocks[row + 2] === -1 && !(walk.live && code[pc - 2] === Op.Charge && (scan.indexAt[pc - 2] as number) >= 0)) {
      return "nothing charges the block";
    }
  } else if (!walk.live) {
    walk.left = 0;
  }
  // Outside of the fast variant a node begins with the Charge that counts it.
  const begins = scan.kind !== "fast" && code[pc] === Op.Charge;
  const wrong = code[pc] === Op.Visit ? visitTraced(walk, at, pc) : visitSites(walk, at, begins ? pc - 1 : pc);
  if (wrong !== null) return wrong;
  // A jump brings nothing along: nodes visited here belong to the way that falls in, and nothing may be left after them.
  return walk.joined[pc] === 1 && walk.left !== 0 ? "ways meet inside a block" : null;
}

/** Visits the sites that start at most at `until`. */
function visitSites(walk: Walk, at: number, until: number): string | null {
  const { scan, places } = walk;
  const { site_pc, site_charge } = scan.tables;
  for (; walk.site < site_pc.length && (site_pc[walk.site] as number) <= until; walk.site++) {
    const site = walk.site;
    if (walk.left <= 0) return `site ${site} is not charged`;
    if (site_charge[site] !== (scan.kind === "fast" ? walk.left : 0)) return `site ${site} has another charge`;
    const wrong = startFault(scan, site);
    if (wrong !== null) return wrong;
    places.routine[site] = scan.routineOf[at] as number;
    places.region[site] = scan.regionOf[at] as number;
    walk.left -= 1;
  }
  return null;
}

/** A site is repeated from its first instruction, where it is charged again. */
function startFault(scan: Scan, site: number): string | null {
  const { code, site_pc, sites } = scan.tables;
  const pc = site_pc[site] as number;
  const isHead = (scan.indexAt[pc] ?? -1) >= 0;
  if (scan.kind === "fast") return isHead || sites[site]?.retry === -1 ? null : `site ${site} cannot be repeated`;
  return isHead && code[pc] === Op.Charge ? null : `site ${site} does not begin with its charge`;
}

function visitTraced(walk: Walk, at: number, pc: number): string | null {
  const { scan, places } = walk;
  const { code, site_pc, site_charge } = scan.tables;
  const site = code[pc + 1] as number;
  const wrong = visitSites(walk, at, pc - 1);
  if (wrong !== null) return wrong;
  if (site !== walk.site || site_pc[site] !== pc || site_charge[site] !== 0)
    return `site ${site} is not announced here`;
  places.routine[site] = scan.routineOf[at] as number;
  places.region[site] = scan.regionOf[at] as number;
  walk.site += 1;
  return walk.left === 0 ? null : "a node is announced inside a block";
}

/** The charges of the instruction itself. */
function pass(walk: Walk, at: number, pc: number): string | null {
  const { scan } = walk;
  const { code, refund_at } = scan.tables;
  const op = code[pc] as number;
  if (refund_at[pc] !== walk.left) return "another number of steps is given back";
  const end = pc + instructionLength(code, pc);
  if (isFused(op)) {
    const wrong = visitSites(walk, at, end - 1);
    if (wrong !== null) return wrong;
  }
  if (ENDS_BLOCK.has(op) && walk.left !== 0) return "a block continues after its end";
  walk.live = goesOn(op) || op === Op.Fail;
  walk.charged = CHARGES_NEXT.has(op);
  return chargesFault(walk, pc, op, end);
}

const ENDS_BLOCK: ReadonlySet<number> = new Set([
  Op.Charge,
  Op.Jump,
  Op.Branch,
  Op.BranchLt,
  Op.LoopInit,
  Op.LoopNext,
  Op.WhileInit,
  Op.WhileNext,
  Op.WhileNextLt,
  Op.AddWhileNextLt,
  Op.Call,
  Op.CallValue,
  Op.Ret,
  Op.Invoke,
  Op.Fork,
  Op.Visit,
]);

/** They charge the block that starts after them. */
const CHARGES_NEXT: ReadonlySet<number> = new Set([
  Op.Charge,
  Op.Branch,
  Op.BranchLt,
  Op.LoopInit,
  Op.WhileInit,
  Op.Call,
]);

function chargesFault(walk: Walk, pc: number, op: number, end: number): string | null {
  const { steps, scan } = walk;
  const { code, routines } = scan.tables;
  const n = wordAt(op, "n");
  if (n === 0) return null;
  const target = code[pc + wordAt(op, "t")] as number;
  const routine = routines[code[pc + 2] as number];
  const charged = (word: number, place: number | undefined): boolean =>
    code[pc + word] === (place === undefined ? undefined : steps[place]);
  let right: boolean;
  if (op === Op.Charge) right = charged(n, end) && (code[pc + n] as number) > 0;
  else if (op === Op.Call) right = charged(n, routine?.pc) && charged(n + 2, end);
  else if (op === Op.CallValue) right = charged(n, routine?.pc);
  // An inlined Call's block continues after it.
  else if (op === Op.LoopNext || isWhileNext(op)) right = charged(n, target);
  else if (op === Op.LoopInit || op === Op.WhileInit) right = charged(n, end);
  else right = charged(n, end) && charged(n + 1, target);
  return right ? null : "another charge than the block's";
}
