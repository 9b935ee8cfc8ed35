/**
 * A weather service on this machine: `start` makes one for each check of the suite, `node fixture.js` one to try the adapter with. It knows
 * Oslo and Rome, and cities that stand for what can go wrong.
 */
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const KEY = "demo-key";
const CITIES = {
  Oslo: { temp: 3, sky: "rain", days: [3, -1, 0] },
  Rome: { temp: 16.5, sky: "sun", days: [16, 17, 15] },
};

export async function start() {
  const server = await listening(0);
  return {
    settings: { base_url: `http://127.0.0.1:${server.address().port}` },
    secrets: { WEATHER_KEY: KEY },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listening(port) {
  const server = createServer((request, response) => {
    const url = new URL(request.url, "http://weather");
    const [status, body, headers = {}] =
      request.headers.authorization === `Bearer ${KEY}`
        ? answer(url.pathname, url.searchParams.get("city") ?? "", Number(url.searchParams.get("days")))
        : [401, ""];
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

function answer(path, city, days) {
  if (path === "/v1/health") return [200, {}];
  if (city === "Busytown") return [429, "", { "retry-after": "7" }];
  if (city === "Downtown") return [503, ""];
  if (city === "Babel") return [200, "no weather but words"];
  if (!Object.hasOwn(CITIES, city)) return [404, {}];
  const known = CITIES[city];
  if (path === "/v1/now") return [200, { temp: known.temp, sky: known.sky }];
  const list = known.days.slice(0, days).map((temp, day) => ({ date: `2030-01-0${day + 1}`, temp }));
  return [200, { list }];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await listening(8790);
  process.stdout.write(`weather on http://127.0.0.1:${server.address().port}, with the key ${KEY}\n`);
}
