/**
 * One line per op that acts, as it stands in a program, beside the op table: what `wf explain`, editors and the reference page show of it. A
 * test reads every line with the parser. Declarations that only travel along have none.
 */
export const OP_EXAMPLES: Readonly<Record<string, string>> = {
  R: 'R http.Get "https://example.com/orders" ->answer',
  J: 'J {"status": "ok", "total": total}',
  If: "If total > 100 ->L_review ->L_accept",
  Err: "Err ->L_down",
  Retry: "Retry 3 500 exponential",
  Call: "Call L_size ->size",
  Set: 'Set tags ["ops", "mail"]',
  X: "X total add price (mul price 0.2)",
  Filt: "Filt adults people age >= 18",
  Sort: "Sort ranked people age desc",
  Loop: "Loop orders order ->L_each ->L_done",
  While: "While n < 100 ->L_double ->L_done limit=20",
  CacheGet: 'CacheGet pages "start" ->page',
  CacheSet: 'CacheSet pages "start" page 60',
  QueuePut: 'QueuePut mails {"to": to} ->message_id',
  Tx: "Tx begin orders",
  Enf: "Enf staff_only",
  "L<id>:": "L_size:",
  include: 'include "money.wf" as money',
  S: "S shop api /shop",
  D: "D Order id:I total:F note:S?",
  E: "E /orders POST ->L_order ->answer Order",
  Q: "Q mails 100 3",
  Cr: "Cr L_report 0 6 * * *",
  C: "C pages key 60",
  Pol: "Pol staff_only auth=true role=staff",
  Txn: "Txn orders sqlite",
};
