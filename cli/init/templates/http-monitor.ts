/** Requests in a loop, with retries, a handler and a queue. */
import { projectTemplate } from "../template.ts";

const PROGRAM = `# Asks a list of addresses whether they answer. What does not after three attempts is reported, and goes into the queue alerts.
from weft import AdapterError, http, queue, retry


def monitor(targets: list[dict]):
    up = []
    down = []
    for target in targets:
        try:
            with retry(2, backoff_ms=500, strategy="exponential"):
                answer = http.Head(target["url"], timeout=5)
            up.append({"name": target["name"], "status": answer.status})
        except AdapterError as e:
            down.append({"name": target["name"], "why": e.code})
    if down:
        queue.Put("alerts", {"down": down})
    return {"ok": not down, "up": up, "down": down}
`;

const EXPECTED = `[
  {
    "name": "all answer",
    "frame": { "targets": [{ "name": "shop", "url": "https://shop.example.com/" }] },
    "mocks": {
      "http.Head": [
        { "args": ["https://shop.example.com/", null, 5], "result": { "status": 200 } }
      ]
    },
    "expect": {
      "result": { "ok": true, "up": [{ "name": "shop", "status": 200 }], "down": [] },
      "calls": ["http.Head"]
    }
  },
  {
    "name": "one target answers late, one never",
    "frame": {
      "targets": [
        { "name": "shop", "url": "https://shop.example.com/" },
        { "name": "mail", "url": "https://mail.example.com/" }
      ]
    },
    "mocks": {
      "http.Head": [
        { "error": { "code": "ADAPTER_TIMEOUT", "retryable": true } },
        { "result": { "status": 204 } },
        { "error": { "code": "ADAPTER_UNAVAILABLE", "retryable": true } }
      ],
      "queue.Put": [
        {
          "args": ["alerts", { "down": [{ "name": "mail", "why": "ADAPTER_UNAVAILABLE" }] }],
          "result": { "ok": true }
        }
      ]
    },
    "expect": {
      "result": {
        "ok": false,
        "up": [{ "name": "shop", "status": 204 }],
        "down": [{ "name": "mail", "why": "ADAPTER_UNAVAILABLE" }]
      },
      "calls": ["http.Head", "http.Head", "http.Head", "http.Head", "http.Head", "queue.Put"]
    }
  }
]
`;

export const httpMonitorTemplate = projectTemplate({
  name: "http-monitor",
  title: "Watches addresses and queues an alert for those that do not answer",
  program: PROGRAM,
  expected: EXPECTED,
  config: { strict: true, adapters: { http: { allow_hosts: ["example.com"], timeout_s: 5 } } },
  run: 'wf run http-monitor.wf --frame \'{"targets": [{"name": "example", "url": "https://example.com/"}]}\'',
  more: `\`wf.config.json\` names the hosts that may be asked. Change \`http.allow_hosts\` there.

Alerts wait in the queue \`alerts\`, which lies in the folder \`WF_STATE_DIR\`; without it they end with the run, and a warning says so:

\`\`\`sh
export WF_STATE_DIR="$PWD/state"
wf run http-monitor.wf --frame '{"targets": [{"name": "closed", "url": "https://example.com:9/"}]}'
wf queue peek alerts
\`\`\``,
});
