/** The rows in Python as a table. */
import { columns } from "../report.ts";
import { pythonRowNamed } from "./rows.ts";
import { PYTHON_SIDE_NAMES, PYTHON_SIDES, type PythonSideName } from "./sides.ts";
import { type AimMet, PER_MS, type PythonTimes } from "./times.ts";

const PEERS = PYTHON_SIDE_NAMES.filter((name) => name !== "weft");

export function pythonText(times: readonly PythonTimes[]): string {
  if (times.length === 0) return "";
  const head = ["Programs in Python", "Weft, a run", ...PEERS.map((side) => PYTHON_SIDES[side].title), "aim"];
  const missed = times.flatMap(({ aims }) => aims).filter(({ isMet }) => !isMet).length;
  const verdict = "Others: how many times as long the same takes there; more than 1 means that Weft is faster.";
  return `${columns([head, ...times.map(rowText)])}${verdict} Missed aims: ${missed}.\n\n`;
}

function rowText({ row: name, sides, aims }: PythonTimes): string[] {
  const row = pythonRowNamed(name);
  const { weft } = sides;
  if (row === undefined || weft === undefined) return [name];
  const amount = (ms: number): string => digits(ms * PER_MS[row.unit]);
  const ratio = (side: PythonSideName): string => {
    const other = sides[side];
    return other === undefined ? "" : `${digits(other.median / weft.median)}×`;
  };
  const own = `${amount(weft.median)} ${row.unit} (${amount(weft.low)}–${amount(weft.high)})`;
  return [row.title, own, ...PEERS.map(ratio), aims.map((aim) => aimText(aim, row.unit)).join("; ")];
}

function aimText({ of, target, isMet, value }: AimMet, unit: string): string {
  const bound = "at_most" in target ? `≤ ${digits(target.at_most)}` : `≥ ${digits(target.at_least)}`;
  const what = of === "time" ? ` ${unit}` : `× ${PYTHON_SIDES[of].title}`;
  return `${bound}${what}: ${isMet ? "met" : `MISSED, ${digits(value)}`}`;
}

const digits = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
