/** All rows of the library by name. */
import { BYTES } from "./bytes.ts";
import { DATES } from "./dates.ts";
import { ENCODINGS } from "./encodings.ts";
import { HOST } from "./host.ts";
import { JSON_ROWS } from "./json.ts";
import { HOSTED } from "./modules/hosted.ts";
import { MODULES } from "./modules/rows.ts";
import { PRELUDE } from "./prelude.ts";
import { RE } from "./re.ts";
import type { Row } from "./row.ts";
import { STR } from "./str.ts";
import { VALUES } from "./values/rows.ts";
import { WORDS } from "./words.ts";

const PARTS: readonly (readonly Row[])[] = [
  VALUES,
  MODULES,
  STR,
  BYTES,
  RE,
  DATES,
  WORDS,
  ENCODINGS,
  JSON_ROWS,
  HOST,
  HOSTED,
  PRELUDE,
];

export const LIBRARY_ROWS: ReadonlyMap<string, Row> = new Map(PARTS.flat().map((row) => [row.name, row]));
