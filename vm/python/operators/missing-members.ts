/**
 * Members that values have in CPython 3.11 and not here, by type. Reading one is refused: an AttributeError, which a program may catch, would be
 * another outcome than CPython's.
 */
import type { PyType } from "../object.ts";

const MISSING: Readonly<Record<string, string>> = {
  bytes:
    "capitalize center count expandtabs isalnum isalpha isascii isdigit islower isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines strip swapcase title translate upper zfill",
  dict_keys: "isdisjoint mapping",
  dict_values: "mapping",
  dict_items: "isdisjoint mapping",
  generator: "close gi_code gi_frame gi_running gi_suspended gi_yieldfrom send throw",
  BaseException: "add_note with_traceback args",
  "datetime.timezone": "max min",
  "zoneinfo.ZoneInfo": "clear_cache dst from_file fromutc no_cache tzname utcoffset",
  "re.Pattern": "scanner",
  HMAC: "blocksize",
  int: "denominator imag numerator real",
  float: "imag real",
  "datetime.date": "day month today year",
  "datetime.datetime": "fold hour microsecond minute now second tzinfo utcnow",
  "datetime.timedelta": "days microseconds seconds",
  JSONDecodeError: "colno doc lineno msg pos",
};

const members = new Map(Object.entries(MISSING).map(([type, names]) => [type, new Set(names.split(" "))]));

/** Whether a value of the type, or the type itself, has a member in CPython that it does not have here. */
export function isMissing(type: PyType, name: string): boolean {
  return [type, ...type.bases].some((one) => members.get(one.name)?.has(name) === true);
}
