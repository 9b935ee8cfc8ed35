/** Programs of the simulated jobs, and what the result of each has to be. */
import type { Ir } from "../../../../../compiler/ir/graph.ts";
import type { OnUnknown } from "../../../../../vm/durable/call-options.ts";
import { compileForTest } from "../../../../support/run-case.ts";

export type ProgramName = keyof typeof SOURCES;

/** The call that acts each time gives "done", or "unknown" where its outcome is. */
const ACT =
  'L_act:\n  R ext.UNSAFE id ->r\n  Err ->L_unknown\n  J "done"\nL_unknown:\n  J _error_info.details.outcome\n';

const SOURCES = {
  writes: `L1:\n  R ext.READ id ->a\n  R ext.KEYED id ->b\n  Call L_act ->first\n  R ext.READ id ->c\n  R ext.KEYED id ->d\n  Call L_act ->second\n  J [first, second]\n${ACT}`,
  sleeps: `L1:\n  R ext.KEYED id ->a\n  R ext.SLEEP 700 ->t\n  Call L_act ->first\n  R ext.SLEEP 1800 ->u\n  R ext.KEYED id ->b\n  J [first]\n${ACT}`,
  hears: `L1:\n  R ext.WAIT "go" null 4000 ->one\n  Call L_act ->first\n  R ext.WAIT "go" null 4000 ->two\n  R ext.KEYED id ->b\n  R ext.WAIT "go" null 1500 ->three\n  J [first, one.data, two.data, three.data]\n${ACT}`,
  shares: `L1:\n  R ext.READ id ->a\n  R ext.WAIT "paid" "key" 3000 ->one\n  R ext.KEYED id ->b\n  R ext.WAIT "paid" "key" 3000 ->two\n  Call L_act ->first\n  J [first, one.data, two.data]\n${ACT}`,
  branches: `L1:\n  R ext.READ id ->a\n  Each heard [300, 900, 5000] ms ->L_hear limit=2\n  Par both ->L_act ->L_key\n  J [both, heard]\nL_hear:\n  R ext.READ ms ->a\n  R ext.WAIT "go" null ms ->s\n  Call L_act ->first\n  R ext.SLEEP 200 ->t\n  J [first, s.data]\nL_key:\n  R ext.WAIT "paid" "key" 3000 ->one\n  R ext.KEYED id ->b\n  J one.data\n${ACT}`,
  apart: `L1:\n  Each acts [1, 2, 3] n ->L_one limit=3\n  J acts\nL_one:\n  R ext.READ n ->a\n  Call L_act ->first\n  R ext.SLEEP 300 ->t\n  Call L_act ->second\n  J [first, second]\n${ACT}`,
  asks: `L1:\n  R ext.READ id ->a\n  Call L_act ->first\n  R ext.SLEEP 300 ->t\n  Call L_act ->second\n  R ext.KEYED id ->b\n  J [first, second]\n${ACT}`,
} as const;

/** Programs of which several branches wait at the same time. */
export const BRANCHED: readonly ProgramName[] = ["branches", "apart"];

/** Calls of a run that came to its end. */
const CALLS: Readonly<Record<ProgramName, number>> = {
  writes: 6,
  sleeps: 5,
  hears: 5,
  shares: 5,
  branches: 16,
  apart: 12,
  asks: 5,
};

export const PROGRAMS = Object.fromEntries(
  Object.entries(SOURCES).map(([name, source]) => [
    name,
    {
      ir: compileForTest(source, false, ["id"]),
      onUnknown: name === "asks" || name === "apart" ? "ask" : "fail",
      calls: CALLS[name as ProgramName],
    },
  ]),
) as Readonly<Record<ProgramName, { readonly ir: Ir; readonly onUnknown: OnUnknown; readonly calls: number }>>;

export const PROGRAM_NAMES = Object.keys(SOURCES) as readonly ProgramName[];
