/** A label that a schedule runs, and one that collects what it tells of. */
import { projectTemplate } from "../template.ts";

const PROGRAM = String.raw`# Every evening at six: one digest of the events of the day, put into the queue digests. The label L_note notes an event.
# frame: kind: text, text: text
S digest api /digest
E /digest P ->L_digest
E /note P ->L_note
Q digests 100 3
Cr L_digest 0 18 * * *

L_digest:
  Call L_today ->day
  R memory.get "daily_log" "events" day ->log
  If log.found ->L_events ->L_quiet

L_quiet:
  J {"day": day, "events": 0}

L_events:
  Set events log.record.payload.entries
  Set counts {}
  Set lines []
  Loop events event ->L_line ->L_send

L_line:
  Set group event.kind
  X counts put counts group (add 1 (int (get counts group)))
  X lines push lines (format "{}: {}" group event.text)
  J null

L_send:
  QueuePut digests {"day": day, "text": (join "\n" lines)} ->sent
  J {"day": day, "events": (len events), "counts": counts}

L_note:
  Call L_today ->day
  R memory.append "daily_log" "events" day {"kind": kind, "text": text} ->noted
  J {"day": day, "events": noted.entries}

L_today:
  X now iso
  J (substr now 0 10)
`;

const EXPECTED = String.raw`[
  {
    "name": "a digest of three events",
    "mocks": {
      "memory.get": [
        {
          "args": ["daily_log", "events", "2030-01-01"],
          "result": {
            "found": true,
            "record": {
              "payload": {
                "entries": [
                  { "kind": "sale", "text": "a chair" },
                  { "kind": "fault", "text": "printer" },
                  { "kind": "sale", "text": "a lamp" }
                ]
              }
            }
          }
        }
      ],
      "queue.Put": [
        {
          "args": [
            "digests",
            { "day": "2030-01-01", "text": "sale: a chair\nfault: printer\nsale: a lamp" }
          ],
          "result": { "ok": true }
        }
      ]
    },
    "expect": {
      "result": { "day": "2030-01-01", "events": 3, "counts": { "sale": 2, "fault": 1 } },
      "calls": ["memory.get", "queue.Put"]
    },
    "clock": "2030-01-01T18:00:00Z"
  },
  {
    "name": "nothing happened",
    "mocks": { "memory.get": [{ "result": { "found": false, "record": null } }] },
    "expect": { "result": { "day": "2030-01-01", "events": 0 }, "calls": ["memory.get"] }
  },
  {
    "name": "notes an event",
    "label": "L_note",
    "frame": { "kind": "sale", "text": "a desk" },
    "mocks": {
      "memory.append": [
        {
          "args": ["daily_log", "events", "2030-01-01", { "kind": "sale", "text": "a desk" }],
          "result": { "ok": true, "entries": 4 }
        }
      ]
    },
    "expect": { "result": { "day": "2030-01-01", "events": 4 } }
  }
]
`;

export const cronDigestTemplate = projectTemplate({
  name: "cron-digest",
  title: "A digest of the events of a day",
  program: PROGRAM,
  expected: EXPECTED,
  config: { strict: true },
  run: 'wf run cron-digest.wf --label L_note --frame \'{"kind": "sale", "text": "a chair"}\'',
  more: "The line `Cr` says when the digest is due; what runs it then, `cron` for instance, calls `wf run cron-digest.wf`. The digest waits in the queue `digests`, which lies in the folder `WF_STATE_DIR` (`wf queue peek digests`); without it the digest ends with the run.",
});
