"""Made from the catalog of Weft by test/client/stubs.test.ts (WEFT_DOCS=write). Do not edit."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, NoReturn, TypeVar, overload

_F = TypeVar("_F", bound=Callable[..., Any])
_T = TypeVar("_T")
_R = TypeVar("_R")

class Record(dict[str, Any]):
    """Data that Weft made: a dict whose members can be read as attributes."""
    def __getattr__(self, name: str) -> Any: ...

class _Object(dict[str, Any]):
    """An object with known members, which are attributes too."""

class _Map(dict[str, _T]):
    """A dict with any members, which are attributes too."""
    def __getattr__(self, name: str) -> _T: ...

class Answer(_Object):
    """An answer that is always an object: it has no truth value."""

class _Response(Answer):
    def json(self, **options: Any) -> Any: ...
    def raise_for_status(self) -> None: ...

class AdapterError(RuntimeError):
    """A call of an adapter failed."""
    message: str
    code: str
    status: int | None
    details: Any
    retryable: bool
    retry_after_ms: float | None
    adapter: str
    verb: str

@overload
def parallel(f: Callable[[_T], _R], items: Iterable[_T], limit: int = 8, settle: Literal[False] = False) -> list[_R]: ...
@overload
def parallel(f: Callable[[_T], _R], items: Iterable[_T], limit: int = 8, *, settle: Literal[True]) -> list[Record]: ...
@overload
def parallel(f: Sequence[Callable[[], _R]], *, limit: int = 8, settle: Literal[False] = False) -> list[_R]: ...
@overload
def parallel(f: Sequence[Callable[[], _R]], *, limit: int = 8, settle: Literal[True]) -> list[Record]: ...
def retry(times: int = 3, backoff_ms: float = 0, strategy: Literal["fixed", "exponential"] = "fixed") -> AbstractContextManager[None]: ...

def api(path: str, method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "POST", *, mode: Any = ..., headers: Any = ..., body: Any = ..., files: Any = ..., cors: Any = ..., challenge: Any = ..., verify: Any = ..., dedupe: Any = ..., concurrency: Any = ..., rate: Any = ..., priority: Any = ..., fair: Any = ..., unique: Any = ..., debounce: Any = ..., batch: Any = ..., delay_s: Any = ..., timeout_s: Any = ..., start_by_s: Any = ...) -> Callable[[_F], _F]: ...
def cron(cron: str, *, tz: Any = ..., frame: Any = ..., jitter_s: Any = ..., overlap: Any = ..., catch_up: Any = ..., catch_up_window_s: Any = ..., from_: Any = ..., until: Any = ..., paused: Any = ..., concurrency: Any = ..., rate: Any = ..., priority: Any = ..., fair: Any = ..., unique: Any = ..., debounce: Any = ..., batch: Any = ..., delay_s: Any = ..., timeout_s: Any = ..., start_by_s: Any = ...) -> Callable[[_F], _F]: ...
def on(event: str, *, when: Any = ..., key: Any = ..., concurrency: Any = ..., rate: Any = ..., priority: Any = ..., fair: Any = ..., unique: Any = ..., debounce: Any = ..., batch: Any = ..., delay_s: Any = ..., timeout_s: Any = ..., start_by_s: Any = ...) -> Callable[[_F], _F]: ...

class _http_Get(_Response):
    ok: bool
    status: int
    status_code: int
    error: None
    body: Any
    headers: _Map[str | list[str]]
    url: str
    final_url: str
    redirects: int
    elapsed_ms: int
    lossy: Literal[True]
    parse_error: Literal[True]

class _sqlite_execute(Answer):
    rows_affected: int
    lastrowid: int | str | None
    rows: list[Any]

class _sqlite_batch(_Object):
    rows_affected: int
    lastrowid: int | str | None
    rows: list[Any]

class _fs_write(Answer):
    ok: Literal[True]
    bytes: int

class _fs_stat(Answer):
    type: Literal["file"] | Literal["directory"] | Literal["symlink"] | Literal["other"]
    size: int
    mtime: str
    sha256: str

class _fs_mkdir(Answer):
    ok: Literal[True]

class _fs_delete(Answer):
    ok: Literal[True]
    deleted: bool

class _tools_list(_Object):
    name: str
    summary: str
    effect: str
    args_schema: Any

class _wasm_LIST_exports(_Object):
    name: str
    params: list[str]
    results: list[str]

class _wasm_LIST(_Object):
    module: str
    exports: list[_wasm_LIST_exports]
    sha256: str

class _queue_Put(Answer):
    ok: Literal[True]
    message_id: str
    queue_name: str
    error: None

class _queue_len(Answer):
    ready: float
    delayed: float
    leased: float
    dead: float

class _queue_take(_Object):
    message_id: str
    payload: Any
    attempts: float
    lease: str

class _queue_ack(Answer):
    ok: Literal[True]

class _txn_commit(Answer):
    ok: Literal[True]
    name: str
    at: str

class _auth_verify(Answer):
    valid: bool
    subject: str | None
    scopes: list[str]
    expires_at: str | None
    reason: str | None

class _memory_put(Answer):
    ok: Literal[True]
    updated_at: str
    created: bool
    version: float

class _memory_get_record(_Object):
    namespace: str
    record_kind: str
    record_id: str
    created_at: str
    updated_at: str
    ttl_seconds: float | None
    payload: Any
    metadata: Any
    version: float

class _memory_get(Answer):
    found: bool
    record: _memory_get_record | None

class _memory_append(Answer):
    ok: Literal[True]
    updated_at: str
    entries: float

class _memory_list(Answer):
    next_cursor: str | None

class _memory_delete(Answer):
    ok: Literal[True]
    deleted: bool

class _memory_prune(Answer):
    ok: Literal[True]
    pruned: float

class _memory_patch(Answer):
    ok: Literal[True]
    updated_at: str
    version: float

class _svc_status_probes(_Object):
    kind: str
    ok: bool
    latency_ms: float
    error: str | None

class _svc_status(Answer):
    ok: bool
    status: Literal["up"] | Literal["degraded"] | Literal["down"] | Literal["unknown"]
    latency_ms: float | None
    error: str | None
    checked_at: str
    probes: list[_svc_status_probes]

class _svc_list(_Object):
    name: str
    probes: list[str]
    actions: list[Literal["start"] | Literal["stop"] | Literal["restart"]]

class _svc_start(Answer):
    ok: bool
    action: Literal["start"] | Literal["stop"] | Literal["restart"]
    exit_code: float | None
    duration_ms: float

class _extras_newest_file(Answer):
    found: bool
    name: str | None
    mtime: str | None
    age_s: float | None
    size: float | None

class _extras_disk(Answer):
    total: float
    free: float
    used_ratio: float | None

class _extras_tls_expiry(Answer):
    valid_to: str
    days_left: int

class _extras_container_status(Answer):
    state: str
    health: str | None
    started_at: str | None
    restarts: float

class _extras_metrics(Answer):
    run_count: float
    ok_count: float
    error_count: float
    ok_ratio: float | None
    runtime_versions: list[Any]
    result_kinds: _Map[float]
    trace_op_counts: _Map[float]
    label_counts: _Map[float]
    timestamps_present: bool

class _extras_metrics_write(Answer):
    ok: Literal[True]
    bytes: float

class _videomon_poll_new(_Object):
    id: str
    channel: str
    title: str
    url: str | None
    published_at: str | None
    updated_at: str | None
    description: str | None
    thumbnail: str | None
    duration_s: float | None
    views: int | None
    likes: int | None
    first_seen_at: str

class _videomon_poll(_Object):
    channel: str
    new: list[_videomon_poll_new]
    total: int
    not_modified: bool
    polled_at: str | None
    error: str | None

class _videomon_F(_Object):
    id: int
    channel: str
    polled_at: str
    video_count: int

class _videomon_profile(Answer):
    name: str
    title: str | None
    url: str | None
    subscribers: int | None
    videos: int
    last_published_at: str | None

class _videomon_trending(_Object):
    id: str
    channel: str
    title: str
    url: str | None
    published_at: str | None
    updated_at: str | None
    description: str | None
    thumbnail: str | None
    duration_s: float | None
    views: int | None
    likes: int | None
    first_seen_at: str
    views_per_hour: float

class _videomon_analytics(_Object):
    at: str
    views: int | None
    subscribers: int | None
    videos: int | None

class _email_send(Answer):
    status: Literal["sent"]
    provider: Literal["smtp"]
    method: Literal["smtp"]
    to: str | list[str]
    subject: str
    message_id: str
    attachments: float
    accepted: list[str]
    rejected: list[str]

class _email_read_attachments_content(_Object):
    ...

class _email_read_attachments(_Object):
    filename: str | None
    content_type: str
    size: float
    content: _email_read_attachments_content

class _email_read(_Object):
    id: str
    to: list[str]
    cc: list[str]
    subject: str
    body: str
    body_html: str
    timestamp: str | None
    unread: bool
    message_id: str | None
    in_reply_to: str | None
    references: list[str]
    attachments: list[_email_read_attachments]
    truncated: bool

class _email_search(_Object):
    id: str
    to: list[str]
    cc: list[str]
    subject: str
    body: str
    body_html: str
    timestamp: str | None
    unread: bool
    message_id: str | None
    in_reply_to: str | None
    references: list[str]
    attachments: list[_email_read_attachments]
    truncated: bool
    snippet: str

class _email_fetch(Answer):
    id: str
    to: list[str]
    cc: list[str]
    subject: str
    body: str
    body_html: str
    timestamp: str | None
    unread: bool
    message_id: str | None
    in_reply_to: str | None
    references: list[str]
    attachments: list[_email_read_attachments]
    truncated: bool

class _email_reply(Answer):
    status: Literal["sent"]
    provider: Literal["smtp"]
    method: Literal["smtp"]
    to: str | list[str]
    subject: str
    message_id: str
    attachments: float
    accepted: list[str]
    rejected: list[str]
    in_reply_to: str | None
    reply_all: bool

class _email_draft(Answer):
    status: Literal["draft"]
    id: str | None
    message_id: str

class _email_move(Answer):
    ok: Literal[True]
    id: str | None

class _email_flag(Answer):
    ok: Literal[True]
    flags: list[str]

class _email_folders(_Object):
    name: str
    total: float | None
    unseen: float | None

class _calendar_G_attendees(_Object):
    email: str
    name: str | None
    status: str

class _calendar_G(_Object):
    id: str
    uid: str
    recurrence_id: str | None
    title: str
    start: str
    end: str
    all_day: bool
    time_zone: str | None
    location: str | None
    description: str | None
    status: str | None
    organizer: str | None
    attendees: list[_calendar_G_attendees]
    rrule: str | None
    calendar: str
    etag: str | None
    url: str | None

class _calendar_create(Answer):
    id: str
    uid: str
    recurrence_id: str | None
    title: str
    start: str
    end: str
    all_day: bool
    time_zone: str | None
    location: str | None
    description: str | None
    status: str | None
    organizer: str | None
    attendees: list[_calendar_G_attendees]
    rrule: str | None
    calendar: str
    etag: str | None
    url: str | None

class _calendar_delete(Answer):
    deleted: bool

class _calendar_freebusy(_Object):
    start: str
    end: str

class _calendar_calendars(_Object):
    name: str
    url: str | None
    read_only: bool
    time_zone: str | None

class _social_G(_Object):
    id: str
    text: str
    ts: int | None
    author: str | None
    url: str | None
    lang: str | None
    reply_to: str | None

class _social_post(Answer):
    id: str
    url: str | None
    created_at: str | None

class _social_delete(Answer):
    deleted: bool

class _social_profile(Answer):
    name: str
    url: str | None
    followers: float | None
    posts: float | None

class _timer_sleep(Answer):
    at: str

class _signal_wait(Answer):
    received: bool
    name: str | None
    data: Any
    id: str | None
    at: str | None

class _signal_send(Answer):
    id: str
    delivered: Literal["now"] | Literal["kept"]

class _approval_ask(Answer):
    decision: str
    approved: bool
    by: str | None
    comment: str | None
    data: Any
    at: str | None
    id: str

class _approval_cancel(Answer):
    ok: bool

class _llm_chat_usage(_Object):
    input_tokens: int
    output_tokens: int
    cost: float
    estimated: Literal[True]

class _llm_chat(Answer):
    text: str
    data: Any
    model: str
    usage: _llm_chat_usage
    finish: Literal["stop"] | Literal["length"] | Literal["filter"] | Literal["other"]

class _llm_embed(Answer):
    vectors: list[list[float]]
    model: str
    usage: _llm_chat_usage

class _job_wait_any(Answer):
    id: str | None
    status: str | None

class _job_status(Answer):
    id: str
    program: str | None
    version: float | None
    status: str
    over: bool
    error: str | None
    queued_at: str
    finished_at: str | None

class _job_cancel(Answer):
    ok: bool

class _core:
    def ABS(self, x: Any) -> Any: ...
    abs = ABS
    def ADD(self, a: Any, b: Any) -> Any: ...
    add = ADD
    def AND(self, a: Any = ..., b: Any = ...) -> Any: ...
    and_ = AND
    def BOOL(self, a: Any = ...) -> Any: ...
    bool = BOOL
    def CEIL(self, x: Any) -> Any: ...
    ceil = CEIL
    def CLAMP(self, x: Any, lo: Any, hi: Any) -> Any: ...
    clamp = CLAMP
    def CONCAT(self, *values: Any) -> Any: ...
    concat = CONCAT
    def CONTAINS(self, hay: Any, needle: Any = ...) -> Any: ...
    contains = CONTAINS
    def DIV(self, a: Any, b: Any) -> Any: ...
    div = DIV
    def ECHO(self, v: Any = ...) -> Any: ...
    echo = ECHO
    def ENDSWITH(self, text: Any, part: Any) -> Any: ...
    endswith = ENDSWITH
    def ENV(self, name: Any, default: Any = ...) -> Any: ...
    env = ENV
    def EQ(self, a: Any, b: Any) -> Any: ...
    eq = EQ
    def FILTER_HIGH_SCORE(self, list: Any, minimum: Any = ...) -> Any: ...
    filter_high_score = FILTER_HIGH_SCORE
    def FLATTEN(self, list: Any) -> Any: ...
    flatten = FLATTEN
    def FLOAT(self, v: Any) -> Any: ...
    float = FLOAT
    def FLOOR(self, x: Any) -> Any: ...
    floor = FLOOR
    def FORMAT(self, template: Any, *values: Any) -> Any: ...
    format = FORMAT
    def GET(self, v: Any, path: Any, default: Any = ...) -> Any: ...
    get = GET
    def GT(self, a: Any, b: Any) -> Any: ...
    gt = GT
    def GTE(self, a: Any, b: Any) -> Any: ...
    gte = GTE
    def HASH(self, text: Any, algorithm: Any = ...) -> Any: ...
    hash = HASH
    def ID(self, v: Any = ...) -> Any: ...
    id = ID
    def IDIV(self, a: Any, b: Any) -> Any: ...
    idiv = IDIV
    def INT(self, v: Any) -> Any: ...
    int = INT
    def ISO(self) -> Any: ...
    iso = ISO
    def ISO_TS(self, seconds: Any = ...) -> Any: ...
    iso_ts = ISO_TS
    def JOIN(self, separator: Any, *list: Any) -> Any: ...
    join = JOIN
    def KEYS(self, object: Any) -> Any: ...
    keys = KEYS
    def LEN(self, v: Any = ...) -> Any: ...
    len = LEN
    def LOWER(self, text: Any) -> Any: ...
    lower = LOWER
    def LSTRIP(self, text: Any) -> Any: ...
    lstrip = LSTRIP
    def LT(self, a: Any, b: Any) -> Any: ...
    lt = LT
    def LTE(self, a: Any, b: Any) -> Any: ...
    lte = LTE
    def MAX(self, *values: Any) -> Any: ...
    max = MAX
    def MERGE(self, *objects: Any) -> Any: ...
    merge = MERGE
    def MIN(self, *values: Any) -> Any: ...
    min = MIN
    def MOD(self, a: Any, b: Any) -> Any: ...
    mod = MOD
    def MUL(self, a: Any, b: Any) -> Any: ...
    mul = MUL
    def NEQ(self, a: Any, b: Any) -> Any: ...
    neq = NEQ
    def NOOP(self) -> Any: ...
    noop = NOOP
    def NOT(self, a: Any = ...) -> Any: ...
    not_ = NOT
    def NOW(self) -> Any: ...
    now = NOW
    def OMIT(self, object: Any, *keys: Any) -> Any: ...
    omit = OMIT
    def OR(self, a: Any = ..., b: Any = ...) -> Any: ...
    or_ = OR
    def PARSE(self, text: Any) -> Any: ...
    parse = PARSE
    def PICK(self, object: Any, *keys: Any) -> Any: ...
    pick = PICK
    def POW(self, base: Any, exponent: Any) -> Any: ...
    pow = POW
    def RANGE(self, start: Any, stop: Any = ..., step: Any = ...) -> Any: ...
    range = RANGE
    def REPLACE(self, text: Any, old: Any, new: Any) -> Any: ...
    replace = REPLACE
    def REVERSE(self, v: Any) -> Any: ...
    reverse = REVERSE
    def ROUND(self, x: Any, digits: Any = ...) -> Any: ...
    round = ROUND
    def RSTRIP(self, text: Any) -> Any: ...
    rstrip = RSTRIP
    def SLEEP(self, ms: Any) -> Any: ...
    sleep = SLEEP
    def SLICE(self, v: Any, start: Any = ..., end: Any = ...) -> Any: ...
    slice = SLICE
    def SORT(self, list: Any) -> Any: ...
    sort = SORT
    def SPLIT(self, text: Any, separator: Any = ...) -> Any: ...
    split = SPLIT
    def STARTSWITH(self, text: Any, part: Any) -> Any: ...
    startswith = STARTSWITH
    def STR(self, v: Any = ...) -> Any: ...
    str = STR
    def STRINGIFY(self, v: Any) -> Any: ...
    stringify = STRINGIFY
    def STRIP(self, text: Any) -> Any: ...
    strip = STRIP
    def SUB(self, a: Any, b: Any) -> Any: ...
    sub = SUB
    def SUBSTR(self, text: Any, start: Any = ..., length: Any = ...) -> Any: ...
    substr = SUBSTR
    def TRIM(self, text: Any = ...) -> Any: ...
    trim = TRIM
    def TYPE(self, v: Any = ...) -> Any: ...
    type = TYPE
    def UNIQUE(self, list: Any) -> Any: ...
    unique = UNIQUE
    def UPPER(self, text: Any) -> Any: ...
    upper = UPPER
    def UUID(self) -> Any: ...
    uuid = UUID
    def VALUES(self, object: Any) -> Any: ...
    values = VALUES
    def ZIP(self, *lists: Any) -> Any: ...
    zip = ZIP

core: _core

class _http:
    def Get(self, url: Any, headers: Any = ..., timeout_s: Any = ..., *, timeout: float | None = ..., query: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., params: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., response: Literal["auto"] | Literal["json"] | Literal["text"] | Literal["base64"] | Literal["none"] | None = ..., accept_status: Sequence[int] | Literal["any"] | None = ..., redirect: Literal["follow"] | Literal["manual"] | Literal["error"] | None = ..., max_redirects: int | None = ..., max_response_bytes: int | None = ..., auth: Mapping[str, Any] | None = ...) -> _http_Get: ...
    get = Get
    def Post(self, url: Any, body: Any = ..., headers: Any = ..., timeout_s: Any = ..., *, json: Any = ..., timeout: float | None = ..., query: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., params: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., response: Literal["auto"] | Literal["json"] | Literal["text"] | Literal["base64"] | Literal["none"] | None = ..., accept_status: Sequence[int] | Literal["any"] | None = ..., redirect: Literal["follow"] | Literal["manual"] | Literal["error"] | None = ..., max_redirects: int | None = ..., max_response_bytes: int | None = ..., auth: Mapping[str, Any] | None = ..., body_type: Literal["json"] | Literal["text"] | Literal["form"] | Literal["base64"] | None = ..., idempotency_key: Literal[True] | str | None = ...) -> _http_Get: ...
    post = Post
    def Put(self, url: Any, body: Any = ..., headers: Any = ..., timeout_s: Any = ..., *, json: Any = ..., timeout: float | None = ..., query: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., params: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., response: Literal["auto"] | Literal["json"] | Literal["text"] | Literal["base64"] | Literal["none"] | None = ..., accept_status: Sequence[int] | Literal["any"] | None = ..., redirect: Literal["follow"] | Literal["manual"] | Literal["error"] | None = ..., max_redirects: int | None = ..., max_response_bytes: int | None = ..., auth: Mapping[str, Any] | None = ..., body_type: Literal["json"] | Literal["text"] | Literal["form"] | Literal["base64"] | None = ..., idempotency_key: Literal[True] | str | None = ...) -> _http_Get: ...
    put = Put
    def Patch(self, url: Any, body: Any = ..., headers: Any = ..., timeout_s: Any = ..., *, json: Any = ..., timeout: float | None = ..., query: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., params: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., response: Literal["auto"] | Literal["json"] | Literal["text"] | Literal["base64"] | Literal["none"] | None = ..., accept_status: Sequence[int] | Literal["any"] | None = ..., redirect: Literal["follow"] | Literal["manual"] | Literal["error"] | None = ..., max_redirects: int | None = ..., max_response_bytes: int | None = ..., auth: Mapping[str, Any] | None = ..., body_type: Literal["json"] | Literal["text"] | Literal["form"] | Literal["base64"] | None = ..., idempotency_key: Literal[True] | str | None = ...) -> _http_Get: ...
    patch = Patch
    def Delete(self, url: Any, headers: Any = ..., timeout_s: Any = ..., *, timeout: float | None = ..., query: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., params: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., response: Literal["auto"] | Literal["json"] | Literal["text"] | Literal["base64"] | Literal["none"] | None = ..., accept_status: Sequence[int] | Literal["any"] | None = ..., redirect: Literal["follow"] | Literal["manual"] | Literal["error"] | None = ..., max_redirects: int | None = ..., max_response_bytes: int | None = ..., auth: Mapping[str, Any] | None = ..., body: Any = ..., json: Any = ..., body_type: Literal["json"] | Literal["text"] | Literal["form"] | Literal["base64"] | None = ..., idempotency_key: Literal[True] | str | None = ...) -> _http_Get: ...
    delete = Delete
    def Head(self, url: Any, headers: Any = ..., timeout_s: Any = ..., *, timeout: float | None = ..., query: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., params: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., response: Literal["auto"] | Literal["json"] | Literal["text"] | Literal["base64"] | Literal["none"] | None = ..., accept_status: Sequence[int] | Literal["any"] | None = ..., redirect: Literal["follow"] | Literal["manual"] | Literal["error"] | None = ..., max_redirects: int | None = ..., max_response_bytes: int | None = ..., auth: Mapping[str, Any] | None = ...) -> _http_Get: ...
    head = Head
    def Options(self, url: Any, headers: Any = ..., timeout_s: Any = ..., *, timeout: float | None = ..., query: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., params: Mapping[str, str | float | bool | Sequence[str | float | bool | None] | None] | None = ..., response: Literal["auto"] | Literal["json"] | Literal["text"] | Literal["base64"] | Literal["none"] | None = ..., accept_status: Sequence[int] | Literal["any"] | None = ..., redirect: Literal["follow"] | Literal["manual"] | Literal["error"] | None = ..., max_redirects: int | None = ..., max_response_bytes: int | None = ..., auth: Mapping[str, Any] | None = ...) -> _http_Get: ...
    options = Options

http: _http

class _db:
    def F(self, entity: Any, filter: Any = ..., *, fields: Sequence[str] | None = ..., order_by: Sequence[str] | None = ..., limit: int | None = ..., offset: int | None = ..., timeout_s: float | None = ..., timeout: float | None = ...) -> list[Any]: ...
    f = F
    def G(self, entity: Any, id: str | float) -> Any: ...
    g = G
    def P(self, entity: Any, object: Any, *, idempotency_key: str | None = ..., timeout_s: float | None = ..., timeout: float | None = ...) -> Any: ...
    p = P
    def C(self, entity: Any, object: Any, *, idempotency_key: str | None = ..., timeout_s: float | None = ..., timeout: float | None = ...) -> Any: ...
    c = C
    def U(self, entity: Any, filter: Any, object: Any = ..., *, expected_count: int | None = ..., detail: bool | None = ..., allow_all: bool | None = ..., timeout_s: float | None = ..., timeout: float | None = ...) -> Any: ...
    u = U
    def D(self, entity: Any, filter: Any, *, expected_count: int | None = ..., allow_all: bool | None = ..., timeout_s: float | None = ..., timeout: float | None = ...) -> bool | int: ...
    d = D

db: _db

class _sqlite:
    def query(self, sql: str, params: Sequence[Any] | Mapping[str, Any] | None = ..., *, max_rows: int | None = ..., timeout_s: float | None = ..., timeout: float | None = ...) -> list[Any]: ...
    def execute(self, sql: str, params: Sequence[Any] | Mapping[str, Any] | None = ...) -> _sqlite_execute: ...
    def batch(self, statements: Sequence[Any]) -> list[_sqlite_batch]: ...

sqlite: _sqlite

class _fs:
    def read(self, path: str, *, encoding: Literal["utf8"] | Literal["latin1"] | Literal["base64"] | None = ..., offset: int | None = ..., length: int | None = ..., lossy: bool | None = ..., keep_bom: bool | None = ...) -> Any: ...
    def readlines(self, path: str, *, max_lines: int | None = ...) -> list[str]: ...
    def write(self, path: str, content: Any = ..., *, mode: Literal["replace"] | Literal["create"] | Literal["append"] | None = ..., encoding: Literal["utf8"] | Literal["base64"] | None = ..., if_match: str | None = ...) -> _fs_write: ...
    def list(self, path: str | None = ..., *, details: bool | None = ..., recursive: bool | None = ..., limit: int | None = ...) -> list[Any]: ...
    def glob(self, pattern: str, *, limit: int | None = ...) -> list[str]: ...
    def exists(self, path: str) -> bool: ...
    def stat(self, path: str, *, sha256: bool | None = ...) -> _fs_stat: ...
    def mkdir(self, path: str) -> _fs_mkdir: ...
    def copy(self, from_: str | None = ..., to: str | None = ..., *, overwrite: bool | None = ...) -> _fs_write: ...
    def move(self, from_: str | None = ..., to: str | None = ..., *, overwrite: bool | None = ...) -> _fs_mkdir: ...
    def delete(self, path: str, *, recursive: bool | None = ...) -> _fs_delete: ...

fs: _fs

class _tools:
    def Call(self, name: str, *arguments: Any) -> Any: ...
    call = Call
    def invoke(self, name: str, *arguments: Any) -> Any: ...
    def list(self) -> list[_tools_list]: ...
    def __getattr__(self, verb: str) -> Callable[..., Any]: ...

tools: _tools

class _wasm:
    def CALL(self, module: str, export: str, *numbers: Any) -> float | str | list[float | str | None] | None: ...
    call = CALL
    def JSON(self, module: str, export: str, value: Any) -> Any: ...
    json = JSON
    def LIST(self) -> list[_wasm_LIST]: ...
    list = LIST

wasm: _wasm

class _cache:
    @overload
    def get(self, key: str | int, *, default: Any = ..., meta: bool | None = ..., namespace: str | int | None = ...) -> Any: ...
    @overload
    def get(self, namespace: str | int, key: str | int, *, default: Any = ..., meta: bool | None = ...) -> Any: ...
    @overload
    def set(self, key: str | int, value: Any, ttl_s: int | None = ..., *, ttl: int | None = ..., if_absent: bool | None = ..., if_version: int | None = ..., namespace: str | int | None = ...) -> bool | None: ...
    @overload
    def set(self, namespace: str | int, key: str | int, value: Any, ttl_s: int | None = ..., *, ttl: int | None = ..., if_absent: bool | None = ..., if_version: int | None = ...) -> bool | None: ...
    def setex(self, key: str | int, value: Any, ttl_s: int | None = ..., *, ttl: int | None = ..., namespace: str | int | None = ...) -> None: ...
    @overload
    def has(self, key: str | int, *, namespace: str | int | None = ...) -> bool: ...
    @overload
    def has(self, namespace: str | int, key: str | int) -> bool: ...
    @overload
    def incr(self, key: str | int, *, by: float | None = ..., ttl_s: int | None = ..., ttl: int | None = ..., idempotency_key: str | int | None = ..., namespace: str | int | None = ...) -> float: ...
    @overload
    def incr(self, namespace: str | int, key: str | int, *, by: float | None = ..., ttl_s: int | None = ..., ttl: int | None = ..., idempotency_key: str | int | None = ...) -> float: ...
    @overload
    def delete(self, key: str | int, *, namespace: str | int | None = ...) -> bool: ...
    @overload
    def delete(self, namespace: str | int, key: str | int) -> bool: ...
    def clear(self, namespace: str | int) -> float: ...
    def keys(self, namespace: str | int, *, prefix: str | None = ..., limit: int | None = ...) -> list[str]: ...

cache: _cache

class _queue:
    def Put(self, queue: str, payload: Any, *, delay_s: float | None = ..., delay: float | None = ..., ttl_s: float | None = ..., ttl: float | None = ..., priority: int | None = ..., dedupe_key: str | int | None = ..., idempotency_key: str | int | None = ...) -> _queue_Put: ...
    put = Put
    def len(self, queue: str) -> _queue_len: ...
    def take(self, queue: str, *, max: int | None = ..., lease_s: float | None = ..., wait_s: float | None = ...) -> list[_queue_take]: ...
    def ack(self, queue: str, message_id: str, lease: str) -> _queue_ack: ...
    def nack(self, queue: str, message_id: str, lease: str, *, delay_s: float | None = ..., delay: float | None = ...) -> _queue_ack: ...

queue: _queue

class _txn:
    def begin(self, name: str | int | None = ..., *, resource: Literal["sqlite"] | Literal["db"] | None = ..., mode: Literal["readwrite"] | Literal["deferred"] | Literal["immediate"] | Literal["readonly"] | None = ..., timeout_s: float | None = ..., timeout: float | None = ...) -> str: ...
    def commit(self, name: str | int | None = ...) -> _txn_commit: ...
    def rollback(self, name: str | int | None = ...) -> _txn_commit: ...

txn: _txn

class _auth:
    def Validate(self, token: str, *, scopes: Sequence[str] | None = ..., audience: str | None = ...) -> bool: ...
    validate = Validate
    def verify(self, token: str, *, scopes: Sequence[str] | None = ..., audience: str | None = ...) -> _auth_verify: ...
    def enforce(self, policy: Any, constraints: Any, facts: Any) -> Literal[True]: ...

auth: _auth

class _memory:
    def put(self, namespace: str, kind: str, id: str | int, payload: Any, ttl_seconds: int | None = ..., metadata: Any = ..., *, ttl: int | None = ..., if_version: int | None = ..., if_absent: bool | None = ...) -> _memory_put: ...
    def get(self, namespace: str, kind: str, id: str | int, *, tail: int | None = ..., touch: bool | None = ...) -> _memory_get: ...
    def append(self, namespace: str, kind: str, id: str | int, entry: Any, ttl_seconds: int | None = ..., metadata: Any = ..., *, ttl: int | None = ..., idempotency_key: str | int | None = ...) -> _memory_append: ...
    def list(self, namespace: str, kind: str | None = ..., id_prefix: str | None = ..., updated_since: str | None = ..., filters: Mapping[str, Any] | None = ..., *, include_expired: bool | None = ..., cursor: str | None = ...) -> _memory_list: ...
    def delete(self, namespace: str, kind: str, id: str | int) -> _memory_delete: ...
    def prune(self, namespace: str | None = ...) -> _memory_prune: ...
    def patch(self, namespace: str, kind: str, id: str | int, patch: Any, *, if_version: int | None = ...) -> _memory_patch: ...
    def count(self, namespace: str, kind: str | None = ...) -> float: ...

memory: _memory

class _agent:
    def send_task(self, envelope: Any, *, idempotency_key: str | None = ...) -> str: ...
    def read_result(self, task_id: str | int) -> Any: ...

agent: _agent

class _svc:
    def status(self, name: str, *, timeout_s: float | None = ..., timeout: float | None = ..., max_age_s: float | None = ...) -> _svc_status: ...
    def list(self) -> list[_svc_list]: ...
    def wait(self, name: str, *, status: Literal["up"] | Literal["down"] | None = ..., timeout_s: float | None = ..., timeout: float | None = ...) -> _svc_status: ...
    def start(self, name: str, *, reason: str | None = ..., wait_s: float | None = ..., timeout_s: float | None = ..., timeout: float | None = ..., idempotency_key: str | None = ...) -> _svc_start: ...
    def stop(self, name: str, *, reason: str | None = ..., wait_s: float | None = ..., timeout_s: float | None = ..., timeout: float | None = ..., idempotency_key: str | None = ...) -> _svc_start: ...
    def restart(self, name: str, *, reason: str | None = ..., wait_s: float | None = ..., timeout_s: float | None = ..., timeout: float | None = ..., idempotency_key: str | None = ...) -> _svc_start: ...
    def __getattr__(self, verb: str) -> Callable[..., Any]: ...

svc: _svc

class _extras:
    def file_exists(self, path: str, *, executable: bool | None = ...) -> Any: ...
    def newest_file(self, folder: str, *, pattern: str | None = ...) -> _extras_newest_file: ...
    def newest_backup_mtime(self, folder: str) -> float: ...
    def disk(self, path: str) -> _extras_disk: ...
    def http_status(self, url: str, *, timeout_s: float | None = ..., timeout: float | None = ..., method: Literal["HEAD"] | Literal["GET"] | None = ...) -> Any: ...
    def tls_expiry(self, host: str, port: int | None = ...) -> _extras_tls_expiry: ...
    def container_image_exists(self, image: str) -> Any: ...
    def container_status(self, name: str) -> _extras_container_status: ...
    def metrics(self, path: str) -> _extras_metrics: ...
    def metrics_write(self, name: str, object: Any, *, prometheus: bool | None = ...) -> _extras_metrics_write: ...

extras: _extras

class _videomon:
    def poll(self, channel: str | None = ...) -> list[_videomon_poll]: ...
    def F(self, *, limit: int | None = ...) -> list[_videomon_F]: ...
    f = F
    def videos(self, channel: str | None = ..., *, limit: int | None = ..., since: str | None = ...) -> list[_videomon_poll_new]: ...
    def recent(self, hours: float | None = ..., channel: str | None = ...) -> int: ...
    def video(self, id: str | int) -> _videomon_poll_new | None: ...
    def profile(self, channel: str) -> _videomon_profile: ...
    def search(self, text: str, *, channel: str | None = ..., limit: int | None = ...) -> list[_videomon_poll_new]: ...
    def trending(self, *, hours: float | None = ..., limit: int | None = ...) -> list[_videomon_trending]: ...
    def analytics(self, channel: str, *, days: int | None = ...) -> list[_videomon_analytics]: ...

videomon: _videomon

class _email:
    def send(self, to: str | Sequence[Any], subject: str, body: str | Mapping[str, Any] | None = ..., cc: str | Sequence[Any] | None = ..., bcc: str | Sequence[Any] | None = ..., provider: str | None = ..., attachments: Sequence[Any] | None = ..., *, json: str | Mapping[str, Any] | None = ..., reply_to: str | Sequence[str] | None = ..., headers: Mapping[str, str] | None = ..., account: str | None = ..., idempotency_key: str | None = ...) -> _email_send: ...
    def read(self, folder: str | None = ..., limit: int | None = ..., unread_only: bool | None = ..., from_: str | None = ..., subject_contains: str | None = ..., include_attachments: bool | None = ..., *, since_uid: int | None = ..., mark_seen: bool | None = ..., max_body_bytes: int | None = ..., order: Literal["newest"] | Literal["oldest"] | None = ..., account: str | None = ...) -> list[_email_read]: ...
    def G(self) -> list[_email_read]: ...
    g = G
    def search(self, query: str | Mapping[str, Any] | None = ..., limit: int | None = ..., folder: str | None = ..., *, params: str | Mapping[str, Any] | None = ...) -> list[_email_search]: ...
    def fetch(self, id: str, *, attachments: bool | None = ...) -> _email_fetch: ...
    def reply(self, id: str, body: str | Mapping[str, Any] | None = ..., reply_all: bool | None = ..., attachments: Sequence[Any] | None = ..., *, json: str | Mapping[str, Any] | None = ..., account: str | None = ..., idempotency_key: str | None = ...) -> _email_reply: ...
    def draft(self, to: str | Sequence[Any], subject: str, body: str | Mapping[str, Any] | None = ..., draft_id: str | None = ..., *, json: str | Mapping[str, Any] | None = ..., attachments: Sequence[Mapping[str, Any]] | None = ..., account: str | None = ..., idempotency_key: str | None = ...) -> _email_draft: ...
    def move(self, id: str, folder: str) -> _email_move: ...
    def flag(self, id: str, flags: Sequence[Any] | Mapping[str, Any]) -> _email_flag: ...
    def folders(self, *, account: str | None = ...) -> list[_email_folders]: ...

email: _email

class _calendar:
    def G(self) -> list[_calendar_G]: ...
    g = G
    def list(self, from_: str | None = ..., to: str | None = ..., *, calendar: str | None = ..., limit: int | None = ..., expand: bool | None = ..., unreadable: Literal["skip"] | Literal["fail"] | None = ...) -> list[_calendar_G]: ...
    def get(self, id: str) -> _calendar_G | None: ...
    def create(self, event: Mapping[str, Any], *, calendar: str | None = ..., idempotency_key: str | None = ..., notify: bool | None = ...) -> _calendar_create: ...
    def update(self, id: str, patch: Mapping[str, Any], *, etag: str | None = ..., scope: Literal["all"] | Literal["this"] | None = ...) -> _calendar_create: ...
    def delete(self, id: str, *, etag: str | None = ...) -> _calendar_delete: ...
    def freebusy(self, from_: str | None = ..., to: str | None = ..., *, calendars: Sequence[str] | None = ..., unreadable: Literal["skip"] | Literal["fail"] | None = ...) -> list[_calendar_freebusy]: ...
    def calendars(self) -> list[_calendar_calendars]: ...

calendar: _calendar

class _social:
    def G(self, query: str | None = ..., *, params: str | None = ..., since_id: str | int | None = ..., limit: int | None = ..., account: str | None = ...) -> list[_social_G]: ...
    g = G
    def mentions(self, query: str | None = ..., *, params: str | None = ..., since_id: str | int | None = ..., limit: int | None = ..., account: str | None = ...) -> list[_social_G]: ...
    def search(self, text: str, *, limit: int | None = ..., since: str | None = ..., account: str | None = ...) -> list[_social_G]: ...
    def timeline(self, *, account: str | None = ..., limit: int | None = ...) -> list[_social_G]: ...
    def post(self, text: str, *, visibility: Literal["public"] | Literal["unlisted"] | Literal["private"] | Literal["direct"] | None = ..., language: str | None = ..., media: Sequence[Mapping[str, Any]] | None = ..., scheduled_at: str | None = ..., idempotency_key: str | None = ..., account: str | None = ..., reply_to: str | int | None = ...) -> _social_post: ...
    def reply(self, id: str | int, text: str, *, visibility: Literal["public"] | Literal["unlisted"] | Literal["private"] | Literal["direct"] | None = ..., language: str | None = ..., media: Sequence[Mapping[str, Any]] | None = ..., scheduled_at: str | None = ..., idempotency_key: str | None = ..., account: str | None = ...) -> _social_post: ...
    def get(self, id: str | int) -> _social_G | None: ...
    def delete(self, id: str | int) -> _social_delete: ...
    def profile(self, account: str | None = ...) -> _social_profile: ...

social: _social

class _timer:
    def sleep(self, span: float | str) -> _timer_sleep: ...
    def next(self, cron: str, *, tz: str | None = ..., after: float | str | None = ...) -> str | None: ...
    def until(self, time: float | str) -> _timer_sleep: ...

timer: _timer

class _signal:
    def wait(self, names: str | Sequence[Any], *, key: str | float | None = ..., match: Mapping[str, Any] | None = ..., timeout: float | str | None = ...) -> _signal_wait: ...
    def send(self, name: str, data: Any, *, job: str | None = ..., key: str | float | None = ..., id: str | None = ..., idempotency_key: str | None = ...) -> _signal_send: ...
    def link(self, name: str, *, expires: float | str | None = ..., idempotency_key: str | None = ...) -> str: ...

signal: _signal

class _approval:
    def ask(self, title: str, *, details: Any = ..., choices: Sequence[str] | None = ..., to: str | Sequence[str] | None = ..., need: int | None = ..., timeout: float | str | None = ..., form: Mapping[str, Literal["text"] | Literal["number"] | Literal["boolean"] | Sequence[str]] | None = ..., idempotency_key: str | None = ...) -> _approval_ask: ...
    def open(self, title: str, *, details: Any = ..., choices: Sequence[str] | None = ..., to: str | Sequence[str] | None = ..., need: int | None = ..., timeout: float | str | None = ..., form: Mapping[str, Literal["text"] | Literal["number"] | Literal["boolean"] | Sequence[str]] | None = ..., idempotency_key: str | None = ...) -> str: ...
    def wait(self, id: str, *, timeout: float | str | None = ...) -> _approval_ask: ...
    def cancel(self, id: str) -> _approval_cancel: ...

approval: _approval

class _llm:
    def chat(self, prompt: str | Sequence[Any] | None = ..., *, messages: str | Sequence[Any] | None = ..., model: str | None = ..., system: str | None = ..., max_tokens: int | None = ..., temperature: float | None = ..., timeout_s: float | None = ..., timeout: float | None = ..., schema: Any = ...) -> _llm_chat: ...
    def embed(self, texts: Sequence[Any], *, model: str | None = ..., timeout_s: float | None = ..., timeout: float | None = ...) -> _llm_embed: ...
    def classify(self, text: str, choices: Sequence[Any], *, model: str | None = ..., system: str | None = ..., timeout_s: float | None = ..., timeout: float | None = ...) -> str: ...
    def extract(self, text: str, schema: Any, *, model: str | None = ..., system: str | None = ..., max_tokens: int | None = ..., temperature: float | None = ..., timeout_s: float | None = ..., timeout: float | None = ...) -> Any: ...

llm: _llm

class _job:
    @overload
    def __call__(self, function: _F, /) -> _F: ...
    @overload
    def __call__(self, *, concurrency: Any = ..., rate: Any = ..., priority: Any = ..., fair: Any = ..., unique: Any = ..., debounce: Any = ..., batch: Any = ..., delay_s: Any = ..., timeout_s: Any = ..., start_by_s: Any = ...) -> Callable[[_F], _F]: ...
    def run(self, program: str, inputs: Mapping[str, Any], *, key: str | float | None = ..., timeout: float | str | None = ..., detach: bool | None = ..., share: Literal["own"] | Literal["budget"] | None = ...) -> Any: ...
    def start(self, program: str, inputs: Mapping[str, Any], *, key: str | float | None = ..., detach: bool | None = ...) -> str: ...
    def wait(self, id: str, *, timeout: float | str | None = ...) -> Any: ...
    def wait_any(self, ids: Sequence[Any], *, timeout: float | str | None = ...) -> _job_wait_any: ...
    def status(self, id: str) -> _job_status: ...
    def cancel(self, id: str) -> _job_cancel: ...
    def again(self, inputs: Mapping[str, Any]) -> NoReturn: ...

job: _job

class _event:
    def emit(self, name: str, data: Any, *, key: str | float | None = ...) -> str: ...

event: _event

def add(a: Any, b: Any, /) -> int | float | str | list:
    "a + b: numbers, two texts or two lists"

def plus(a: Any, b: Any, /) -> int | float | str | list:
    "the same as add"

def sub(a: Any, b: Any, /) -> int | float:
    "a - b"

def mul(a: Any, b: Any, /) -> int | float:
    "a * b"

def div(a: Any, b: Any, /) -> float:
    "a / b"

def idiv(a: Any, b: Any, /) -> int | float:
    "a // b"

def mod(a: Any, b: Any, /) -> int | float:
    "a % b of numbers"

def ceil(x: Any, /) -> int:
    "the next int upwards"

def floor(x: Any, /) -> int:
    "the next int downwards"

def clamp(x: Any, lo: Any, hi: Any) -> int | float:
    "max(lo, min(hi, x))"

def avg(list: Any, field: Any = ...) -> float | None:
    "the mean of a list, or of a field; None: it is empty"

def eq(a: Any, b: Any, /) -> bool:
    "a == b"

def ne(a: Any, b: Any, /) -> bool:
    "a != b"

def lt(a: Any, b: Any, /) -> bool:
    "a < b"

def lte(a: Any, b: Any, /) -> bool:
    "a <= b"

def gt(a: Any, b: Any, /) -> bool:
    "a > b"

def gte(a: Any, b: Any, /) -> bool:
    "a >= b"

def ite(condition: Any, a: Any = ..., b: Any = ..., /) -> Any:
    "a if condition else b, both made before"

def coalesce(*values: Any) -> Any:
    "the first value that is not None"

def echo(v: Any = ..., /) -> Any:
    "v"

def noop() -> None:
    "None"

def fail(message: Any = ..., /) -> None:
    "raises RuntimeError with the message"

def concat(*texts: Any) -> str:
    "texts joined"

def join(separator: Any, list: Any) -> str:
    "texts of a list joined"

def split(text: Any, separator: Any = ...) -> list[str]:
    "the parts of a text"

def lower(text: Any) -> str:
    "lower case"

def upper(text: Any) -> str:
    "upper case"

def replace(text: Any, old: Any, new: Any) -> str:
    "all occurrences replaced"

def contains(hay: Any, needle: Any) -> bool:
    "needle in hay"

def startswith(text: Any, part: Any) -> bool:
    "whether a text begins so"

def endswith(text: Any, part: Any) -> bool:
    "whether a text ends so"

def strip(text: Any) -> str:
    "without white space at its ends"

def lstrip(text: Any) -> str:
    "without white space at its start"

def rstrip(text: Any) -> str:
    "without white space at its end"

def trim(text: Any) -> str:
    "words with one space between them"

def substr(text: Any, start: Any = ..., length: Any = ...) -> str:
    "a part by its length"

def substring(v: Any, start: Any = ..., end: Any = ...) -> str | list:
    "v[start:end]"

def capitalize(text: Any) -> str:
    "first character in upper case, the rest lower"

def title(text: Any) -> str:
    "every word capitalized"

def chars(text: Any) -> list[str]:
    "the characters of a text"

def lines(text: Any) -> list[str]:
    "its lines without their ends"

def words(text: Any) -> list[str]:
    "its parts between white space"

def pad(text: Any, width: Any, fill: Any = ..., side: Any = ...) -> str:
    "a text filled up to a width"

def repeat(v: Any, count: Any) -> str | list:
    "a text or a list several times"

def match(text: Any, pattern: Any) -> dict:
    "the first match: found, text, start, end, groups, named"

def find_all(text: Any, pattern: Any) -> list:
    "the texts of all matches"

def replace_all(text: Any, pattern: Any, new: Any) -> str:
    "all matches replaced; $1 is what a group took"

def split_by(text: Any, pattern: Any) -> list[str]:
    "the parts between matches"

def parse(text: Any) -> Any:
    "the value of a JSON text, as json.loads"

def stringify(v: Any) -> str:
    "compact JSON text"

def length(v: Any) -> int:
    "len(v)"

def arr(*values: Any) -> list:
    "a list of the arguments"

def push(list: Any, v: Any) -> list:
    "a new list with v at its end"

def first(v: Any) -> Any:
    "the first element or character; None: it is empty"

def last(v: Any) -> Any:
    "the last element or character; None: it is empty"

def take(v: Any, count: Any) -> list | str:
    "the first elements or characters"

def drop(v: Any, count: Any) -> list | str:
    "all but the first elements or characters"

def sort(list: Any) -> list:
    "sorted(list)"

def reverse(v: Any) -> list:
    "the elements or characters backwards"

def unique(list: Any) -> list:
    "the first of each set of equal elements"

def flatten(list: Any) -> list:
    "lists inside taken out, one level"

def chunk(list: Any, size: Any) -> list[list]:
    "lists of at most size elements"

def count(v: Any, wanted: Any = ...) -> int:
    "len(v), or how often v has what is wanted"

def diff(list: Any, other: Any) -> list:
    "elements that the other list does not have"

def intersect(list: Any, other: Any) -> list:
    "elements that both have, each once"

def sort_by(list: Any, field: Any, order: Any = ...) -> list:
    "sorted by a field, 'asc' or 'desc'"

def group_by(list: Any, field: Any) -> dict:
    "lists of elements by the value of a field"

def count_by(list: Any, field: Any) -> dict:
    "how many elements have each value of a field"

def index_by(list: Any, field: Any) -> dict:
    "elements by the value of a field; the last one stays"

def min_by(list: Any, field: Any) -> Any:
    "the first element with the smallest field"

def max_by(list: Any, field: Any) -> Any:
    "the first element with the largest field"

def find(list: Any, field: Any, value: Any) -> Any:
    "the first element whose field equals the value"

def filter_high_score(list: Any, minimum: Any = ...) -> list:
    "dicts whose score, or else relevance, is high enough"

def obj(key: Any, v: Any, /) -> dict:
    "a dict of one member"

def get(v: Any, path: Any, default: Any = ...) -> Any:
    "what stands at a path, a.b or a list of keys"

def put(object: Any, path: Any, v: Any) -> dict:
    "a new dict with v at a path"

def at(v: Any, key: Any) -> Any:
    "v[key], or None where it is missing"

def put_at(v: Any, keys: Any, value: Any) -> dict | list:
    "a copy with the value below exactly these keys"

def keys(object: Any) -> list:
    "the keys of a dict"

def values(object: Any) -> list:
    "the values of a dict"

def entries(object: Any) -> list[list]:
    "lists of key and value"

def pairs(v: Any) -> list:
    "entries of a dict, elements of a list"

def each(v: Any) -> list:
    "elements, characters or keys"

def from_entries(pairs: Any) -> dict:
    "a dict of pairs of key and value"

def merge(*objects: Any) -> dict:
    "a new dict of all members; later ones win"

def pick(object: Any, *keys: Any) -> dict:
    "the named members; keys may be one list"

def omit(object: Any, *keys: Any) -> dict:
    "the other members; keys may be one list"

def date_parse(text: Any, zone: Any = ...) -> int:
    "milliseconds since 1970 of a text of RFC 3339"

def date_format(time: Any, pattern: Any = ..., zone: Any = ...) -> str:
    "the text of a time"

def date_add(time: Any, count: Any, unit: Any, zone: Any = ...) -> int:
    "a time, a number of units later"

def date_diff(start: Any, end: Any, unit: Any, zone: Any = ...) -> int:
    "whole units from one time to another"

def date_part(time: Any, part: Any, zone: Any = ...) -> int:
    "a part of a time"

def date_trunc(time: Any, unit: Any, zone: Any = ...) -> int:
    "the beginning of a unit"

def iso_ts(seconds: Any) -> str:
    "an instant as YYYY-MM-DDTHH:MM:SSZ"

def progress(value: Any, text: Any = ...) -> None:
    "shows how far it is, from 0 to 1"

def set_state(name: Any, value: Any, /) -> None:
    "shows a value under a name"

def now(*args: Any) -> Any: ...

def iso(*args: Any) -> Any: ...

def uuid(*args: Any) -> Any: ...

def env(*args: Any) -> Any: ...

def sleep(*args: Any) -> Any: ...

def concat_lists(a: Any, b: Any, /) -> int | float | str | list:
    "a + b: numbers, two texts or two lists"

def equal(a: Any, b: Any, /) -> bool:
    "a == b"

def equals(a: Any, b: Any, /) -> bool:
    "a == b"

def neq(a: Any, b: Any, /) -> bool:
    "a != b"

def notequal(a: Any, b: Any, /) -> bool:
    "a != b"

def not_equal(a: Any, b: Any, /) -> bool:
    "a != b"

def le(a: Any, b: Any, /) -> bool:
    "a <= b"

def ge(a: Any, b: Any, /) -> bool:
    "a >= b"

def has(hay: Any, needle: Any) -> bool:
    "needle in hay"

def includes(hay: Any, needle: Any) -> bool:
    "needle in hay"

def splitlines(text: Any) -> list[str]:
    "its lines without their ends"

def size(v: Any) -> int:
    "len(v)"

def array(*values: Any) -> list:
    "a list of the arguments"

def append(list: Any, v: Any) -> list:
    "a new list with v at its end"

def average(list: Any, field: Any = ...) -> float | None:
    "the mean of a list, or of a field; None: it is empty"

def mean(list: Any, field: Any = ...) -> float | None:
    "the mean of a list, or of a field; None: it is empty"

def from_json(text: Any) -> Any:
    "the value of a JSON text, as json.loads"

def to_json(v: Any) -> str:
    "compact JSON text"

def items(object: Any) -> list[list]:
    "lists of key and value"

def difference(list: Any, other: Any) -> list:
    "elements that the other list does not have"

def intersection(list: Any, other: Any) -> list:
    "elements that both have, each once"
