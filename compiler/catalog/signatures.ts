/**
 * What verbs of the built-in adapters take as options and what they return, in the notation of `value-types.ts`: name of the verb, its options (`-`: none), its
 * answer. The definitions of the adapters say the same, and a test compares both (test/adapters/catalog-entry.test.ts).
 */
import type { VerbEntry } from "../catalog.ts";

/** Namespaces of memory that need no setting. */
export const MEMORY_NAMESPACES: readonly string[] = ["session", "long_term", "daily_log", "workflow", "ops"];

const HTTP_READ =
  '{headers?:{*:text|[text]}|null,query?:{*:text|number|bool|null|[text|number|bool|null]}|null,timeout_s?:number|null,response?:"auto"|"json"|"text"|"base64"|"none"|null,accept_status?:[integer]|"any"|null,redirect?:"follow"|"manual"|"error"|null,max_redirects?:integer|null,max_response_bytes?:integer|null,auth?:{secret:text,scheme?:text|null}|null}';
const HTTP_WRITE =
  '{headers?:{*:text|[text]}|null,query?:{*:text|number|bool|null|[text|number|bool|null]}|null,timeout_s?:number|null,response?:"auto"|"json"|"text"|"base64"|"none"|null,accept_status?:[integer]|"any"|null,redirect?:"follow"|"manual"|"error"|null,max_redirects?:integer|null,max_response_bytes?:integer|null,auth?:{secret:text,scheme?:text|null}|null,body?:any,body_type?:"json"|"text"|"form"|"base64"|null,idempotency_key?:true|text|null}';
const RESPONSE =
  "{ok:bool,status:integer,status_code:integer,error:null,body:any,headers:{*:text|[text]},url:text,final_url:text,redirects:integer,elapsed_ms:integer,lossy?:true,parse_error?:true}";
const EVENT =
  "{id:text,uid:text,recurrence_id:text|null,title:text,start:text,end:text,all_day:bool,time_zone:text|null,location:text|null,description:text|null,status:text|null,organizer:text|null,attendees:[{email:text,name:text|null,status:text}],rrule:text|null,calendar:text,etag:text|null,url:text|null}";
const MESSAGE =
  '{id:text,from:text,to:[text],cc:[text],subject:text,body:text,body_html?:text,timestamp:text|null,unread:bool,message_id:text|null,in_reply_to:text|null,references:[text],attachments:[{filename:text|null,content_type:text,size:number,content?:{"$base64":text}}],truncated:bool}';
const POST = "{id:text,text:text,ts:integer|null,author:text|null,url:text|null,lang:text|null,reply_to:text|null}";
const VIDEO =
  "{id:text,channel:text,title:text,url:text|null,published_at:text|null,updated_at:text|null,description:text|null,thumbnail:text|null,duration_s:number|null,views:integer|null,likes:integer|null,first_seen_at:text}";

const TABLE = `
agent.send_task {idempotency_key?:text|null} text
agent.read_result - any
approval.ask {details?:any,choices?:[text]|null,to?:text|[text]|null,need?:integer|null,timeout?:span|null,form?:{*:"text"|"number"|"boolean"|[text]}|null,idempotency_key?:text|null} {decision:choices(choices|"approve"|"reject"|+|"expired"|"cancelled"|"declined"),approved:bool,by:text|null,comment:text|null,data:any,at:text|null,id:text}
approval.open {details?:any,choices?:[text]|null,to?:text|[text]|null,need?:integer|null,timeout?:span|null,form?:{*:"text"|"number"|"boolean"|[text]}|null,idempotency_key?:text|null} text
approval.wait {timeout?:span|null} {decision:choices(choices|"approve"|"reject"|+|"expired"|"cancelled"|"declined"),approved:bool,by:text|null,comment:text|null,data:any,at:text|null,id:text}
approval.cancel - {ok:bool}
auth.Validate {scopes?:[text]|null,audience?:text|null} bool
auth.verify {scopes?:[text]|null,audience?:text|null} {valid:bool,subject:text|null,scopes:[text],expires_at:text|null,reason:text|null}
auth.enforce - true
cache.get {default?:any,meta?:bool|null} any
cache.set {ttl_s?:integer|null,if_absent?:bool|null,if_version?:integer|null} null|bool
cache.setex {namespace?:text|integer|null} null
cache.has - bool
cache.incr {by?:number|null,ttl_s?:integer|null,idempotency_key?:text|integer|null} number
cache.delete - bool
cache.clear - number
cache.keys {prefix?:text|null,limit?:integer|null} [text]
calendar.G - [${EVENT}]
calendar.list {calendar?:text|null,limit?:integer|null,expand?:bool|null,unreadable?:"skip"|"fail"|null} [${EVENT}]
calendar.get - ${EVENT}|null
calendar.create {calendar?:text|null,idempotency_key?:text|null,notify?:bool|null} ${EVENT}
calendar.update {etag?:text|null,scope?:"all"|"this"|null} ${EVENT}
calendar.delete {etag?:text|null} {deleted:bool}
calendar.freebusy {calendars?:[text]|null,unreadable?:"skip"|"fail"|null} [{start:text,end:text}]
calendar.calendars - [{name:text,url:text|null,read_only:bool,time_zone:text|null}]
db.F {fields?:[text]|null,order_by?:[text]|null,limit?:integer|null,offset?:integer|null,timeout_s?:number|null} [{*:any}]
db.G - null|{*:any}
db.P {idempotency_key?:text|null,timeout_s?:number|null} {*:any}
db.C {idempotency_key?:text|null,timeout_s?:number|null} {*:any}
db.U {expected_count?:integer|null,detail?:bool|null,allow_all?:bool|null,timeout_s?:number|null} integer|{matched:integer,changed:integer}
db.D {expected_count?:integer|null,allow_all?:bool|null,timeout_s?:number|null} bool|integer
email.send {reply_to?:text|[text]|null,headers?:{*:text}|null,account?:text|null,idempotency_key?:text|null} {status:"sent",provider:"smtp",method:"smtp",to:text|[text],subject:text,message_id:text,attachments:number,accepted:[text],rejected:[text]}
email.read {since_uid?:integer|null,mark_seen?:bool|null,max_body_bytes?:integer|null,order?:"newest"|"oldest"|null,account?:text|null} [${MESSAGE}]
email.G - [${MESSAGE}]
email.search - [{id:text,from:text,to:[text],cc:[text],subject:text,body:text,body_html?:text,timestamp:text|null,unread:bool,message_id:text|null,in_reply_to:text|null,references:[text],attachments:[{filename:text|null,content_type:text,size:number,content?:{"$base64":text}}],truncated:bool,snippet:text}]
email.fetch {attachments?:bool|null} ${MESSAGE}
email.reply {account?:text|null,idempotency_key?:text|null} {status:"sent",provider:"smtp",method:"smtp",to:text|[text],subject:text,message_id:text,attachments:number,accepted:[text],rejected:[text],in_reply_to:text|null,reply_all:bool}
email.draft {attachments?:[{filename:text,content:text|{"$base64":text},content_type?:text|null}|{path:text,filename?:text|null,content_type?:text|null}]|null,account?:text|null,idempotency_key?:text|null} {status:"draft",id:text|null,message_id:text}
email.move - {ok:true,id:text|null}
email.flag - {ok:true,flags:[text]}
email.folders {account?:text|null} [{name:text,total:number|null,unseen:number|null}]
extras.file_exists {executable?:bool|null} 0|1|{exists:bool,type:text|null,size:number|null,mtime:text|null}
extras.newest_file {pattern?:text|null} {found:bool,name:text|null,mtime:text|null,age_s:number|null,size:number|null}
extras.newest_backup_mtime - number
extras.disk - {total:number,free:number,used_ratio:number|null}
extras.http_status {timeout_s?:number|null,method?:"HEAD"|"GET"|null} 0|1|{ok:bool,status:number|null,latency_ms:number,error:text|null}
extras.tls_expiry - {valid_to:text,days_left:integer}
extras.container_image_exists - 0|1|{exists:bool,id:text|null}
extras.container_status - {state:text,health:text|null,started_at:text|null,restarts:number}
extras.metrics - {run_count:number,ok_count:number,error_count:number,ok_ratio:number|null,runtime_versions:[any],result_kinds:{*:number},trace_op_counts:{*:number},label_counts:{*:number},timestamps_present:bool}
extras.metrics_write {prometheus?:bool|null} {ok:true,bytes:number}
fs.read {encoding?:"utf8"|"latin1"|"base64"|null,offset?:integer|null,length?:integer|null,lossy?:bool|null,keep_bom?:bool|null} text|{"$base64":text}
fs.readlines {max_lines?:integer|null} [text]
fs.write {mode?:"replace"|"create"|"append"|null,encoding?:"utf8"|"base64"|null,if_match?:text|null} {ok:true,bytes:integer}
fs.list {details?:bool|null,recursive?:bool|null,limit?:integer|null} [text|{type:"file"|"directory"|"symlink"|"other",size:integer,mtime:text,name:text}]
fs.glob {limit?:integer|null} [text]
fs.exists - bool
fs.stat {sha256?:bool|null} {type:"file"|"directory"|"symlink"|"other",size:integer,mtime:text,sha256?:text}
fs.mkdir - {ok:true}
fs.copy {overwrite?:bool|null} {ok:true,bytes:integer}
fs.move {overwrite?:bool|null} {ok:true}
fs.delete {recursive?:bool|null} {ok:true,deleted:bool}
http.Get ${HTTP_READ} ${RESPONSE}
http.Post ${HTTP_WRITE} ${RESPONSE}
http.Put ${HTTP_WRITE} ${RESPONSE}
http.Patch ${HTTP_WRITE} ${RESPONSE}
http.Delete ${HTTP_WRITE} ${RESPONSE}
http.Head ${HTTP_READ} ${RESPONSE}
http.Options ${HTTP_READ} ${RESPONSE}
llm.chat {model?:text|null,system?:text|null,max_tokens?:integer|null,temperature?:number|null,timeout_s?:number|null,schema?:any} {text:text,data:any,model:text,usage:{input_tokens:integer,output_tokens:integer,cost:number,estimated?:true},finish:"stop"|"length"|"filter"|"other"}
llm.embed {model?:text|null,timeout_s?:number|null} {vectors:[[number]],model:text,usage:{input_tokens:integer,output_tokens:integer,cost:number,estimated?:true}}
llm.classify {model?:text|null,system?:text|null,timeout_s?:number|null} choices(choices)
llm.extract {model?:text|null,system?:text|null,max_tokens?:integer|null,temperature?:number|null,timeout_s?:number|null} any
memory.put {if_version?:integer|null,if_absent?:bool|null} {ok:true,updated_at:text,created:bool,version:number}
memory.get {tail?:integer|null,touch?:bool|null} {found:bool,record:{namespace:text,record_kind:text,record_id:text,created_at:text,updated_at:text,ttl_seconds:number|null,payload:any,metadata:{*:any}|null,version:number}|null}
memory.append {idempotency_key?:text|integer|null} {ok:true,updated_at:text,entries:number}
memory.list {include_expired?:bool|null,cursor?:text|null} {items:[{record_kind:text,record_id:text,created_at:text,updated_at:text,ttl_seconds:number|null}],next_cursor:text|null}
memory.delete - {ok:true,deleted:bool}
memory.prune - {ok:true,pruned:number}
memory.patch {if_version?:integer|null} {ok:true,updated_at:text,version:number}
memory.count - number
queue.Put {delay_s?:number|null,ttl_s?:number|null,priority?:integer|null,dedupe_key?:text|integer|null,idempotency_key?:text|integer|null} {ok:true,message_id:text,queue_name:text,error:null}
queue.len - {ready:number,delayed:number,leased:number,dead:number}
queue.take {max?:integer|null,lease_s?:number|null,wait_s?:number|null} [{message_id:text,payload:any,attempts:number,lease:text}]
queue.ack {} {ok:true}
queue.nack {delay_s?:number|null} {ok:true}
signal.wait {key?:text|number|null,timeout?:span|null} {received:bool,name:text|null,data:any,id:text|null,at:text|null}
signal.send {job?:text|null,key?:text|number|null,id?:text|null,idempotency_key?:text|null} {id:text,delivered:"now"|"kept"}
signal.link {expires?:span|null,idempotency_key?:text|null} text
social.G {since_id?:text|integer|null,limit?:integer|null,account?:text|null} [${POST}]
social.mentions {since_id?:text|integer|null,limit?:integer|null,account?:text|null} [${POST}]
social.search {limit?:integer|null,since?:text|null,account?:text|null} [${POST}]
social.timeline {account?:text|null,limit?:integer|null} [${POST}]
social.post {visibility?:"public"|"unlisted"|"private"|"direct"|null,language?:text|null,media?:[{content:text|{"$base64":text},filename?:text|null,content_type?:text|null,description?:text|null}|{path:text,filename?:text|null,content_type?:text|null,description?:text|null}]|null,scheduled_at?:text|null,idempotency_key?:text|null,account?:text|null,reply_to?:text|integer|null} {id:text,url:text|null,created_at:text|null}
social.reply {visibility?:"public"|"unlisted"|"private"|"direct"|null,language?:text|null,media?:[{content:text|{"$base64":text},filename?:text|null,content_type?:text|null,description?:text|null}|{path:text,filename?:text|null,content_type?:text|null,description?:text|null}]|null,scheduled_at?:text|null,idempotency_key?:text|null,account?:text|null} {id:text,url:text|null,created_at:text|null}
social.get - ${POST}|null
social.delete - {deleted:bool}
social.profile - {name:text,url:text|null,followers:number|null,posts:number|null}
sqlite.query {max_rows?:integer|null,timeout_s?:number|null} [{*:any}]
sqlite.execute - {rows_affected:integer,lastrowid:integer|text|null,rows?:[{*:any}]}
sqlite.batch - [{rows_affected:integer,lastrowid:integer|text|null,rows?:[{*:any}]}]
svc.status {timeout_s?:number|null,max_age_s?:number|null} {ok:bool,status:"up"|"degraded"|"down"|"unknown",latency_ms:number|null,error:text|null,checked_at:text,probes:[{kind:text,ok:bool,latency_ms:number,error:text|null}]}
svc.list - [{name:text,probes:[text],actions:["start"|"stop"|"restart"]}]
svc.wait {status?:"up"|"down"|null,timeout_s?:number|null} {ok:bool,status:"up"|"degraded"|"down"|"unknown",latency_ms:number|null,error:text|null,checked_at:text,probes:[{kind:text,ok:bool,latency_ms:number,error:text|null}]}
svc.start {reason?:text|null,wait_s?:number|null,timeout_s?:number|null,idempotency_key?:text|null} {ok:bool,action:"start"|"stop"|"restart",exit_code:number|null,duration_ms:number}
svc.stop {reason?:text|null,wait_s?:number|null,timeout_s?:number|null,idempotency_key?:text|null} {ok:bool,action:"start"|"stop"|"restart",exit_code:number|null,duration_ms:number}
svc.restart {reason?:text|null,wait_s?:number|null,timeout_s?:number|null,idempotency_key?:text|null} {ok:bool,action:"start"|"stop"|"restart",exit_code:number|null,duration_ms:number}
timer.sleep - {at:text}
timer.next {tz?:zone|null,after?:instant|null} text|null
timer.until - {at:text}
tools.Call - any
tools.invoke - any
tools.list - [{name:text,summary:text,effect:text,args_schema:any}]
txn.begin {resource?:"sqlite"|"db"|null,mode?:"readwrite"|"deferred"|"immediate"|"readonly"|null,timeout_s?:number|null} text
txn.commit - {ok:true,name:text,at:text}
txn.rollback - {ok:true,name:text,at:text}
videomon.poll - [{channel:text,new:[${VIDEO}],total:integer,not_modified:bool,polled_at:text|null,error:text|null}]
videomon.F {limit?:integer|null} [{id:integer,channel:text,polled_at:text,video_count:integer}]
videomon.videos {limit?:integer|null,since?:text|null} [${VIDEO}]
videomon.recent - integer
videomon.video - ${VIDEO}|null
videomon.profile - {name:text,title:text|null,url:text|null,subscribers:integer|null,videos:integer,last_published_at:text|null}
videomon.search {channel?:text|null,limit?:integer|null} [${VIDEO}]
videomon.trending {hours?:number|null,limit?:integer|null} [{id:text,channel:text,title:text,url:text|null,published_at:text|null,updated_at:text|null,description:text|null,thumbnail:text|null,duration_s:number|null,views:integer|null,likes:integer|null,first_seen_at:text,views_per_hour:number}]
videomon.analytics {days?:integer|null} [{at:text,views:integer|null,subscribers:integer|null,videos:integer|null}]
wasm.CALL - null|number|text|[number|text|null]
wasm.JSON - any
wasm.LIST - [{module:text,exports:[{name:text,params:[text],results:[text]}],sha256:text}]
`;

export type Signature = Pick<VerbEntry, "options" | "result">;

/** By adapter and verb, such as `http.Get`. */
export const SIGNATURES: ReadonlyMap<string, Signature> = new Map(
  TABLE.trim()
    .split("\n")
    .map((line) => {
      const [verb = "", options = "", result = ""] = line.split(" ");
      return [verb, options === "-" ? { result } : { options, result }];
    }),
);
