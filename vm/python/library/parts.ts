/** The parts of the library that stand in this folder: texts, bytes, patterns, JSON, the modules about them, and the functions of the prelude. */

import { BYTES } from "./bytes.ts";
import { DATES } from "./dates/part.ts";
import { CLOCKS } from "./dates/time.ts";
import { DECIMALS } from "./decimals.ts";
import { DIFFERENCES } from "./differences/part.ts";
import { BASE64 } from "./encodings/base64.ts";
import { HASHES } from "./encodings/hashes.ts";
import { URLS } from "./encodings/urls.ts";
import { UUIDS } from "./encodings/uuid.ts";
import { CSV_READERS } from "./files/csv-readers.ts";
import { CSV_WRITERS } from "./files/csv-writers.ts";
import { STRING_IO } from "./files/string-io.ts";
import { JSON_PART } from "./json.ts";
import { PRELUDE } from "./prelude/part.ts";
import { RE } from "./re.ts";
import type { Part } from "./registry.ts";
import { RESPONSES } from "./responses.ts";
import { CHARACTERS } from "./text/characters.ts";
import { TEXT } from "./text/part.ts";
import { TEMPLATE } from "./text/template.ts";
import { WRAPS } from "./text/wraps.ts";

export const TEXTS: readonly Part[] = [
  TEXT,
  BYTES,
  RE,
  DATES,
  CLOCKS,
  DECIMALS,
  DIFFERENCES,
  JSON_PART,
  HASHES,
  BASE64,
  URLS,
  WRAPS,
  TEMPLATE,
  CHARACTERS,
  STRING_IO,
  CSV_READERS,
  CSV_WRITERS,
  UUIDS,
  PRELUDE,
  RESPONSES,
];
