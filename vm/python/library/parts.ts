/** The parts of the library that stand in this folder: texts, bytes, patterns, JSON and the modules about them. */
import { BASE64 } from "./base64.ts";
import { BYTES } from "./bytes.ts";
import { DATES } from "./dates/part.ts";
import { HASHES } from "./hashes.ts";
import { JSON_PART } from "./json.ts";
import { RE } from "./re.ts";
import type { Part } from "./registry.ts";
import { TEXT } from "./text/part.ts";

export const TEXTS: readonly Part[] = [TEXT, BYTES, RE, DATES, JSON_PART, HASHES, BASE64];
