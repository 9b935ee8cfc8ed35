/** Rows of the module time, where it asks no clock. What asks is in `../host.ts`. */
import { type Row, row } from "../row.ts";

const NAMED = "time.struct_time";
const SPAN = { raises: "OverflowError ValueError" } as const;
export const CLOCKS: readonly Row[] = [
  row(
    NAMED,
    "iterable, /",
    NAMED,
    "a tuple of nine parts with names",
    "time.struct_time((2024, 1, 31, 0, 0, 0, 2, 31, 0)).tm_mon == 1",
  ),
  row(
    "time.gmtime",
    "seconds=None, /",
    NAMED,
    "the parts of a timestamp, or of now, in UTC",
    "time.gmtime(0).tm_year == 1970",
    SPAN,
  ),
  row(
    "time.localtime",
    "seconds=None, /",
    NAMED,
    "the same in the local zone, which is UTC",
    "time.localtime(0).tm_year == 1970",
    SPAN,
  ),
  row(
    "time.mktime",
    "tuple, /",
    "float",
    "the timestamp of such a tuple",
    "time.mktime(time.gmtime(86400)) == 86400.0",
  ),
  row(
    "time.strftime",
    "format, t=None, /",
    "str",
    "such a tuple, or now, in a format",
    "time.strftime('%Y-%m-%d', time.gmtime(0)) == '1970-01-01'",
    { raises: "ValueError", cost: "n" },
  ),
  row(
    "time.strptime",
    "string, format='%a %b %d %H:%M:%S %Y', /",
    NAMED,
    "the parts of a text in a format",
    "time.strptime('31.1.2024', '%d.%m.%Y').tm_mday == 31",
    { raises: "ValueError", cost: "n" },
  ),
  row(
    "time.ctime",
    "seconds=None, /",
    "str",
    "a timestamp, or now, as C writes it",
    "time.ctime(0) == 'Thu Jan  1 00:00:00 1970'",
    SPAN,
  ),
  row(
    "time.asctime",
    "t=None, /",
    "str",
    "such a tuple, or now, as C writes it",
    "time.asctime(time.gmtime(0)) == time.ctime(0)",
    { raises: "ValueError" },
  ),
];
