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
  "_io.StringIO": "detach encoding errors fileno isatty line_buffering newlines",
  DictReader: "dialect reader",
  DictWriter: "extrasaction writer",
  Template: "braceidpattern delimiter flags idpattern pattern",
  "functools.KeyWrapper": "obj",
  "time.struct_time": "n_fields n_sequence_fields n_unnamed_fields",
  ParseResult: "encode",
  SplitResult: "encode",
  DefragResult: "encode",
  OSError: "characters_written",
  error: "colno lineno msg pattern pos",
  UUID: "bytes bytes_le clock_seq clock_seq_hi_variant clock_seq_low fields hex int is_safe node time time_hi_version time_low time_mid urn variant version",
  "decimal.Decimal":
    "canonical compare_signal compare_total compare_total_mag conjugate exp imag is_canonical is_normal is_qnan is_snan is_subnormal ln log10 logb logical_and logical_invert logical_or logical_xor max_mag min_mag next_minus next_plus next_toward number_class radix real remainder_near rotate same_quantum shift to_eng_string",
  SequenceMatcher: "autojunk b2j bjunk bpopular fullbcount matching_blocks opcodes",
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
