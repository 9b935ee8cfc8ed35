/** Time as text: `iso_ts` with its argument. Reading the clock is a host function and not here. */
import { OperationFailure } from "../errors/failures.ts";
import { type FunctionGroup, requiredNumber } from "./arguments.ts";

/** Seconds since 1970 of the first instant of year 0 and of the last of year 9999. */
const FIRST_SECOND = -62_167_219_200;
const LAST_SECOND = 253_402_300_799;

/** `YYYY-MM-DDTHH:MM:SSZ`; a fraction of a second is cut. */
export function isoText(seconds: number): string {
  const whole = Math.trunc(seconds);
  if (!(whole >= FIRST_SECOND && whole <= LAST_SECOND)) {
    throw new OperationFailure("time outside years 0000 to 9999", "number_range");
  }
  return `${new Date(whole * 1000).toISOString().slice(0, 19)}Z`;
}

export const timeFunctions: FunctionGroup = { iso_ts: (args) => isoText(requiredNumber(args, 0, "iso_ts")) };
