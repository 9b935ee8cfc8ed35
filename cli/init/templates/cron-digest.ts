/** A function that a schedule runs, and one that collects what it reports. */
import { projectTemplate } from "../template.ts";

const PROGRAM = String.raw`# Every evening at six: one digest of the events of the day, put into the queue digests. The function note notes an event.
from collections import Counter
from datetime import date

from weft import memory, queue


@cron("0 18 * * *")
def digest():
    """The digest of today."""
    day = date.today().isoformat()
    log = memory.get("daily_log", "events", day)
    if not log.found:
        return {"day": day, "events": 0}
    events = log.record["payload"]["entries"]
    text = "\n".join(f"{event['kind']}: {event['text']}" for event in events)
    queue.Put("digests", {"day": day, "text": text})
    return {"day": day, "events": len(events), "counts": Counter(event["kind"] for event in events)}


@api("/note", method="POST")
def note(kind: str, text: str):
    """Notes an event of today."""
    day = date.today().isoformat()
    noted = memory.append("daily_log", "events", day, {"kind": kind, "text": text})
    return {"day": day, "events": noted.entries}
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
    "label": "note",
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
  run: 'wf run cron-digest.wf --label note --frame \'{"kind": "sale", "text": "a chair"}\'',
  more: `\`@cron\` says when the digest is due. A service runs it then, once, and catches up what it missed:

\`\`\`sh
wf serve cron-digest.wf --state-dir state
curl -s localhost:8770/app/cron-digest/note -H content-type:application/json -d '{"kind": "sale", "text": "a lamp"}'
wf schedule list                       # when it runs next
wf schedule run cron-digest/digest     # now
WF_STATE_DIR="$PWD/state" wf queue peek digests
\`\`\`

The digest waits in the queue \`digests\`, which lies in the state directory.`,
});
