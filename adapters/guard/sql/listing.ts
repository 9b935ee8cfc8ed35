/**
 * What the listing of a compiled statement (EXPLAIN) says about it. Programs of triggers and foreign keys stand in the listing after the
 * statement's own, each starting at address 0 again. The names of instructions are those of the SQLite in use.
 */
import type { Database } from "better-sqlite3";
import { foldedName, rejected } from "./rules.ts";

export type Instruction = {
  readonly addr: number;
  readonly opcode: string;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: string | null;
  readonly p5: number;
};

export type ListingFacts = {
  readonly ddl: boolean;
  readonly virtual: boolean;
  readonly createsVirtual: boolean;
  readonly inserts: boolean;
};

/** Number of the database itself; temporary tables are in 1, attached files come after. */
const MAIN = 0;
/** Root page of the schema table. */
const SCHEMA = 1;
/** Flags of p5. */
const ROOT_IN_REGISTER = 0x10;
const SETS_LAST_ROWID = 0x20;

/** What SQLite compiles CREATE … IF NOT EXISTS to when there is nothing to do. */
const ASK_JOURNAL_MODE = -1;

const REFUSED = new Set("Vacuum IncrVacuum Checkpoint AutoCommit Savepoint MaxPgcnt".split(" "));
const DDL = new Set("CreateBtree ParseSchema DropTable DropIndex DropTrigger Destroy VCreate VDestroy".split(" "));
const DDL_WORDS = new Set(["CREATE", "ALTER", "DROP"]);
const VIRTUAL = new Set("VBegin VOpen VFilter VUpdate VCreate VDestroy VRename".split(" "));
const CALLS = new Set("Function PureFunc AggStep AggStep1 AggInverse AggFinal AggValue".split(" "));
const OPENS = new Set(["OpenRead", "OpenWrite", "ReopenIdx"]);
const REFUSED_FUNCTIONS = new Set(
  "sqlite_attach sqlite_detach load_extension fts3_tokenizer fts5 rtreecheck rtreenode rtreedepth".split(" "),
);

/** `word` is the statement's first, in capitals. */
export function factsOf(listing: readonly Instruction[], word: string): ListingFacts {
  const own = ownProgram(listing);
  return {
    ddl: DDL_WORDS.has(word) || listing.some(({ opcode }) => DDL.has(opcode)),
    virtual: listing.some(({ opcode }) => VIRTUAL.has(opcode)),
    createsVirtual: listing.some(({ opcode }) => opcode === "VCreate"),
    inserts: own.some(
      ({ opcode, p1, p5 }) =>
        (opcode === "Insert" && (p5 & SETS_LAST_ROWID) !== 0) || (opcode === "VUpdate" && p1 === 1),
    ),
  };
}

/** Refuses statements about transactions, files and other databases, and DDL by other words than its own. */
export function admitInstructions(listing: readonly Instruction[], word: string, ddl: boolean): void {
  const refused = ({ opcode, p1, p3 }: Instruction) =>
    REFUSED.has(opcode) ||
    (opcode === "JournalMode" && p3 !== ASK_JOURNAL_MODE) ||
    (opcode === "SqlExec" && !ddl) ||
    (opcode === "CreateBtree" && p1 !== MAIN);
  if ((ddl && !DDL_WORDS.has(word)) || listing.some(refused)) {
    throw rejected("the statement is of a kind that is refused");
  }
}

/** Functions must be SQLite's own; those that come with a kind of virtual table need those to be allowed. */
export function admitFunctions(
  db: Database,
  listing: readonly Instruction[],
  word: string,
  allowVirtual: boolean,
): void {
  const called = new Set(listing.filter(({ opcode }) => CALLS.has(opcode)).map(({ p4 }) => functionName(p4)));
  if (called.size === 0) return;
  const known = functionsOf(db);
  for (const name of called) {
    const builtIn = known.get(name);
    // ALTER calls functions of SQLite that no statement can name.
    const fits = builtIn === undefined ? word === "ALTER" && name.startsWith("sqlite_") : builtIn || allowVirtual;
    if (!fits || REFUSED_FUNCTIONS.has(name)) throw rejected("the statement calls a function that is refused");
  }
}

/** Root pages of the tables and indexes that are opened, cleared or dropped. Throws for those outside of the database. */
export function* rootsOf(
  listing: readonly Instruction[],
  word: string,
  ddl: boolean,
  trustTriggers: boolean,
): Iterable<number> {
  for (const instruction of trustTriggers ? ownProgram(listing) : listing) {
    const page = rootOf(instruction);
    if (page === null) continue;
    if (page.root === null) {
      // The page of the table that is being created.
      if (ddl) continue;
      throw rejected("the statement is of a kind that is refused");
    }
    // ALTER also reads the schema of temporary tables, which is always empty here.
    if (page.database !== MAIN && !(word === "ALTER" && page.root === SCHEMA)) {
      throw rejected("the statement leaves the database");
    }
    // DDL keeps the schema table; CREATE TABLE … AS can also read from it.
    const keeps = ddl && page.root === SCHEMA && !(word === "CREATE" && instruction.opcode === "OpenRead");
    if (!keeps) yield page.root;
  }
}

function rootOf({ opcode, p1, p2, p3, p5 }: Instruction): { root: number | null; database: number } | null {
  if (OPENS.has(opcode)) return { root: (p5 & ROOT_IN_REGISTER) !== 0 ? null : p2, database: p3 };
  if (opcode === "Clear") return { root: p1, database: p2 };
  if (opcode === "Destroy") return { root: p1, database: p3 };
  return null;
}

/** The statement without triggers and foreign keys. */
function ownProgram(listing: readonly Instruction[]): readonly Instruction[] {
  const next = listing.findIndex(({ addr }, place) => place > 0 && addr === 0);
  return next < 0 ? listing : listing.slice(0, next);
}

/** `count(1)` → `count`. */
function functionName(p4: string | null): string {
  return foldedName((p4 ?? "").replace(/\(-?\d+\)$/, ""));
}

const functions = new WeakMap<Database, ReadonlyMap<string, boolean>>();

/** Name → true when built in, false when it comes with a kind of virtual table. Nothing adds functions to an open database. */
function functionsOf(db: Database): ReadonlyMap<string, boolean> {
  const known = functions.get(db);
  if (known !== undefined) return known;
  const rows = db.pragma("function_list") as readonly { readonly name: string; readonly builtin: number }[];
  const listed = new Map(rows.map(({ name, builtin }) => [foldedName(name), builtin === 1]));
  functions.set(db, listed);
  return listed;
}
