/**
 * The servers of the example, on this machine: one with a feed and a calendar, and one for mail that keeps what it is given. Started from
 * the command line they print the mails; the test of the example starts them itself.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";
import { SMTPServer } from "smtp-server";

const item = (id, title) =>
  `<item><guid>${id}</guid><title>${title}</title><link>https://news.example/${id}</link></item>`;

const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>https://news.example</link>
${item("1", "A new release of the runtime")}
${item("2", "Weather on Sunday")}
${item("3", "The release of next month")}
</channel></rss>`;

const CALENDAR = [
  ...["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN"],
  ...["BEGIN:VEVENT", "UID:stand-up", "DTSTAMP:20270101T000000Z", "SUMMARY:Stand-up"],
  ...["DTSTART;TZID=Europe/Berlin:20270104T091500", "DURATION:PT15M", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE", "END:VEVENT"],
  ...["END:VCALENDAR", ""],
].join("\r\n");

const PAGES = { "/news.xml": ["application/rss+xml", FEED], "/team.ics": ["text/calendar", CALENDAR] };

/** Ports of 0 are chosen by the system. `onMail` takes a mail, or refuses it with the code that it returns. */
export async function startServers({ webPort = 0, mailPort = 0, onMail = () => {} } = {}) {
  const web = createServer((request, response) => {
    const [type, text] = PAGES[request.url] ?? [];
    if (text === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(text);
  });
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    async onData(stream, session, done) {
      let raw = "";
      for await (const chunk of stream) raw += chunk;
      const refused = onMail({ to: session.envelope.rcptTo.map(({ address }) => address), raw });
      done(refused === undefined ? null : Object.assign(new Error("refused"), { responseCode: refused }));
    },
  });
  const listening = [once(web.listen(webPort, "127.0.0.1"), "listening")];
  const mailServer = mail.listen(mailPort, "127.0.0.1");
  listening.push(once(mailServer, "listening"));
  await Promise.all(listening);
  return {
    webPort: web.address().port,
    mailPort: mailServer.address().port,
    async close() {
      web.closeAllConnections();
      await Promise.all([new Promise((closed) => web.close(closed)), new Promise((closed) => mail.close(closed))]);
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await startServers({
    webPort: 8791,
    mailPort: 8725,
    onMail: ({ to, raw }) => console.info(`mail for ${to.join(", ")}:\n${raw}`),
  });
  console.info("feed and calendar on http://127.0.0.1:8791, mail on 127.0.0.1:8725");
}
