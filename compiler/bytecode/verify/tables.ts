/**
 * The tables next to the code: sites and what protects them, calls, entries. And what `fast` and `stepped` must have in common, so
 * that a run can go over from one to the other at any block.
 */
import type { Json } from "../../json.ts";
import { Op } from "../opcodes.ts";
import type { NodeSite, Program } from "../program.ts";
import type { SitePlaces } from "./charges.ts";
import { MAX_NESTING, type Region, type Scan } from "./scan.ts";
import { isIndex } from "./words.ts";

export function checkTables(scan: Scan, places: SitePlaces): string | null {
  const roots = new Int32Array(scan.tables.sites.length);
  return (
    checkSites(scan, places, roots) ??
    checkHandlers(scan) ??
    checkAttribution(scan, places, roots) ??
    checkCalls(scan) ??
    checkEntries(scan)
  );
}

/** Also fills `roots`: site → the site of its routine's own label that led to it. */
function checkSites(scan: Scan, places: SitePlaces, roots: Int32Array): string | null {
  const { sites } = scan.tables;
  const depths = new Uint8Array(sites.length);
  const inits = loopSites(scan);
  for (let at = 0; at < sites.length; at++) {
    const site = sites[at] as NodeSite;
    const { parent } = site;
    // Parents come first, so their chains end.
    if (parent < -1 || parent >= at) return `site ${at} has a bad parent`;
    if (parent >= 0 && places.routine[parent] !== places.routine[at]) return `site ${at} has a parent elsewhere`;
    roots[at] = parent < 0 ? at : (roots[parent] as number);
    depths[at] = parent < 0 ? 0 : (depths[parent] as number) + 1;
    if ((depths[at] as number) > MAX_NESTING) return `site ${at} is nested too deeply`;
    const wrong = siteFault(scan, site, places.routine[at] as number);
    if (wrong !== null || (site.op === "Loop" && inits[at] === 0)) return `site ${at} has ${wrong ?? "no loop"}`;
  }
  return null;
}

function siteFault(scan: Scan, site: NodeSite, routine: number): string | null {
  const { retries, handlers, routines } = scan.tables;
  if (site.retry !== -1 && !isIndex(site.retry, retries.length)) return "a bad retry";
  if (site.handler !== -1 && !isIndex(site.handler, handlers.length)) return "a bad handler";
  if (site.loop !== -1 && !isIndex(site.loop, routines[routine]?.loops ?? 0)) return "a bad loop register";
  return site.item === -1 || isIndex(site.item, scan.variables) ? null : "a bad item variable";
}

/** Site → 1 when the loop it names is the one that it begins. */
function loopSites(scan: Scan): Uint8Array {
  const { site_at, sites } = scan.tables;
  const found = new Uint8Array(sites.length);
  for (const region of scan.regions) {
    const at = site_at[region.init] as number;
    const site = sites[at];
    if (region.isLoop && site?.loop === region.register && site.item === region.item) found[at] = 1;
  }
  return found;
}

function checkHandlers(scan: Scan): string | null {
  const { handlers, routines } = scan.tables;
  const at = handlers.findIndex(({ label, routine }) => routines[routine]?.label !== label);
  return at < 0 ? null : `handler ${at} has another label than its routine`;
}

/** Which node an instruction belongs to: one of its routine, whose repetition starts no further inside a loop. */
function checkAttribution(scan: Scan, places: SitePlaces, roots: Int32Array): string | null {
  const { heads, count } = scan;
  const { code, site_at } = scan.tables;
  for (let at = 0; at < count; at++) {
    const pc = heads[at] as number;
    const op = code[pc] as number;
    const site = site_at[pc] as number;
    // What ends at a Ret is the run; an empty label has no node to blame.
    const right = op === Op.Ret ? site === -1 || isIndex(site, roots.length) : belongs(scan, places, roots, at, site);
    if (!right || !wordsBelong(scan, places, roots, at))
      return `the instruction at ${pc} belongs to no node of its routine`;
  }
  return null;
}

function wordsBelong(scan: Scan, places: SitePlaces, roots: Int32Array, at: number): boolean {
  const { code } = scan.tables;
  const pc = scan.heads[at] as number;
  const word = (offset: number): boolean => belongs(scan, places, roots, at, code[pc + offset] as number);
  switch (code[pc]) {
    case Op.WhileNext:
      return word(5);
    case Op.WhileNextLt:
      return word(7);
    case Op.AddWhileNextLt:
      return word(10) && word(11);
    case Op.BranchLt:
      return word(8);
    case Op.Leave:
      return word(1);
    default:
      return true;
  }
}

function belongs(scan: Scan, places: SitePlaces, roots: Int32Array, at: number, site: number): boolean {
  if (!isIndex(site, roots.length) || places.routine[site] !== scan.routineOf[at]) return false;
  const root = roots[site] as number;
  if (scan.tables.sites[root]?.retry === -1) return true;
  const region = places.region[root] as number;
  return region < 0 || holds(scan.regions[region], scan.heads[at] as number);
}

function holds(region: Region | undefined, pc: number): boolean {
  return region !== undefined && pc >= region.start && pc <= region.end;
}

function checkCalls(scan: Scan): string | null {
  const { code, calls } = scan.tables;
  let next = 0;
  for (let at = 0; at < scan.count; at++) {
    const pc = scan.heads[at] as number;
    if (code[pc] === Op.Fork && !entersAt(scan.tables, pc)) return `the branches at ${pc} enter no label`;
    if (code[pc] !== Op.Call && code[pc] !== Op.CallValue) continue;
    if (calls[next] !== pc) return `the call at ${pc} is not listed`;
    next += 1;
  }
  return next === calls.length ? null : "an entry of the call list is not a call";
}

/** Whether `entries` has a row for the instruction at `pc`: their first words are sorted. */
function entersAt({ entries }: Scan["tables"], pc: number): boolean {
  for (let at = 0; at < entries.length; at += 3) if (entries[at] === pc) return true;
  return false;
}

const ENTERING: ReadonlySet<number> = new Set([
  Op.Call,
  Op.CallValue,
  Op.Branch,
  Op.BranchLt,
  Op.Enter,
  Op.LoopInit,
  Op.WhileInit,
  Op.Fork,
]);

function checkEntries(scan: Scan): string | null {
  const { code, entries, labels, marks } = scan.tables;
  if (entries.length % 3 !== 0) return "a row of entries is cut off";
  let before = -1;
  for (let at = 0; at < entries.length; at += 3) {
    const pc = entries[at] as number;
    if (pc <= before || (scan.indexAt[pc] ?? -1) < 0 || !ENTERING.has(code[pc] as number))
      return `no label is entered at ${pc}`;
    for (const label of [entries[at + 1] as number, entries[at + 2] as number]) {
      if (label !== -1 && !isIndex(label, labels.length)) return `an unknown label is entered at ${pc}`;
    }
    before = pc;
  }
  const lost = marks.findIndex((pc) => (scan.indexAt[pc] ?? -1) < 0);
  return lost < 0 ? null : `mark ${lost} is misplaced`;
}

type Placed = { readonly scan: Scan; readonly places: SitePlaces };

/** A run that goes over from `fast` to `stepped` keeps slots, records and loop registers: they must mean the same in both. */
export function checkExchange(fast: Placed, stepped: Placed, program: Program): string | null {
  const a = fast.scan.tables;
  const b = stepped.scan.tables;
  for (const name of ["constants", "aux", "labels", "sites", "retries", "handlers"] as const) {
    if (!same(a[name], b[name])) return `fast and stepped differ in ${name}`;
  }
  if (a.temporaries !== b.temporaries) return "fast and stepped differ in temporaries";
  const sameRoutines =
    a.routines.length === b.routines.length &&
    a.routines.every(({ label, loops }, at) => {
      const other = b.routines[at];
      return other?.label === label && other.loops === loops;
    });
  if (!sameRoutines || a.routines[0]?.label !== program.entry) return "fast and stepped differ in routines";
  if (a.marks.length !== b.marks.length || a.calls.length !== b.calls.length)
    return "fast and stepped differ in places";
  if (!sameRegions(fast.scan, stepped.scan)) return "fast and stepped differ in loops";
  if (!a.marks.every((pc, at) => samePlace(fast.scan, pc, stepped.scan, b.marks[at] as number)))
    return "a mark differs";
  if (!a.calls.every((pc, at) => sameCall(fast.scan, pc, stepped.scan, b.calls[at] as number))) return "a call differs";
  const { routine, region } = stepped.places;
  const sitesAgree = (site: number): boolean =>
    fast.places.routine[site] === routine[site] && fast.places.region[site] === region[site];
  return a.sites.every((_, site) => sitesAgree(site)) ? null : "a site is elsewhere";
}

function sameRegions(a: Scan, b: Scan): boolean {
  return (
    a.regions.length === b.regions.length &&
    a.regions.every((region, at) => {
      const other = b.regions[at];
      return other?.isLoop === region.isLoop && other.register === region.register && other.item === region.item;
    })
  );
}

function samePlace(a: Scan, pcA: number, b: Scan, pcB: number): boolean {
  const atA = a.indexAt[pcA] as number;
  const atB = b.indexAt[pcB] as number;
  return a.routineOf[atA] === b.routineOf[atB] && a.regionOf[atA] === b.regionOf[atB];
}

/** Opcode, destination, routine, depth and loop registers in use; charges differ. */
function sameCall(a: Scan, pcA: number, b: Scan, pcB: number): boolean {
  const words = [0, 1, 2, 3, 5].every((word) => a.tables.code[pcA + word] === b.tables.code[pcB + word]);
  return words && samePlace(a, pcA, b, pcB);
}

type Comparable = Json | undefined | readonly Comparable[] | { readonly [key: string]: Comparable };

/** Tables as deep as `compiler/bytecode/tables.ts` lets them be. */
function same(a: Comparable, b: Comparable): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  if (a === b) return true;
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  const left = a as { readonly [key: string]: Comparable };
  const right = b as { readonly [key: string]: Comparable };
  return keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]));
}
