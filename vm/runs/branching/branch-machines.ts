/** The machines of branches: where they come from, and how the meters of the run travel to the one that has its turn. */
import type { Program } from "../../../compiler/bytecode/program.ts";
import { Machine } from "../../machine/machine.ts";
import type { MachineOptions } from "../../machine/options.ts";
import type { RunError } from "../../run.ts";

/** Machines that ran a branch, for the next ones of their program. */
const free = new WeakMap<Program, Machine[]>();
const MAX_FREE = 8;

/** What is left of the budgets goes with the branch for its slice. */
export function lendMeters(root: Machine, m: Machine): void {
  m.sliceSince = root.sliceSince;
  m.startedAt = root.startedAt;
  m.maxTime = root.maxTime;
  m.maxCalls = root.maxCalls;
  m.rest = root.rest;
  m.granted = root.granted;
  m.calls = root.calls;
  m.iterations = Math.max(root.iterations, m.iterations);
  m.depth = Math.max(root.depth, m.depth);
}

/** Takes the budgets back; of the steps granted, those that were not used. */
export function returnFuel(m: Machine, root: Machine): void {
  root.rest = m.rest + m.fuel;
  root.granted = m.granted - m.fuel;
  m.fuel = 0;
  root.calls = m.calls;
  root.iterations = Math.max(root.iterations, m.iterations);
  root.depth = Math.max(root.depth, m.depth);
}

/** A machine for a branch, loaded with nothing. */
export function machineOf(program: Program, options: MachineOptions): Machine {
  const machine = options.trace === null ? free.get(program)?.pop() : undefined;
  if (machine === undefined) return new Machine(program, {}, options);
  machine.load({}, options);
  return machine;
}

export function keepMachine(m: Machine): void {
  const machines = free.get(m.program);
  if (machines === undefined) free.set(m.program, [m]);
  else if (machines.length < MAX_FREE) machines.push(m);
}

/** Options of a machine without a run. */
export function idle(m: Machine): MachineOptions {
  const { deps, quantum } = m.options;
  return { deps, traceId: "", limits: {}, allowed: null, trace: null, signal: undefined, quantum };
}

export function errorOf({ error }: Machine): RunError {
  if (error === null) throw new Error("a run that did not fail has no error");
  return error;
}
