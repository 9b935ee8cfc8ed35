/** Rows of the module json. */
import { type Row, row } from "./row.ts";

export const JSON_ROWS: readonly Row[] = [
  row(
    "json.dumps",
    "obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None, indent=None, separators=None, default=None, sort_keys=False, **kw",
    "str",
    "the JSON text of a value",
    'json.dumps({"a": [1, 2.0]}) == \'{"a": [1, 2.0]}\'',
    { raises: "ValueError", cost: "n", size: "n" },
  ),
  row(
    "json.loads",
    "s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None, **kw",
    "dict | list | str | int | float | bool | None",
    "the value of a JSON text",
    'json.loads("[1, 2.0]") == [1, 2.0]',
    { raises: "json.JSONDecodeError", cost: "n", size: "n" },
  ),
];
