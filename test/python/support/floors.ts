/** How many programs of each case file are right at least: `cases/floors.json`. `report.mjs --raise` writes it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Floors = Readonly<Record<string, number>>;

export function readFloors(folder: string): Floors {
  const path = join(folder, "floors.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Floors) : {};
}

export function floorsText(floors: Floors): string {
  const sorted = Object.entries(floors).sort(([left], [right]) => (left < right ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`;
}
