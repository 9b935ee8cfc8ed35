/**
 * Why a module has no member of a name: CPython has it and it is not built here, so that no other name is offered for it, or it is misspelt. The page
 * of the console leaves the tables out (`scripts/console-plugins.mjs`).
 */
import { nearest } from "../../../grammar/text/nearest.ts";
import { byName } from "../library/instead.ts";
import { membersOf } from "../library/known.ts";
import { isAnnotated, type ModuleFault } from "./annotated.ts";

const LAST_BITS = "the C library of each machine gives other last bits";
const NO_CLASSES = "classes are exceptions and TypedDict only";

/** By module: what serves in place of members of it; `*` is every other one that annotations and definitions have. */
const LACKING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  json: {
    "json.dumps(value, default=f) takes a function for values of other kinds": "JSONEncoder",
    "json.loads(text, object_hook=f) takes a function for objects": "JSONDecoder",
    "": "detect_encoding decoder encoder scanner",
  },
  re: {
    "patterns do not depend on a locale": "L LOCALE",
    "re.IGNORECASE and the other constants are flags": "RegexFlag",
    "": "DEBUG Scanner T TEMPLATE template",
  },
  math: {
    "write x ** (1 / 3), which can differ in the last bit": "cbrt",
    [LAST_BITS]: "erfc gamma lgamma",
  },
  datetime: { "": "datetime_CAPI sys" },
  collections: { "use a dict, a list or a text": "UserDict UserList UserString" },
  functools: {
    "functools.wraps(f) gives a function the name of another one": "update_wrapper WRAPPER_ASSIGNMENTS WRAPPER_UPDATES",
    [NO_CLASSES]: "cached_property partialmethod singledispatchmethod total_ordering",
    "": "GenericAlias RLock get_cache_token namedtuple recursive_repr",
  },
  operator: {
    "no value has an operator @": "matmul imatmul",
    "write len(x)": "length_hint",
    "write f(x)": "call",
    "is compares with None, True and False only: lambda x: x is None": "is_ is_not",
  },
  uuid: { "uuid.uuid4() draws one": "uuid1 getnode", "": "SafeUUID Enum bytes_ int_" },
  textwrap: { "textwrap.wrap and fill take the same options": "TextWrapper" },
  statistics: {
    "statistics.linear_regression(x, y) gives one": "LinearRegression",
    "": "Counter Decimal Fraction attrgetter bisect_left bisect_right defaultdict erf exp fabs fsum groupby hypot itemgetter log mul namedtuple numbers random reduce repeat sqrt tau",
  },
  hashlib: {
    "write the names of the hashes": "algorithms_available algorithms_guaranteed",
    "hashlib.sha256(fs.read(path).encode()) hashes a text of a file": "file_digest",
    "hashlib.pbkdf2_hmac makes a key out of a password": "scrypt",
  },
  difflib: {
    "difflib.ndiff and unified_diff write texts": "HtmlDiff diff_bytes",
    "": "IS_CHARACTER_JUNK IS_LINE_JUNK Match restore",
  },
  html: { "html.unescape reads the names of characters": "entities" },
  hmac: { "hmac.new makes one": "HMAC", "": "digest_size trans_36 trans_5C" },
  base64: {
    "base64.b64encode and b64decode serve": "decode encode",
    "": "MAXBINSIZE MAXLINESIZE bytes_types main test",
  },
  "urllib.parse": {
    "urllib.parse.urlparse takes texts here; decode bytes": "DefragResultBytes ParseResultBytes SplitResultBytes",
    "urllib.parse.quote takes bytes": "quote_from_bytes",
    "urllib.parse.urlsplit gives the parts of a URL":
      "splitattr splithost splitnport splitpasswd splitport splitquery splittag splittype splituser splitvalue to_bytes unwrap",
    "": "Quoter ResultBase clear_cache non_hierarchical scheme_chars uses_fragment uses_netloc uses_params uses_query uses_relative",
  },
  zoneinfo: { "": "InvalidTZPathWarning TZPATH available_timezones reset_tzpath" },
  copy: { "": "Error dispatch_table error" },
  calendar: {
    "write f-strings": "HTMLCalendar LocaleHTMLCalendar LocaleTextCalendar different_locale format formatstring",
    "print(calendar.month(year, month)) shows a month": "prcal prmonth prweek",
    "calendar.Calendar(6) and TextCalendar(6) have weeks that begin with Sunday": "setfirstweekday",
    "": "EPOCH February IllegalWeekdayError January c main mdays",
  },
  enum: { 'use constants of the file, as in RED = "red"': "*", "": "bin reduce" },
  dataclasses: { "use a dict, or a class of TypedDict": "*" },
  abc: { [NO_CLASSES]: "*" },
};

/** By advice: members of modules; `csv.*` is every other member of csv that CPython has. */
const INSTEAD: Readonly<Record<string, string>> = {
  "use a tuple, or a dict": "collections.namedtuple",
  "json.loads(fs.read(path)) reads a file": "json.load",
  "fs.write(path, json.dumps(value)) writes a file": "json.dump",
  "time.time() counts seconds, and the usage of a run says how long it took": "time.*",
  "each run draws anew, and its replay the same; what has to repeat is an input":
    "random.seed random.Random random.SystemRandom random.getstate random.setstate",
  "random.random, uniform, randint, choice, choices, sample and shuffle draw here": "random.*",
  "look in one after the other, or merge them: {**second, **first}": "collections.ChainMap",
  "parallel(f, items, limit=3) says how many are at work at once": "asyncio.Semaphore asyncio.BoundedSemaphore",
  "write await asyncio.gather(*[f(x) for x in xs])": "asyncio.* concurrent.futures.*",
  "give the call its own limit: http.Get(url, timeout=5)": "asyncio.wait_for asyncio.timeout",
  "catch the builtin TimeoutError": "asyncio.TimeoutError concurrent.futures.TimeoutError",
  "an async function waits for its own calls: call f(x)": "asyncio.to_thread",
  "use an f-string, or replace": "string.Formatter",
  'reader, DictReader, writer and DictWriter serve, with dialect="excel-tab", or delimiter and quotechar': "csv.*",
  "category, combining, normalize and is_normalized are known of characters": "unicodedata.*",
  "give delimiter and quotechar as the data has them": "csv.Sniffer",
  "quantize(exp, rounding=...) rounds as it is asked to; operators keep 28 digits": "decimal.*",
  "suppress serves; write what others do around the block: try: … finally: …": "contextlib.*",
  "fs.read(path) reads a file, and io.StringIO(text) serves where one is expected": "io.*",
  "ask with isinstance or match what it is": "functools.singledispatch",
  "use bytes, or a list of ints": "io.BytesIO",
};

const instead = byName(INSTEAD);

let advice: ReadonlyMap<string, string> | null = null;

function adviceByMember(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(LACKING).flatMap(([module, said]) =>
      Object.entries(said).flatMap(([serves, names]) =>
        names.split(" ").map((name): [string, string] => [`${module}.${name}`, serves]),
      ),
    ),
  );
}

/** What to say of a member that CPython has and that is not built here; undefined: CPython lacks it, too. */
function lackingMember(module: string, name: string): string | undefined {
  advice ??= adviceByMember();
  const whole = `${module}.${name}`;
  const found = advice.get(whole) ?? (isAnnotated(module, name) ? advice.get(`${module}.*`) : undefined);
  if (found === undefined) return undefined;
  const lacks = `${whole} of CPython is not built here`;
  return found === "" ? lacks : `${lacks}; ${found}`;
}

/** Why a module has no member of a name. */
export function absentMember(module: string, name: string): ModuleFault {
  const special = instead.get(`${module}.${name}`) ?? lackingMember(module, name);
  const near = special === undefined ? nearest(name, membersOf(module)) : null;
  if (near !== null) return { row: "unknown_member_near", words: { module, name, near } };
  const said = special ?? instead.get(`${module}.*`);
  if (said === undefined) return { row: "unknown_member", words: { module, name } };
  return { row: "member_instead", words: { module, name, instead: said } };
}
