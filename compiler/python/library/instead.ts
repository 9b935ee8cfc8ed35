/** What serves in place of modules that are not known: an adapter, or a way of Python. */

/** By adapter: the modules whose work its verbs do. */
export const ADAPTERS_INSTEAD: Readonly<Record<string, string>> = {
  http: "requests httpx aiohttp urllib3 boto3 stripe slack_sdk slack twilio telegram discord github googleapiclient gspread notion_client hubspot jira",
  sqlite: "sqlite3",
  fs: "os pathlib shutil glob tempfile",
  email: "smtplib imaplib poplib sendgrid resend",
  llm: "openai anthropic litellm langchain langchain_core langchain_openai ollama",
  cache: "redis",
  db: "psycopg2 psycopg asyncpg pymysql mysql sqlalchemy",
  timer: "sched croniter schedule apscheduler",
  queue: "celery rq kafka",
};

/** By advice: the modules that it is for, and names that other languages and libraries have. */
const ADVICE: Readonly<Record<string, string>> = {
  "print(...) adds a line to the answer of the run": "logging loguru structlog console",
  "print without file= adds a line to the answer of the run, raise ends it with a failure, and main gives its result":
    "sys traceback warnings",
  "fs serves files, and settings are inputs of main": "os",
  "the parameters of main are the inputs": "argparse click typer",
  "with retry(times=3): tries a block again": "tenacity backoff retrying",
  "asyncio.gather and ThreadPoolExecutor(...).map do work side by side": "threading multiprocessing",
  '@api("/orders") above a function makes an endpoint': "flask fastapi webhook",
  "a failed call raises AdapterError": "HTTPError",
  "an adapter does what leaves the run; programs of the machine are never started": "subprocess socket ctypes ssl",
  "ZoneInfo of zoneinfo has the zones": "pytz tzlocal",
  "datetime.fromisoformat and datetime.strptime read times": "dateutil arrow pendulum",
  "annotations of main and classes of TypedDict say what inputs are":
    "pydantic attrs jsonschema typing_extensions types",
  "lists, dicts, sorted and the module statistics serve": "numpy pandas scipy polars",
  "use ints: a numerator and a denominator, or decimal": "fractions",
  "json is the form that is read here; give other data as an input":
    "yaml toml tomllib configparser pickle xml lxml bs4",
  "json.dumps(value, indent=2) shows a value": "pprint",
  "replace and the module re change such texts": "markdown jinja2 shlex",
  "uuid.uuid4().hex is a random text": "secrets",
  "wf test runs the cases that a program has in its comments": "unittest pytest doctest",
  "write None": "null undefined",
  "write True": "true",
  "write False": "false",
  "the operator passes settings as inputs or secrets": "dotenv",
};

/** By advice: builtins that do not exist here. */
const BUILTINS: Readonly<Record<string, string>> = {
  "fs serves: text = fs.read(path), fs.write(path, text)": "open",
  "the parameters of main are its inputs": "input",
  "use a dict": "globals locals vars dir setattr delattr",
  "write functions, and dicts for what they share": "classmethod staticmethod property super",
  "use bytes, or a list of ints": "bytearray memoryview",
  "hashlib has hashes that are the same in each run": "hash",
};

export function byName(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([serves, modules]) => modules.split(" ").map((name) => [name, serves])),
  );
}

const adapters = byName(ADAPTERS_INSTEAD);
const advice = byName(ADVICE);
const builtins = byName(BUILTINS);

/** What to do in place of a builtin; undefined: nothing is known. */
export function builtinInstead(name: string): string | undefined {
  return builtins.get(name);
}

/** What to do in place of importing a module; undefined: nothing is known. */
export function insteadOf(module: string): string | undefined {
  const adapter = adapters.get(module);
  const serves = adapter === undefined ? undefined : `${adapter} serves: call its verbs, no import is needed`;
  return advice.get(module) ?? serves;
}
