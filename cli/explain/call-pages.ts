/**
 * What `wf explain` shows of codes that a call or a grant meets: what happened, a step with the grant or settings under which it gets the
 * code, and the step or settings that do not. A test holds the keys to the tables of codes, and the steps to the compiler.
 */
import type { ADAPTER_CODES } from "../../adapters/errors.ts";
import type { PolicyCode } from "../../compiler/policy/validate.ts";

export type CallPage = {
  readonly cause: string;
  /** A step, and after ` | ` what it runs under. */
  readonly wrong: string;
  /** The same, changed; for codes that no change of the call avoids, what takes the failure. */
  readonly right: string;
};

const page = (cause: string, wrong: string, right: string): CallPage => ({ cause, wrong, right });

const GET = 'R http.Get "https://api.example.com/items" ->r';
const RETRY = "Retry 3 200 exponential";
const HANDLER = "Err ->L_handler";
const READ = 'R fs.read "notes.txt" ->t';
const QUERY = 'R sqlite.query "SELECT * FROM users" ->rows';
const TOOL = 'R tools.Call "sum" 2 3 ->n';
const WASM = 'R wasm.CALL "m" "add" 2 3 ->n';

export const POLICY_PAGES: Readonly<Record<PolicyCode, CallPage>> = {
  POLICY_ADAPTER_FORBIDDEN: page(
    "The policy, grant or profile forbids the adapter, so no step may call it; nothing was executed.",
    `${GET} | --forbid-adapter http`,
    `${GET} | --enable-adapter http --http-allow-host api.example.com`,
  ),
  POLICY_EFFECT_FORBIDDEN: page(
    "The step touches the world and the policy forbids that effect (io).",
    `${GET} | --forbid-effect io`,
    "R core.ADD 2 3 ->n | --forbid-effect io",
  ),
  POLICY_TIER_FORBIDDEN: page(
    "The verb has an effect tier that the policy forbids, such as io-write for verbs that change something.",
    'R fs.write "notes.txt" "hello" ->w | --forbid-tier io-write',
    `${READ} | --forbid-tier io-write`,
  ),
  POLICY_PRIVILEGE_TIER_FORBIDDEN: page(
    "The adapter has a privilege tier that the policy forbids, such as network.",
    `${GET} | --forbid-privilege network`,
    `${READ} | --forbid-privilege network`,
  ),
  POLICY_DESTRUCTIVE_FORBIDDEN: page(
    "The adapter can destroy data, and the policy forbids such adapters as a whole, also their verbs that only read.",
    `${READ} | --forbid-destructive`,
    "R core.ADD 2 3 ->n | --forbid-destructive",
  ),
  POLICY_DYNAMIC_ADAPTER: page(
    "The adapter or verb is a variable, so it is not known before the run whether a rule admits the call.",
    "R $which.Get 1 ->r | --forbid-adapter http",
    "R core.ADD 2 3 ->n | --forbid-adapter http",
  ),
};

export const ADAPTER_PAGES: Readonly<Record<keyof typeof ADAPTER_CODES, CallPage>> = {
  ADAPTER_NOT_ALLOWED: page(
    "The adapter is enabled, but the operator's settings do not allow this call.",
    'R svc.restart "web" ->r | svc without "web" among its services',
    HANDLER,
  ),
  ADAPTER_NOT_CONFIGURED: page(
    "The call reached an adapter that is not enabled or lacks a required setting.",
    `${READ} | no settings for fs`,
    `${READ} | --fs-root data`,
  ),
  ADAPTER_BAD_SETTINGS: page(
    "A setting of the adapter has an invalid value.",
    `${READ} | --fs-root no-such-folder`,
    `${READ} | --fs-root data`,
  ),
  ADAPTER_UNKNOWN_VERB: page(
    "The adapter that answered has no verb of this name; a plugin or a tool may have changed since the program was checked.",
    "R tools.multiply 2 3 ->n | tools without multiply",
    TOOL,
  ),
  ADAPTER_BAD_ARGS: page("An argument is missing or has a wrong type.", "R fs.read 42 ->t", READ),
  ADAPTER_NOT_FOUND: page(
    "The target of the call does not exist: a file, a record, a row.",
    'R fs.read "absent.txt" ->t',
    'R fs.exists "absent.txt" ->there',
  ),
  ADAPTER_CONFLICT: page(
    "The call expected a state that was changed concurrently.",
    'R memory.put "workflow" "job.state" "j1" {"step": 2} 0 {} {"if_version": 1} ->m',
    'R memory.get "workflow" "job.state" "j1" ->now',
  ),
  ADAPTER_TIMEOUT: page(
    "The call exceeded its timeout.",
    `${GET} | --http-timeout-s 1`,
    `${GET} | --http-timeout-s 30`,
  ),
  ADAPTER_TRANSPORT: page("The connection failed or broke.", GET, RETRY),
  ADAPTER_BUSY: page("A lock, a pool of connections or a descriptor was not free in time.", QUERY, RETRY),
  ADAPTER_RATE_LIMITED: page("The server answered that it receives too many calls.", GET, RETRY),
  ADAPTER_UNAVAILABLE: page("The server is running but not ready, for example after a restart.", GET, RETRY),
  ADAPTER_CANCELLED: page("The run was cancelled or ended during the call; handlers do not see this error.", GET, GET),
  ADAPTER_TOO_LARGE: page(
    "An answer, a file or another item is larger than the settings allow.",
    `${READ} | --fs-max-read-bytes 10`,
    `${READ} | --fs-max-read-bytes 100000`,
  ),
  ADAPTER_QUOTA: page(
    "A count, a total size or the disk has reached its limit.",
    'R queue.Put "jobs" {"kind": "resize"} ->m | a queue that is full',
    HANDLER,
  ),
  ADAPTER_BAD_DATA: page("The answer of the server or the content of the file is malformed.", GET, HANDLER),
  ADAPTER_ENCODING: page("The bytes are not text in the expected charset.", 'R fs.read "photo.png" ->t', HANDLER),
  ADAPTER_TOO_FAST: page(
    "The job ended more than ten rounds with job.again within a minute, and did not wait in between.",
    "R job.again {} ->r | in the eleventh round of a minute",
    'R timer.sleep "1m" ->r\nR job.again {} ->r',
  ),
  ADAPTER_JOB_FAILED: page(
    "The job that the call started or waited for failed, or was cancelled or interrupted.",
    'R job.run "report" {"month": 7} ->r | a program report that fails',
    HANDLER,
  ),
  ADAPTER_FAILED: page("The server failed.", GET, HANDLER),
  ADAPTER_DIVISION_BY_ZERO: page(
    "A number was divided by zero. Calls of core fail as RUNTIME_OP_ERROR; this is their code outside of a program, as in wf adapter call.",
    "R core.DIV 10 0 ->n",
    "R core.DIV 10 2 ->n",
  ),
  ADAPTER_NUMERIC_RANGE: page(
    "A number is out of range. Calls of core fail as RUNTIME_OP_ERROR; this is their code outside of a program, as in wf adapter call.",
    "R core.POW 10 400 ->n",
    "R core.POW 10 4 ->n",
  ),
  ADAPTER_BAD_URL: page(
    "The string is not an absolute http or https address.",
    'R http.Get "api.example.com/items" ->r',
    GET,
  ),
  ADAPTER_HOST_BLOCKED: page(
    "The host is not in the list of allowed hosts.",
    `${GET} | --http-allow-host other.example.com`,
    `${GET} | --http-allow-host api.example.com`,
  ),
  ADAPTER_ADDRESS_BLOCKED: page(
    "The host resolves to an address of a private network or of this machine, and the operator does not admit it. A request cannot change this; flags of wf run can.",
    'R http.Get "http://127.0.0.1:8080/" ->r | --enable-adapter http',
    'R http.Get "http://127.0.0.1:8080/" ->r | --http-allow-host 127.0.0.1:8080',
  ),
  ADAPTER_TOO_MANY_REDIRECTS: page(
    "The server redirected the call too often.",
    GET,
    `${GET} | --set http.max_redirects=10`,
  ),
  ADAPTER_HTTP_STATUS: page("The server answered with a status that means an error.", GET, HANDLER),
  ADAPTER_TABLE_BLOCKED: page(
    "The statement names a table that the settings do not list.",
    `${QUERY} | --sqlite-allow-table orders`,
    `${QUERY} | --sqlite-allow-table users`,
  ),
  ADAPTER_WRITE_FORBIDDEN: page(
    "The call changes data, and the settings allow reading only.",
    'R sqlite.execute "DELETE FROM users" ->d | --sqlite-db app.db',
    'R sqlite.execute "DELETE FROM users" ->d | --sqlite-db app.db --sqlite-allow-write',
  ),
  ADAPTER_SQL_REJECTED: page(
    "The statement is never allowed, such as ATTACH.",
    "R sqlite.query \"ATTACH 'other.db' AS o\" ->rows",
    QUERY,
  ),
  ADAPTER_SQL_ERROR: page(
    "The statement is not valid SQL for the database.",
    'R sqlite.query "SELEC * FROM users" ->rows',
    QUERY,
  ),
  ADAPTER_SQL_CONSTRAINT: page(
    "The change would break a rule of the table, such as a value that has to be unique.",
    'R sqlite.execute "INSERT INTO users (id) VALUES (1)" ->i',
    'R sqlite.execute "INSERT OR IGNORE INTO users (id) VALUES (1)" ->i',
  ),
  ADAPTER_PATH_ESCAPE: page(
    "The path leads outside the root folder of the adapter.",
    'R fs.read "../notes.txt" ->t',
    READ,
  ),
  ADAPTER_EXTENSION_BLOCKED: page(
    "The file extension is not in the list of allowed extensions.",
    `${READ} | --fs-allow-ext .json`,
    `${READ} | --fs-allow-ext .txt`,
  ),
  ADAPTER_DELETE_FORBIDDEN: page(
    "The call deletes, and the settings do not allow that.",
    'R fs.delete "notes.txt" ->d | --fs-root data',
    'R fs.delete "notes.txt" ->d | --fs-root data --fs-allow-delete',
  ),
  ADAPTER_NOT_A_FILE: page(
    "The path names a folder or a device, but a file is required.",
    'R fs.read "docs" ->t',
    'R fs.read "docs/a.txt" ->t',
  ),
  ADAPTER_NOT_A_DIRECTORY: page(
    "The path names a file, but a folder is required.",
    'R fs.list "notes.txt" ->names',
    'R fs.list "docs" ->names',
  ),
  ADAPTER_TOOL_BLOCKED: page(
    "The tool is not in the list of allowed tools.",
    `${TOOL} | --tools-allow other`,
    `${TOOL} | --tools-allow sum`,
  ),
  ADAPTER_TOOL_UNKNOWN: page("The operator has declared no tool of this name.", 'R tools.Call "smu" 2 3 ->n', TOOL),
  ADAPTER_TOOL_FAILED: page("The tool failed.", TOOL, HANDLER),
  ADAPTER_MODULE_BLOCKED: page(
    "The module is not in the list of allowed modules.",
    `${WASM} | --wasm-module m=m.wasm --wasm-allow-module other`,
    `${WASM} | --wasm-module m=m.wasm --wasm-allow-module m`,
  ),
  ADAPTER_WASM_MODULE: page(
    "The file is not a WebAssembly module, or the module needs imports or memory that it does not get.",
    `${WASM} | --wasm-module m=notes.txt`,
    `${WASM} | --wasm-module m=m.wasm`,
  ),
  ADAPTER_WASM_EXPORT: page("The module has no function of this name.", 'R wasm.CALL "m" "ad" 2 3 ->n', WASM),
  ADAPTER_WASM_TRAP: page(
    "The function trapped, for example at a division by zero.",
    'R wasm.CALL "m" "div" 1 0 ->n',
    'R wasm.CALL "m" "div" 1 2 ->n',
  ),
  ADAPTER_POLICY_VIOLATION: page(
    "The facts given do not meet the constraints of the policy.",
    'R auth.enforce "p" {"auth": true} {"auth_present": false} ->ok',
    'R auth.enforce "p" {"auth": true} {"auth_present": true} ->ok',
  ),
};
