/** What it has in common with other HTTP clients, and cases: one for each code of an error, and what settings do. */
const now = (city) => `R weather.current ${JSON.stringify(city)} ->w`;

export const kind = {
  name: "http_client",
  verbs: { get: { verb: "current", args: () => ["Oslo"], settings: ({ origin }) => ({ base_url: origin }) } },
  lacks: {
    get_other: "the operator says where the service is",
    get_header: "programs give no headers",
  },
  answer: { temp: 3, sky: "rain" },
};

export const cases = [
  { title: "half degrees stay", source: now("Rome"), result: { city: "Rome", degrees: 16.5, sky: "sun" } },
  { title: "an unknown city", source: now("Nowhere"), error: "ADAPTER_NOT_FOUND" },
  { title: "a service that is down", source: now("Downtown"), error: "ADAPTER_UNAVAILABLE" },
  { title: "a service that answers with words", source: now("Babel"), error: "ADAPTER_BAD_DATA" },
  { title: "a service that asks to wait", source: now("Busytown"), error: "ADAPTER_RATE_LIMITED" },
  {
    title: "waiting may help",
    source: 'L1:\n  R weather.current "Busytown" ->w\n  Err ->L2\n  J w\nL2:\n  J _error_info.retryable\n',
    result: true,
  },
  {
    title: "a city outside the list",
    source: now("Rome"),
    settings: { allow_cities: ["Oslo"] },
    error: "ADAPTER_NOT_ALLOWED",
  },
  { title: "too many days", source: 'R weather.forecast "Oslo" 9 ->days', error: "ADAPTER_WEATHER_TOO_FAR" },
  {
    title: "fewer days by a setting",
    source: 'R weather.forecast "Oslo" ->days',
    settings: { max_days: 2 },
    error: "ADAPTER_WEATHER_TOO_FAR",
  },
];
